import { CalendarOff, Clock, CloudOff } from 'lucide-react'
import { useRef, useState } from 'react'
import type { WorkingTime } from '#contract/bridge/schedule.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { useCall, useAction } from '#renderer/bridge/use-bridge.ts'
import { fieldStrings } from '#renderer/strings/app.ts'
import { hoursStrings } from '#renderer/strings/calendar.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Loading, Notice, Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { TimeOffDialog } from '#renderer/sessions/time-off-dialog.tsx'
import { NotSaved, takeWorkingTime, WorkingHoursDialog } from '#renderer/sessions/working-hours-dialog.tsx'
import { type Away, awayToCome, awayWhen, here, type Hours, hoursIn, weekInWords } from '#renderer/sessions/working-hours-form.ts'
import { Group, Setting } from './setting.tsx'
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
