import { CalendarOff, Clock, CloudOff } from 'lucide-react'
import { useRef, useState } from 'react'
import type { WorkingTime } from '#contract/bridge/schedule.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { fieldStrings } from '#renderer/strings/field.ts'
import { hoursStrings } from '#renderer/strings/working-hours.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Loading, Notice, Problem } from '#renderer/ui/page.tsx'
import { Group } from './setting.tsx'
import { TimeOffDialog } from './time-off-dialog.tsx'
import { awayToCome } from './time-off-form.ts'
import { TimeOffList } from './time-off-list.tsx'
import { WorkingHoursDialog } from './working-hours-dialog.tsx'
import { type Hours, hoursIn, weekInWords } from './working-hours-form.ts'
import './working-hours.css'

const words = hoursStrings

/** When the therapist works and when they are away; the scheduler keeps to both. */
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

/** A state, not an error: what is shown, what waits, what goes on. */
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
  /** Nothing can be changed for now. */
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
      <p className="setting-text">{words.limits(hours.most_per_day, hours.buffer_after)}</p>
      {hours.time_zone !== here && <p className="setting-text">{words.otherClock(hours.time_zone)}</p>}
    </>
  )
}
