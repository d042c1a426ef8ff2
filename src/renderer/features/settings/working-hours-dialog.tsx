import { useState, type FormEvent } from 'react'
import { flushSync } from 'react-dom'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { hoursStrings } from '#renderer/strings/working-hours.ts'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { focusFirstWrong } from './focus-first-wrong.ts'
import { NotSaved } from './not-saved.tsx'
import { takeWorkingTime } from './take-working-time.ts'
import { WeekdayFieldset } from './weekday-fieldset.tsx'
import { checkHours, fieldsOf, type Hours, type HoursFields, hoursOf, type WrongHours, weekdays } from './working-hours-form.ts'

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
