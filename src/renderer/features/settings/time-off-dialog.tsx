import { useCall } from '#renderer/bridge/use-bridge.ts'
import { isOff } from '#renderer/sessions/session-status.ts'
import { hoursStrings } from '#renderer/strings/week.ts'
import { Checkbox } from '#renderer/ui/choice.tsx'
import { DateField, TimeField } from '#renderer/ui/date-field.tsx'
import { FormDialog } from '#renderer/ui/dialog.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/page.tsx'
import { NotSaved, useWorkingTimeForm } from './working-hours-dialog.tsx'
import { awayWhen, checkTimeOff, here, newTimeOff, stretchOf, type TimeOffFields, timeOffOf } from './working-hours-form.ts'

const words = hoursStrings.off

export function TimeOffDialog({ onClose }: { readonly onClose: () => void }) {
  const { fields, set, isChecked, busy, error, submit } = useWorkingTimeForm(
    'schedule.addTimeOff',
    () => newTimeOff(new Date()),
    (typed) => timeOffOf(typed, new Date(), here()),
    (off) => words.saved(awayWhen(off)),
    onClose,
  )
  const wrong = isChecked ? checkTimeOff(fields, new Date()) : {}
  const bind = (name: 'firstDay' | 'fromTime' | 'lastDay' | 'toTime') => ({
    value: fields[name],
    onChange: (next: string) => set({ [name]: next }),
    error: wrong[name],
  })
  const { isWholeDays, firstDay, lastDay } = fields
  const setFirstDay = (next: string): void =>
    set({ firstDay: next, lastDay: lastDay === firstDay && next !== '' ? next : lastDay })
  return (
    <FormDialog
      title={words.title}
      onClose={onClose}
      isDismissable={false}
      cancel={words.cancel}
      submit={words.save}
      busy={busy ? words.saving : undefined}
      onSubmit={submit}
    >
      <TextField
        label={words.note}
        help={words.noteHelp}
        value={fields.note}
        onChange={(note) => set({ note })}
        maxLength={200}
        autoFocus
      />
      <Checkbox isSelected={isWholeDays} onChange={(next) => set({ isWholeDays: next })}>
        {words.wholeDays}
      </Checkbox>
      <div className="ui-form-pair">
        <DateField {...bind('firstDay')} label={isWholeDays ? words.first : words.fromDay} onChange={setFirstDay} />
        {isWholeDays && <DateField {...bind('lastDay')} label={words.last} />}
        {!isWholeDays && <TimeField {...bind('fromTime')} label={words.fromTime} />}
      </div>
      {!isWholeDays && (
        <div className="ui-form-pair">
          <DateField {...bind('lastDay')} label={words.toDay} />
          <TimeField {...bind('toTime')} label={words.toTime} />
        </div>
      )}
      <Booked fields={fields} />
      {error && <NotSaved code={error.code} />}
    </FormDialog>
  )
}

function Booked({ fields }: { readonly fields: TimeOffFields }) {
  const stretch = stretchOf(fields)
  const isWhole = stretch !== null && stretch.from < stretch.to
  const { from, to } = isWhole ? stretch : { from: new Date(0), to: new Date(0) }
  // From a day before, because a session may begin before the stretch.
  const dayBefore = new Date(from.getTime() - 24 * 60 * 60 * 1000)
  const { data = [] } = useCall(
    'sessions.list',
    { from: dayBefore.toISOString(), to: to.toISOString() },
    { enabled: isWhole, keepPrevious: true },
  )
  const booked = data.filter(
    (row) => isWhole && !isOff(row) && new Date(row.session.ends_at) > from && new Date(row.session.starts_at) < to,
  )
  return (
    <div role="status">
      {booked.length > 0 && (
        <Notice tone="needs" title={words.booked(booked.length)}>
          {words.bookedText}
        </Notice>
      )}
    </div>
  )
}
