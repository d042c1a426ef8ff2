import { CalendarOff, Clock, CloudOff } from 'lucide-react'
import { useRef, useState } from 'react'
import type { WorkingTime } from '#contract/bridge/schedule.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { useCall, useAction } from '#renderer/bridge/use-bridge.ts'
import { fieldStrings } from '#renderer/strings/app.ts'
import { hoursStrings } from '#renderer/strings/week.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Loading, Notice, Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { Group } from './setting.tsx'
import { TimeOffDialog } from './time-off-dialog.tsx'
import { WorkingHoursDialog, NotSaved, takeWorkingTime } from './working-hours-dialog.tsx'
import { type Hours, hoursIn, weekInWords, awayToCome, type Away, awayWhen } from './working-hours-form.ts'
import './working-hours.css'

const words = hoursStrings

export function WorkingHoursGroup() {
  const { data, error, isPending, isFetching, refetch } = useCall('schedule.workingTime', {})
  const isUnreachable = error?.code === 'service-unreachable' || data?.is_current === false
  return (
    <Group title={words.group}>
      {isPending && <Loading>{words.loading}</Loading>}
      {error && !isUnreachable && <Problem code={error.code} onRetry={() => void refetch()} />}
      {isUnreachable && <Unreachable isKnown={data !== undefined} isTrying={isFetching} onRetry={() => void refetch()} />}
      {data && <WorkingTimeRows told={data} isOff={isUnreachable} />}
    </Group>
  )
}

interface UnreachableProps {
  readonly isKnown: boolean
  readonly isTrying: boolean
  readonly onRetry: () => void
}

/** Has the role `status` instead of `alert`, because being offline is not an error. */
function Unreachable({ isKnown, isTrying, onRetry }: UnreachableProps) {
  const { title, last, unknown, works } = words.unreachable
  return (
    <div className="hours-unreachable" role="status">
      <Notice
        icon={CloudOff}
        title={title}
        actions={
          <Button size="row" busy={isTrying ? fieldStrings.loading : undefined} onPress={onRetry}>
            {fieldStrings.tryAgain}
          </Button>
        }
      >
        {isKnown ? last : unknown} {works}
      </Notice>
    </div>
  )
}

interface RowsProps {
  readonly told: WorkingTime
  readonly isOff: boolean
}

function WorkingTimeRows({ told, isOff }: RowsProps) {
  const now = useNow(60_000)
  const [opened, setOpened] = useState<'hours' | 'time off' | null>(null)
  const label = useRef<HTMLParagraphElement>(null)
  const hours = hoursIn(told)
  const away = awayToCome(told, now)
  const close = (): void => setOpened(null)
  const reason = words.unreachable.reason
  return (
    <>
      <div className="setting hours-setting">
        <div className="setting-words">
          <p className="setting-label">{words.label}</p>
          <HoursInWords hours={hours} />
          <p className="caption">{words.keeps}</p>
        </div>
        <Button icon={Clock} isDisabled={isOff} reason={reason} onPress={() => setOpened('hours')}>
          {hours === null ? words.set : words.change}
        </Button>
      </div>
      <div className="setting hours-setting">
        <div className="setting-words">
          <p ref={label} tabIndex={-1} className="setting-label">
            {words.off.label}
          </p>
          {away.length === 0 && <p className="setting-text">{words.off.none}</p>}
        </div>
        <Button icon={CalendarOff} isDisabled={isOff} reason={reason} onPress={() => setOpened('time off')}>
          {words.off.add}
        </Button>
        <TimeOffList away={away} isOff={isOff} onRemoved={() => label.current?.focus()} />
      </div>
      {opened === 'hours' && <WorkingHoursDialog hours={hours} onClose={close} />}
      {opened === 'time off' && <TimeOffDialog onClose={close} />}
    </>
  )
}

function HoursInWords({ hours }: { readonly hours: Hours | null }) {
  if (hours === null) return <p className="setting-text">{words.none}</p>
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <>
      {weekInWords(hours).map((run) => (
        <p key={run} className="setting-text hours-run">
          {run}
        </p>
      ))}
      <p className="setting-text">{words.limits({ most: hours.most_per_day, buffer: hours.buffer_after })}</p>
      {hours.time_zone !== here && <p className="setting-text">{words.otherClock({ zone: hours.time_zone })}</p>}
    </>
  )
}

const timeOffWords = hoursStrings.off

interface TimeOffListProps {
  readonly away: readonly Away[]
  readonly isOff: boolean
  /** Called when the focused button was removed, so that the parent can move the focus. */
  readonly onRemoved: () => void
}

function TimeOffList({ away, isOff, onRemoved }: TimeOffListProps) {
  const { remove, putBack, takeAway } = useRemoving(onRemoved)
  return (
    <>
      {away.length > 0 && (
        <ul className="hours-away" aria-label={timeOffWords.list}>
          {away.map((one) => {
            const isRemoving = remove.isPending && remove.variables.id === one.id
            return (
              <AwayRow
                key={one.id}
                one={one}
                busy={isRemoving ? timeOffWords.removing : undefined}
                isOff={isOff || (remove.isPending && !isRemoving)}
                onRemove={() => void takeAway(one)}
              />
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
  const remove = useAction('schedule.removeTimeOff')
  const putBack = useAction('schedule.addTimeOff')
  const take = async (change: Promise<WorkingTime>): Promise<boolean> => {
    const told = await change.catch(() => null)
    if (told !== null) takeWorkingTime(told)
    return told !== null
  }
  async function takeAway({ id, time_zone, from, to, note }: Away): Promise<void> {
    if (remove.isPending) return
    putBack.reset()
    if (!(await take(remove.mutateAsync({ id })))) return
    onRemoved()
    toast({ text: timeOffWords.removed, onUndo: () => void take(putBack.mutateAsync({ time_zone, from, to, note })) })
  }
  return { remove, putBack, takeAway }
}

interface AwayRowProps {
  readonly one: Away
  readonly busy: string | undefined
  readonly isOff: boolean
  readonly onRemove: () => void
}

function AwayRow({ one, busy, isOff, onRemove }: AwayRowProps) {
  const isClosure = one.kind !== 'time_off'
  const name = one.note ?? (isClosure ? timeOffWords.closed : timeOffWords.nameless)
  const when = awayWhen(one)
  return (
    <li className="hours-away-row">
      <p className="setting-text">
        <strong>{name}</strong> {when}
      </p>
      {isClosure ? (
        <span className="caption">{timeOffWords.closedText}</span>
      ) : (
        <Button
          size="row"
          busy={busy}
          isDisabled={isOff}
          aria-label={timeOffWords.removeNamed({ name, when })}
          onPress={onRemove}
        >
          {timeOffWords.remove}
        </Button>
      )}
    </li>
  )
}
