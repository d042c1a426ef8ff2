import type { LucideIcon } from 'lucide-react'
import { AudioLines, Clock, PencilLine, UserRound, Hourglass, KeyRound, Pause, Play, WifiOff } from 'lucide-react'
import { isErrorCode } from '#contract/errors.ts'
import type { OutboxItem, OutboxStatus } from '#contract/bridge/library.ts'
import { useName } from '#renderer/lib/names.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { errorSentences } from '#renderer/strings/errors.ts'
import { syncKind, syncStrings, phaseStrings, phaseWords } from '#renderer/strings/sync.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Chip } from '#renderer/ui/chip.tsx'
import { formatClock, formatDayTime, untilClock } from '#renderer/strings/time.ts'
import { navigate, settingsPath } from '#renderer/lib/routes.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { Notice, Section } from '#renderer/ui/page.tsx'

type SyncLineProps = Readonly<{ item: OutboxItem; onFirst: (() => void) | null; onRetry: (() => void) | null }>

export function SyncLine({ item, onFirst, onRetry }: SyncLineProps) {
  const nameOf = useName()
  const Icon = iconOf(item)
  const kind = syncKind(item)
  const what = item.client_name === null ? kind : syncStrings.withName({ what: kind, name: nameOf(item.client_name) })
  return (
    <li className="sync-line" data-needs={item.state === 'needs_you' || undefined}>
      <Icon aria-hidden />
      <div className="sync-words">
        <p className="sync-what">{what}</p>
        <Why item={item} />
        {item.progress !== null && (
          <progress className="ui-progress" value={item.progress} max={1} aria-label={syncStrings.sentLabel({ what })} />
        )}
        <Facts item={item} />
      </div>
      {item.first && item.state === 'waiting' && <Chip>{syncStrings.isFirst}</Chip>}
      <LineAction item={item} what={what} onFirst={onFirst} onRetry={onRetry} />
    </li>
  )
}

function Why({ item }: { readonly item: OutboxItem }) {
  if (item.waits_for.length > 0) {
    const needed = item.waits_for.map((need) => syncStrings.needed({ what: syncKind(need), needsYou: need.needs_you }))
    return <p className="sync-why">{syncStrings.waitsFor({ what: needed.join(', ') })}</p>
  }
  if (!isErrorCode(item.error) || (item.state === 'waiting' && item.next_attempt_at === null)) return null
  const { happened, next } = errorSentences[item.error]
  return <p className="sync-why">{item.state === 'needs_you' ? `${happened} ${next}` : happened}</p>
}

function Facts({ item }: { readonly item: OutboxItem }) {
  const now = useNow(60_000)
  const facts = [
    syncStrings.since({ when: formatDayTime(item.created_at, now) }),
    item.attempts > 0 && syncStrings.attempts({ count: item.attempts }),
    item.progress !== null && syncStrings.sent(item.progress),
    item.next_attempt_at !== null && syncStrings.nextTry({ when: formatClock(item.next_attempt_at) }),
  ]
  return <p className="caption">{facts.filter(Boolean).join(', ')}</p>
}

function LineAction({ item, what, onFirst, onRetry }: SyncLineProps & { readonly what: string }) {
  const mayRetry = onRetry !== null && (item.state === 'needs_you' || item.next_attempt_at !== null)
  const mayBeFirst = item.state === 'waiting' && !item.first
  const onPress = mayRetry ? onRetry : mayBeFirst ? onFirst : null
  if (onPress === null) return null
  const label = mayRetry ? syncStrings.retryOne : syncStrings.first
  const name = syncStrings.withName({ what: label, name: what })
  return <Button size="row" variant={mayRetry ? 'outlined' : 'quiet'} onPress={onPress} aria-label={name} label={label} />
}

function iconOf({ kind }: OutboxItem): LucideIcon {
  if (kind === 'transcribe') return AudioLines
  if (kind.endsWith('-note') || kind === 'add-addendum' || kind === 'put-transcript') return PencilLine
  return kind.endsWith('-client') || kind.endsWith('-consent') ? UserRound : Clock
}

const icons: Partial<Record<OutboxStatus['phase'], LucideIcon>> = {
  offline: WifiOff,
  quota: Hourglass,
  needs_key: KeyRound,
  paused: Pause,
}

export function SyncPhase({ status }: { readonly status: OutboxStatus }) {
  const now = useNow(60_000)
  const words = status.service === 'remote' ? phaseWords(status, untilClock(status.resumes_at, now)) : null
  if (words === null) return null
  const needsKey = status.phase === 'needs_key'
  return (
    <Notice
      tone={needsKey ? 'needs' : 'neutral'}
      icon={icons[status.phase] ?? Clock}
      title={words.title}
      actions={
        needsKey && <Button size="row" onPress={() => navigate(settingsPath('practice'))} label={phaseStrings.openSettings} />
      }
      text={words.text}
    />
  )
}

export function PauseButton({ status }: { readonly status: OutboxStatus }) {
  const pause = useAction('outbox.pause')
  if (status.service !== 'remote') return null
  const isPaused = status.phase === 'paused'
  return (
    <Button
      variant={isPaused ? 'filled' : 'outlined'}
      icon={isPaused ? Play : Pause}
      onPress={() => pause.mutate({ paused: !isPaused })}
      label={isPaused ? phaseStrings.goOn : phaseStrings.pause}
    />
  )
}

export function DayQuota({ status }: { readonly status: OutboxStatus }) {
  if (status.quota === null) return null
  const { limit, remaining, resets_at } = status.quota
  const { title, left, leftOnly, until } = phaseStrings.quota
  return (
    <Section className="sync-group" title={title}>
      <p>
        {limit === null ? leftOnly({ remaining }) : left({ remaining, limit })}.{' '}
        {resets_at !== null && until({ when: formatClock(resets_at) })}
      </p>
      {limit !== null && limit > 0 && (
        <progress className="ui-progress sync-quota" value={remaining} max={limit} aria-label={left({ remaining, limit })} />
      )}
    </Section>
  )
}
