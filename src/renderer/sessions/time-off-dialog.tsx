import { useCall } from '#renderer/bridge/use-bridge.ts'
import { hoursStrings } from '#renderer/strings/calendar.ts'
import { Checkbox } from '#renderer/ui/choice.tsx'
import { FormDialog } from '#renderer/ui/dialog.tsx'
import { DateField, TimeField } from '#renderer/ui/date-field.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/page.tsx'
import { isOff as isCancelled } from './session-status.ts'
import { NotSaved, useWorkingTimeForm } from './working-hours-dialog.tsx'
import { awayWhen, checkTimeOff, here, newTimeOff, stretchOf, type TimeOffFields, timeOffOf } from './working-hours-form.ts'

const { off } = hoursStrings

export function TimeOffDialog({ onClose }: { readonly onClose: () => void }) {
  const { fields, set, isChecked, busy, error, submit } = useWorkingTimeForm(
    'schedule.addTimeOff',
    () => newTimeOff(new Date()),
    (typed) => timeOffOf(typed, new Date(), here()),
    (input) => off.saved({ when: awayWhen(input) }),
    onClose,
  )
  const wrong = isChecked ? checkTimeOff(fields, new Date()) : {}
  const bind = (name: 'firstDay' | 'fromTime' | 'lastDay' | 'toTime' | 'note') => ({
    value: fields[name],
    onChange: (next: string) => set({ [name]: next }),
    error: wrong[name],
  })
  const { isWholeDays, firstDay, lastDay } = fields
  const setFirstDay = (next: string): void =>
    set({ firstDay: next, lastDay: lastDay === firstDay && next !== '' ? next : lastDay })
  return (
    <FormDialog
      title={off.title}
      onClose={onClose}
      isDismissable={false}
      cancel={off.cancel}
      submit={off.save}
      busy={busy && off.saving}
      onSubmit={submit}
    >
      <TextField {...bind('note')} label={off.note} help={off.noteHelp} maxLength={200} autoFocus />
      <Checkbox isSelected={isWholeDays} onChange={(next) => set({ isWholeDays: next })} label={off.wholeDays} />
      <div className="ui-form-pair">
        <DateField {...bind('firstDay')} label={isWholeDays ? off.first : off.fromDay} onChange={setFirstDay} />
        {isWholeDays && <DateField {...bind('lastDay')} label={off.last} />}
        {!isWholeDays && <TimeField {...bind('fromTime')} label={off.fromTime} />}
      </div>
      {!isWholeDays && (
        <div className="ui-form-pair">
          <DateField {...bind('lastDay')} label={off.toDay} />
          <TimeField {...bind('toTime')} label={off.toTime} />
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
  // Start one day earlier, because a session may begin before the time range.
  const dayBefore = new Date(from.getTime() - 24 * 60 * 60 * 1000)
  const { data = [] } = useCall(
    'sessions.list',
    { from: dayBefore.toISOString(), to: to.toISOString() },
    { enabled: isWhole, keepPrevious: true },
  )
  const booked = data.filter(
    (row) => isWhole && !isCancelled(row) && new Date(row.session.ends_at) > from && new Date(row.session.starts_at) < to,
  )
  return (
    <div role="status">
      {booked.length > 0 && <Notice tone="needs" title={off.booked({ count: booked.length })} text={off.bookedText} />}
    </div>
  )
}
