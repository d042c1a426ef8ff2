import { CalendarOff, Clock, CloudOff } from 'lucide-react'
import { useRef, useState } from 'react'
import type { WorkingTime } from '#contract/bridge/schedule.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { useCall, useAction } from '#renderer/bridge/use-bridge.ts'
import { fieldStrings } from '#renderer/strings/app.ts'
import { hoursStrings } from '#renderer/strings/week.ts'
import { Button } from '#renderer/ui/button.tsx'
import { isOff as isCancelled } from '#renderer/sessions/session-status.ts'
import { Checkbox } from '#renderer/ui/choice.tsx'
import { FormDialog } from '#renderer/ui/dialog.tsx'
import { DateField, TextField, TimeField } from '#renderer/ui/field.tsx'
import { Loading, Notice, Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { Group, Setting } from './setting.tsx'
import { WorkingHoursDialog, NotSaved, takeWorkingTime, useWorkingTimeForm } from './working-hours-dialog.tsx'
import {
  type Away,
  awayToCome,
  awayWhen,
  checkTimeOff,
  here,
  type Hours,
  hoursIn,
  newTimeOff,
  stretchOf,
  type TimeOffFields,
  timeOffOf,
  weekInWords,
} from './working-hours-form.ts'
import './working-hours.css'

const words = hoursStrings
const off = hoursStrings.off

export function WorkingHoursGroup() {
  const { data, error, isPending, isFetching, refetch } = useCall('schedule.workingTime', {})
  const isUnreachable = error?.code === 'service-unreachable' || data?.is_current === false
  const retry = (
    <Button size="row" busy={isFetching && fieldStrings.loading} onPress={() => void refetch()} label={fieldStrings.tryAgain} />
  )
  return (
    <Group title={words.group}>
      {isPending && <Loading>{words.loading}</Loading>}
      {error && !isUnreachable && <Problem code={error.code} onRetry={() => void refetch()} />}
      {isUnreachable && (
        <div className="hours-unreachable" role="status">
          <Notice icon={CloudOff} title={words.unreachable.title} actions={retry}>
            {data === undefined ? words.unreachable.unknown : words.unreachable.last} {words.unreachable.works}
          </Notice>
        </div>
      )}
      {data && <WorkingTimeRows told={data} isOff={isUnreachable} />}
    </Group>
  )
}

function WorkingTimeRows({ told, isOff }: { readonly told: WorkingTime; readonly isOff: boolean }) {
  const now = useNow(60_000)
  const [opened, setOpened] = useState<'hours' | 'time off' | null>(null)
  const label = useRef<HTMLParagraphElement>(null)
  const hours = hoursIn(told)
  const away = awayToCome(told, now)
  const close = (): void => setOpened(null)
  const state = { isDisabled: isOff, reason: words.unreachable.reason }
  return (
    <>
      <Setting label={words.label} className="hours-setting">
        <div className="setting-words">
          <p className="setting-label">{words.label}</p>
          <HoursInWords hours={hours} />
          <p className="caption">{words.keeps}</p>
        </div>
        <Button {...state} icon={Clock} onPress={() => setOpened('hours')} label={hours === null ? words.set : words.change} />
      </Setting>
      <Setting label={off.label} className="hours-setting">
        <div className="setting-words">
          <p ref={label} tabIndex={-1} className="setting-label">
            {words.off.label}
          </p>
          {away.length === 0 && <p className="setting-text">{words.off.none}</p>}
        </div>
        <Button {...state} icon={CalendarOff} onPress={() => setOpened('time off')} label={words.off.add} />
        <TimeOffList away={away} isOff={isOff} onRemoved={() => label.current?.focus()} />
      </Setting>
      {opened === 'hours' && <WorkingHoursDialog hours={hours} onClose={close} />}
      {opened === 'time off' && <TimeOffDialog onClose={close} />}
    </>
  )
}

function HoursInWords({ hours }: { readonly hours: Hours | null }) {
  if (hours === null) return <p className="setting-text">{words.none}</p>
  return (
    <>
      {weekInWords(hours).map((run) => (
        <p key={run} className="setting-text hours-run">
          {run}
        </p>
      ))}
      <p className="setting-text">{words.limits({ most: hours.most_per_day, buffer: hours.buffer_after })}</p>
      {hours.time_zone !== here() && <p className="setting-text">{words.otherClock({ zone: hours.time_zone })}</p>}
    </>
  )
}

function TimeOffList({ away, isOff, onRemoved }: Readonly<{ away: readonly Away[]; isOff: boolean; onRemoved: () => void }>) {
  const { remove, putBack, takeAway } = useRemoving(onRemoved)
  return (
    <>
      {away.length > 0 && (
        <ul className="hours-away" aria-label={off.list}>
          {away.map((one) => {
            const isRemoving = remove.isPending && remove.variables.id === one.id
            const isClosure = one.kind !== 'time_off'
            const name = one.note ?? (isClosure ? off.closed : off.nameless)
            const when = awayWhen(one)
            return (
              <li key={one.id} className="hours-away-row">
                <p className="setting-text">
                  <strong>{name}</strong> {when}
                </p>
                {isClosure ? (
                  <span className="caption">{off.closedText}</span>
                ) : (
                  <Button
                    size="row"
                    busy={isRemoving && off.removing}
                    isDisabled={isOff || (remove.isPending && !isRemoving)}
                    aria-label={off.removeNamed({ name, when })}
                    onPress={() => void takeAway(one)}
                    label={off.remove}
                  />
                )}
              </li>
            )
          })}
        </ul>
      )}
      {remove.error && <NotSaved code={remove.error.code} text={hoursStrings.notSaved.removing} />}
      {putBack.error && <NotSaved code={putBack.error.code} text={hoursStrings.notSaved.puttingBack} />}
    </>
  )
}

function useRemoving(onRemoved: () => void) {
  const toast = useToast()
  const remove = useAction('schedule.removeTimeOff', takeWorkingTime)
  const putBack = useAction('schedule.addTimeOff', takeWorkingTime)
  async function takeAway({ id, time_zone, from, to, note }: Away): Promise<void> {
    if (remove.isPending) return
    putBack.reset()
    if ((await remove.mutateAsync({ id }).catch(() => null)) === null) return
    onRemoved()
    toast({ text: off.removed, onUndo: () => putBack.mutate({ time_zone, from, to, note }) })
  }
  return { remove, putBack, takeAway }
}

function TimeOffDialog({ onClose }: { readonly onClose: () => void }) {
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
