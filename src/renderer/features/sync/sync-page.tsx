import { RefreshCw, Check } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { OutboxItem, OutboxStatus } from '#contract/bridge/library.ts'
import { useNow, midnight } from '#renderer/lib/use-now.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { syncLead, syncStrings, phaseStrings, sentOutcome, sentStrings, sentWhat } from '#renderer/strings/sync.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Answer, Empty, Page, Section } from '#renderer/ui/page.tsx'
import { formatDayTime, formatClock } from '#renderer/strings/time.ts'
import { keptSentence, offersSentence, offersStrings, broughtSentence, unlistedSentence } from '#renderer/strings/practice.ts'
import { useName } from '#renderer/lib/names.ts'
import { SyncLine, DayQuota, PauseButton, SyncPhase } from './sync-line.tsx'
import './sync.css'

const MAX_SHOWN = 200
const MAX_AT_ONCE = 8

export function SyncPage({ toDecide, decided }: { readonly toDecide: ReactNode; readonly decided: ReactNode }) {
  const list = useCall('outbox.list', { limit: MAX_SHOWN })
  const status = useCall('outbox.status', {}).data
  const wasDecided = (useCall('conflicts.list', { decided: true }).data ?? []).length > 0
  const now = useNow(60_000)
  const items = (list.data ?? []).filter(({ asked }) => !asked)
  const unshown = status === undefined ? 0 : status.waiting + status.needs_you - (list.data?.length ?? 0)
  const oldest = items.reduce<string | null>((at, { created_at }) => (at === null || created_at < at ? created_at : at), null)
  const since = oldest === null || unshown > 0 ? null : formatDayTime(oldest, now)
  return (
    <Page
      className="sync-page"
      title={syncStrings.title}
      lead={status && syncLead(status, since)}
      actions={status && <Actions status={status} />}
      asideLabel={syncStrings.side}
      aside={
        status &&
        (status.service === 'remote' || wasDecided) && (
          <div className="sync-side">
            {status.service === 'remote' && <SentToday />}
            <DayQuota status={status} />
            {decided}
          </div>
        )
      }
    >
      <div className="sync">
        {status && <SyncPhase status={status} />}
        <Answer of={list} />
        {list.data?.length === 0 && status?.conflicts === 0 && (
          <Empty title={syncStrings.empty.title}>
            {status.service === 'remote' ? syncStrings.empty.remote : syncStrings.empty.embedded}
          </Empty>
        )}
        {status && toDecide}
        {status && <Groups items={items} status={status} unshown={unshown} />}
        <Offers />
      </div>
    </Page>
  )
}

function Actions({ status }: { readonly status: OutboxStatus }) {
  const retry = useAction('outbox.retry')
  const again = (): void => retry.mutate({})
  const isPaused = status.phase === 'paused'
  return (
    <>
      <PauseButton status={status} />
      {status.waiting + status.needs_you > 0 && !isPaused && (
        <Button icon={RefreshCw} busy={retry.isPending && syncStrings.retrying} onPress={again} label={syncStrings.retry} />
      )}
    </>
  )
}

function Groups({ items, status, unshown }: Readonly<{ items: readonly OutboxItem[]; status: OutboxStatus; unshown: number }>) {
  const isRemote = status.service === 'remote'
  const titles = { ...syncStrings.groups, ...(isRemote ? { waiting: phaseStrings.waiting[status.phase] } : {}) }
  const group = (state: OutboxItem['state'], unlisted = 0) => (
    <SyncGroup
      title={titles[state]}
      items={items.filter((item) => item.state === state)}
      unlisted={unlisted}
      mayChoose={isRemote && status.waiting > 1}
      mayTry={status.phase !== 'paused'}
    />
  )
  return (
    <>
      {group('needs_you')}
      {group('sending')}
      {group('waiting', unshown)}
    </>
  )
}

interface SyncGroupProps {
  readonly title: string
  readonly items: readonly OutboxItem[]
  readonly unlisted: number
  readonly mayChoose: boolean
  readonly mayTry: boolean
}

function SyncGroup({ title, items, unlisted, mayChoose, mayTry }: SyncGroupProps) {
  const first = useAction('outbox.first')
  const retry = useAction('outbox.retryOne')
  const [isWhole, setWhole] = useState(false)
  if (items.length === 0) return null
  const isLong = items.length > MAX_AT_ONCE + 2
  const shown = isLong && !isWhole ? items.slice(0, MAX_AT_ONCE) : items
  const label = isWhole ? syncStrings.fewer : syncStrings.showMore
  const total = items.length + Math.max(0, unlisted)
  return (
    <section className="sync-group">
      <h2 className="ui-section-head">
        {title}
        {total > 1 && <span className="caption">{total}</span>}
      </h2>
      <ul className="ui-rows">
        {shown.map((item) => (
          <SyncLine
            key={item.id}
            item={item}
            onFirst={mayChoose ? () => first.mutate({ id: item.id }) : null}
            onRetry={mayTry ? () => retry.mutate({ id: item.id }) : null}
          />
        ))}
      </ul>
      {isLong && (
        <p className="sync-more">
          <Button size="row" aria-expanded={isWhole} onPress={() => setWhole(!isWhole)} label={label} />
        </p>
      )}
      {unlisted > 0 && (isWhole || !isLong) && <p className="caption">{syncStrings.more({ count: unlisted })}</p>}
    </section>
  )
}

function Offers() {
  const offers = useCall('service.offers', {}).data
  if (offers === undefined) return null
  const kept = keptSentence(offers)
  const sentences = [broughtSentence(offers), unlistedSentence(offers)].filter((one) => one !== null)
  return (
    <>
      {kept !== null && (
        <Section className="sync-group" title={offersStrings.localOnly}>
          <p>{kept}</p>
          <p className="muted">{offersSentence(offers)}</p>
        </Section>
      )}
      {sentences.length > 0 && (
        <Section className="sync-group" title={offersStrings.fromThere}>
          {sentences.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Section>
      )}
    </>
  )
}

const SENT_TODAY_MOST_SHOWN = 12

function SentToday() {
  const nameOf = useName()
  const now = useNow(60_000)
  const sent = useCall('outbox.sentToday', { limit: SENT_TODAY_MOST_SHOWN }).data
  if (sent === undefined) return null
  const items = sent.items.filter(({ sent_at }) => new Date(sent_at) >= midnight(now))
  const more = items.length < sent.items.length ? 0 : sent.total - items.length
  return (
    <Section className="sync-group" title={sentStrings.title}>
      {items.length + more === 0 && <p className="muted">{sentStrings.nothing}</p>}
      <ul>
        {items.map((item) => (
          <li key={item.id} className="sent-line">
            <Check aria-hidden />
            <span>
              <span className="sync-what">{sentWhat(item, item.client_name === null ? null : nameOf(item.client_name))}</span>
              <span className="caption">{sentOutcome(item, formatClock(item.sent_at))}</span>
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="caption">{sentStrings.more({ count: more })}</p>}
    </Section>
  )
}
