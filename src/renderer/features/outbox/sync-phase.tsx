import { Clock, Hourglass, KeyRound, Pause, Play, WifiOff, type LucideIcon } from 'lucide-react'
import type { OutboxStatus } from '#contract/bridge/library.ts'
import { navigate } from '#renderer/lib/navigation.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { phaseStrings, phaseWords } from '#renderer/strings/sync-phase.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/page.tsx'
import { formatClock, untilClock } from '#renderer/strings/time.ts'

const icons: Readonly<Record<OutboxStatus['phase'], LucideIcon>> = {
  saved: Clock,
  sending: Clock,
  offline: WifiOff,
  backing_off: Clock,
  quota: Hourglass,
  needs_key: KeyRound,
  paused: Pause,
}

/** Why nothing goes out to the practice, in words, and what somebody can do about it. */
export function SyncPhase({ status }: { readonly status: OutboxStatus }) {
  const now = useNow(60_000)
  const words = status.service === 'remote' ? phaseWords(status, untilClock(status.resumes_at, now)) : null
  if (words === null) return null
  const needsKey = status.phase === 'needs_key'
  return (
    <Notice
      tone={needsKey ? 'needs' : 'neutral'}
      icon={icons[status.phase]}
      title={words.title}
      actions={
        needsKey && (
          <Button size="row" onPress={() => navigate('/settings')}>
            {phaseStrings.openSettings}
          </Button>
        )
      }
    >
      {words.text}
    </Notice>
  )
}

/** Only where there is somewhere to send to. */
export function PauseButton({ status }: { readonly status: OutboxStatus }) {
  const pause = useAction('outbox.pause')
  if (status.service !== 'remote') return null
  const isPaused = status.phase === 'paused'
  return (
    <Button
      variant={isPaused ? 'filled' : 'outlined'}
      icon={isPaused ? Play : Pause}
      onPress={() => pause.mutate({ paused: !isPaused })}
    >
      {isPaused ? phaseStrings.goOn : phaseStrings.pause}
    </Button>
  )
}

/** The practice's calls of the day, where its service counts them. */
export function DayQuota({ status }: { readonly status: OutboxStatus }) {
  if (status.quota === null) return null
  const { limit, remaining, resets_at } = status.quota
  const { title, left, leftOnly, until } = phaseStrings.quota
  return (
    <section className="outbox-group">
      <h2 className="ui-section-head">{title}</h2>
      <p>
        {limit === null ? leftOnly(remaining) : left(remaining, limit)}. {resets_at !== null && until(formatClock(resets_at))}
      </p>
      {limit !== null && limit > 0 && (
        <progress className="ui-progress outbox-quota" value={remaining} max={limit} aria-label={left(remaining, limit)} />
      )}
    </section>
  )
}
