import { useState, type FormEvent } from 'react'
import { flushSync } from 'react-dom'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { isOff } from '#renderer/sessions/session-status.ts'
import { hoursStrings } from '#renderer/strings/week.ts'
import { Checkbox } from '#renderer/ui/choice.tsx'
import { DateField, TimeField } from '#renderer/ui/date-field.tsx'
import { FormDialog } from '#renderer/ui/dialog.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { NotSaved, focusFirstWrong, takeWorkingTime } from './working-hours-dialog.tsx'
import {
  awayWhen,
  checkTimeOff,
  newTimeOff,
  stretchOf,
  type TimeOffFields,
  timeOffOf,
  type WrongTimeOff,
} from './working-hours-form.ts'

const words = hoursStrings.off

export function TimeOffDialog({ onClose }: { readonly onClose: () => void }) {
  const { fields, setFields, wrong, submit, save } = useTimeOff(onClose)
  return (
    <FormDialog
      title={words.title}
      onClose={onClose}
      isDismissable={false}
      cancel={words.cancel}
      submit={words.save}
      busy={save.isPending ? words.saving : undefined}
      onSubmit={submit}
    >
      <TextField
        label={words.note}
        help={words.noteHelp}
        value={fields.note}
        onChange={(note) => setFields({ ...fields, note })}
        maxLength={200}
        autoFocus
      />
      <Checkbox isSelected={fields.isWholeDays} onChange={(isWholeDays) => setFields({ ...fields, isWholeDays })}>
        {words.wholeDays}
      </Checkbox>
      <FromAndTo fields={fields} wrong={wrong} onChange={setFields} />
      <Booked fields={fields} />
      {save.error && <NotSaved code={save.error.code} />}
    </FormDialog>
  )
}

interface FromAndToProps {
  readonly fields: TimeOffFields
  readonly wrong: WrongTimeOff
  readonly onChange: (fields: TimeOffFields) => void
}

function FromAndTo({ fields, wrong, onChange }: FromAndToProps) {
  const { isWholeDays, firstDay, fromTime, lastDay, toTime } = fields
  const setFirstDay = (next: string): void => {
    onChange({ ...fields, firstDay: next, lastDay: lastDay === firstDay && next !== '' ? next : lastDay })
  }
  const setLastDay = (next: string): void => onChange({ ...fields, lastDay: next })
  const setFromTime = (next: string): void => onChange({ ...fields, fromTime: next })
  const setToTime = (next: string): void => onChange({ ...fields, toTime: next })
  return (
    <>
      <div className="ui-form-pair">
        <DateField
          label={isWholeDays ? words.first : words.fromDay}
          value={firstDay}
          onChange={setFirstDay}
          error={wrong.firstDay}
        />
        {isWholeDays ? (
          <DateField label={words.last} value={lastDay} onChange={setLastDay} error={wrong.lastDay} />
        ) : (
          <TimeField label={words.fromTime} value={fromTime} onChange={setFromTime} error={wrong.fromTime} />
        )}
      </div>
      {!isWholeDays && (
        <div className="ui-form-pair">
          <DateField label={words.toDay} value={lastDay} onChange={setLastDay} error={wrong.lastDay} />
          <TimeField label={words.toTime} value={toTime} onChange={setToTime} error={wrong.toTime} />
        </div>
      )}
    </>
  )
}

function Booked({ fields }: { readonly fields: TimeOffFields }) {
  const stretch = stretchOf(fields)
  const isWhole = stretch !== null && stretch.from < stretch.to
  const dayBefore = isWhole ? new Date(stretch.from.getTime() - 24 * 60 * 60 * 1000) : new Date(0)
  const { data } = useCall(
    'sessions.list',
    { from: dayBefore.toISOString(), to: (isWhole ? stretch.to : dayBefore).toISOString() },
    { enabled: isWhole, keepPrevious: true },
  )
  const count = isWhole
    ? (data ?? []).filter(
        (row) => !isOff(row) && new Date(row.session.ends_at) > stretch.from && new Date(row.session.starts_at) < stretch.to,
      ).length
    : 0
  return (
    <div role="status">
      {count > 0 && (
        <Notice tone="needs" title={words.booked({ count })}>
          {words.bookedText}
        </Notice>
      )}
    </div>
  )
}

function useTimeOff(onDone: () => void) {
  const toast = useToast()
  const save = useAction('schedule.addTimeOff')
  const [fields, setFields] = useState(() => newTimeOff(new Date()))
  const [isChecked, setChecked] = useState(false)
  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    flushSync(() => setChecked(true))
    focusFirstWrong(event.currentTarget)
    const off = timeOffOf(fields, new Date(), Intl.DateTimeFormat().resolvedOptions().timeZone)
    if (off === null || save.isPending) return
    const told = await save.mutateAsync(off).catch(() => null)
    if (told === null) return
    takeWorkingTime(told)
    toast({ text: words.saved({ when: awayWhen(off) }) })
    onDone()
  }
  return { fields, setFields, wrong: isChecked ? checkTimeOff(fields, new Date()) : {}, submit, save }
}
