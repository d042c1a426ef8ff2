import { useState, type FormEvent } from 'react'
import { flushSync } from 'react-dom'
import { Plus, X, CloudOff } from 'lucide-react'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { hoursStrings } from '#renderer/strings/week.ts'
import { FormDialog } from '#renderer/ui/dialog.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/choice.tsx'
import { TimeField } from '#renderer/ui/date-field.tsx'
import type { ErrorCode } from '#contract/errors.ts'
import type { WorkingTime } from '#contract/bridge/schedule.ts'
import { queryClient } from '#renderer/bridge/query-client.ts'
import {
  checkHours,
  fieldsOf,
  type Hours,
  type HoursFields,
  hoursOf,
  type WrongHours,
  weekdays,
  type DayFields,
  type StretchFields,
} from './working-hours-form.ts'

const words = hoursStrings.dialog
const nothingWrong: WrongHours = { stretches: {} }

interface WorkingHoursDialogProps {
  readonly hours: Hours | null
  readonly onClose: () => void
}

export function WorkingHoursDialog({ hours, onClose }: WorkingHoursDialogProps) {
  const { fields, setFields, wrong, submit, save } = useHours(hours, onClose)
  return (
    <FormDialog
      title={words.title}
      lead={words.lead}
      size="wide"
      onClose={onClose}
      isDismissable={false}
      cancel={words.cancel}
      submit={words.save}
      busy={save.isPending ? words.saving : undefined}
      onSubmit={submit}
    >
      <div className="hours-days" role="group" aria-label={words.days}>
        {weekdays.map((day) => (
          <WeekdayFieldset
            key={day}
            name={hoursStrings.days[day]}
            fields={fields.days[day]}
            wrong={wrong.stretches[day] ?? []}
            onChange={(next) => setFields({ ...fields, days: { ...fields.days, [day]: next } })}
          />
        ))}
      </div>
      {wrong.noDay !== undefined && (
        <div role="alert">
          <Notice tone="needs">{wrong.noDay}</Notice>
        </div>
      )}
      <Limits fields={fields} wrong={wrong} onChange={setFields} />
      {save.error && <NotSaved code={save.error.code} />}
    </FormDialog>
  )
}

interface LimitsProps {
  readonly fields: HoursFields
  readonly wrong: WrongHours
  readonly onChange: (fields: HoursFields) => void
}

function Limits({ fields, wrong, onChange }: LimitsProps) {
  return (
    <div className="ui-form-pair">
      <TextField
        label={words.buffer}
        type="number"
        min="0"
        max="240"
        value={fields.buffer}
        onChange={(buffer) => onChange({ ...fields, buffer })}
        error={wrong.buffer}
      />
      <TextField
        label={words.most}
        help={words.mostHelp}
        type="number"
        min="1"
        max="50"
        value={fields.most}
        onChange={(most) => onChange({ ...fields, most })}
        error={wrong.most}
      />
    </div>
  )
}

function useHours(hours: Hours | null, onDone: () => void) {
  const toast = useToast()
  const save = useAction('schedule.setHours')
  const [fields, setFields] = useState(() => fieldsOf(hours))
  const [isChecked, setChecked] = useState(false)
  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    flushSync(() => setChecked(true))
    focusFirstWrong(event.currentTarget)
    const next = hoursOf(fields, Intl.DateTimeFormat().resolvedOptions().timeZone)
    if (next === null || save.isPending) return
    const told = await save.mutateAsync(next).catch(() => null)
    if (told === null) return
    takeWorkingTime(told)
    toast({ text: words.saved })
    onDone()
  }
  return { fields, setFields, wrong: isChecked ? checkHours(fields) : nothingWrong, submit, save }
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
      <Checkbox isSelected={isOn} onChange={(next) => onChange({ ...fields, isOn: next })}>
        {name}
      </Checkbox>
      {!isOn && <p className="caption hours-day-off">{words.off}</p>}
      {isOn && (
        <div className="hours-stretches">
          {stretches.map((stretch, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two stretches may be equal, and they never change places
            <div key={index} className="hours-stretch">
              <StretchPair
                day={name}
                number={index + 1}
                stretch={stretch}
                wrong={wrong[index] ?? {}}
                onChange={(next) => change(stretches.with(index, next))}
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
                >
                  {words.add}
                </Button>
              )}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

interface StretchPairProps {
  readonly day: string
  readonly number: number
  readonly stretch: StretchFields
  readonly wrong: Partial<StretchFields>
  readonly onChange: (stretch: StretchFields) => void
}

function StretchPair({ day, number, stretch, wrong, onChange }: StretchPairProps) {
  return (
    <>
      <TimeField
        label={words.from({ day, number })}
        isLabelHidden
        value={stretch.from}
        onChange={(from) => onChange({ ...stretch, from })}
        error={wrong.from}
      />
      <span className="hours-until" aria-hidden>
        {words.until}
      </span>
      <TimeField
        label={words.to({ day, number })}
        isLabelHidden
        value={stretch.to}
        onChange={(to) => onChange({ ...stretch, to })}
        error={wrong.to}
      />
    </>
  )
}

interface NotSavedProps {
  readonly code: ErrorCode
  readonly text?: string
}

/** Working hours don't go through the outbox, so the usual offline message ("sent later") would be wrong. */
export function NotSaved({ code, text }: NotSavedProps) {
  if (code !== 'service-unreachable') return <Problem code={code} />
  const { title, text: usualText } = hoursStrings.notSaved
  return (
    <div role="alert">
      <Notice tone="needs" icon={CloudOff} title={text === undefined ? title : undefined}>
        {text ?? usualText}
      </Notice>
    </div>
  )
}

/** Focusing the first invalid field scrolls its error into view. */
export function focusFirstWrong(form: HTMLFormElement): void {
  form.querySelector<HTMLElement>('.ui-field[data-invalid] :is(input, [role="spinbutton"])')?.focus()
}

export function takeWorkingTime(told: WorkingTime): void {
  queryClient.setQueryData(['schedule.workingTime', {}], told)
}
