import { useState, type FormEvent } from 'react'
import { flushSync } from 'react-dom'
import { Plus, X, CloudOff } from 'lucide-react'
import type { MethodInput } from '#contract/bridge/methods.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { hoursStrings } from '#renderer/strings/calendar.ts'
import { FormDialog } from '#renderer/ui/dialog.tsx'
import { TimeField } from '#renderer/ui/date-field.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/choice.tsx'
import type { ErrorCode } from '#contract/errors.ts'
import type { WorkingTime } from '#contract/bridge/schedule.ts'
import { queryClient } from '#renderer/bridge/query-client.ts'
import type { Hours, WrongHours, DayFields, StretchFields } from './working-hours-form.ts'
import { checkHours, fieldsOf, here, hoursOf, weekdays } from './working-hours-form.ts'

const words = hoursStrings.dialog
const nothingWrong: WrongHours = { stretches: {} }

export function WorkingHoursDialog({ hours, onClose }: { readonly hours: Hours | null; readonly onClose: () => void }) {
  const { fields, set, isChecked, busy, error, submit } = useWorkingTimeForm(
    'schedule.setHours',
    () => fieldsOf(hours),
    (typed) => hoursOf(typed, here()),
    () => words.saved,
    onClose,
  )
  const wrong = isChecked ? checkHours(fields) : nothingWrong
  const bind = (name: 'buffer' | 'most') => ({
    type: 'number' as const,
    value: fields[name],
    onChange: (next: string) => set({ [name]: next }),
    error: wrong[name],
  })
  return (
    <FormDialog
      title={words.title}
      lead={words.lead}
      size="wide"
      onClose={onClose}
      isDismissable={false}
      cancel={words.cancel}
      submit={words.save}
      busy={busy && words.saving}
      onSubmit={submit}
    >
      <div className="hours-days" role="group" aria-label={words.days}>
        {weekdays.map((day) => (
          <WeekdayFieldset
            key={day}
            name={hoursStrings.days[day]}
            fields={fields.days[day]}
            wrong={wrong.stretches[day] ?? []}
            onChange={(next) => set({ days: { ...fields.days, [day]: next } })}
          />
        ))}
      </div>
      {wrong.noDay !== undefined && (
        <div role="alert">
          <Notice tone="needs" text={wrong.noDay} />
        </div>
      )}
      <div className="ui-form-pair">
        <TextField {...bind('buffer')} label={words.buffer} min="0" max="240" />
        <TextField {...bind('most')} label={words.most} help={words.mostHelp} min="1" max="50" />
      </div>
      {error && <NotSaved code={error.code} />}
    </FormDialog>
  )
}

export function useWorkingTimeForm<Name extends 'schedule.setHours' | 'schedule.addTimeOff', Fields extends object>(
  method: Name,
  initial: () => Fields,
  inputOf: (fields: Fields) => MethodInput<Name> | null,
  saidOf: (input: MethodInput<Name>) => string,
  onDone: () => void,
) {
  const toast = useToast()
  const save = useAction(method, (told, input) => {
    takeWorkingTime(told)
    toast({ text: saidOf(input) })
    onDone()
  })
  const [fields, setFields] = useState(initial)
  const [isChecked, setChecked] = useState(false)
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    flushSync(() => setChecked(true))
    event.currentTarget.querySelector<HTMLElement>('.ui-field[data-invalid] :is(input, [role="spinbutton"])')?.focus()
    const input = inputOf(fields)
    if (input !== null && !save.isPending) save.mutate(input)
  }
  const set = (part: Partial<Fields>): void => setFields({ ...fields, ...part })
  return { fields, set, isChecked, busy: save.isPending, error: save.error, submit }
}

const afterLunch: StretchFields = { from: '', to: '' }

interface WeekdayFieldsetProps {
  readonly name: string
  readonly fields: DayFields
  readonly wrong: readonly Partial<StretchFields>[]
  readonly onChange: (fields: DayFields) => void
}

function WeekdayFieldset({ name, fields, wrong, onChange }: WeekdayFieldsetProps) {
  const { isOn, stretches } = fields
  const change = (next: readonly StretchFields[]): void => onChange({ ...fields, stretches: next })
  return (
    <div className="hours-day" role="group" aria-label={name}>
      <Checkbox isSelected={isOn} onChange={(next) => onChange({ ...fields, isOn: next })} label={name} />
      {!isOn && <p className="caption hours-day-off">{words.off}</p>}
      {isOn && (
        <div className="hours-stretches">
          {stretches.map((stretch, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two stretches may be equal, and they never change places
            <div key={index} className="hours-stretch">
              <TimeField
                label={words.from({ day: name, number: index + 1 })}
                isLabelHidden
                value={stretch.from}
                onChange={(from) => change(stretches.with(index, { ...stretch, from }))}
                error={wrong[index]?.from}
              />
              <span className="hours-until" aria-hidden>
                {words.until}
              </span>
              <TimeField
                label={words.to({ day: name, number: index + 1 })}
                isLabelHidden
                value={stretch.to}
                onChange={(to) => change(stretches.with(index, { ...stretch, to }))}
                error={wrong[index]?.to}
              />
              {index > 0 && (
                <IconButton
                  icon={X}
                  label={words.remove({ day: name, number: index + 1 })}
                  onPress={() => change(stretches.toSpliced(index, 1))}
                />
              )}
              {stretches.length === 1 && (
                <Button
                  variant="quiet"
                  icon={Plus}
                  aria-label={words.addOn({ day: name })}
                  onPress={() => change([...stretches, afterLunch])}
                  label={words.add}
                />
              )}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

/** Working hours are not queued for sync, so the usual offline message ("sent later") would be wrong. */
export function NotSaved({ code, text }: { readonly code: ErrorCode; readonly text?: string }) {
  if (code !== 'service-unreachable') return <Problem code={code} />
  const { title, text: usualText } = hoursStrings.notSaved
  return (
    <div role="alert">
      <Notice tone="needs" icon={CloudOff} title={text === undefined ? title : undefined} text={text ?? usualText} />
    </div>
  )
}

export function takeWorkingTime(told: WorkingTime): void {
  queryClient.setQueryData(['schedule.workingTime', {}], told)
}
