import { RefreshCw, Check } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { OutboxItem, OutboxStatus } from '#contract/bridge/library.ts'
import { useNow, midnight } from '#renderer/lib/use-now.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { outboxLead, outboxStrings, phaseStrings, sentOutcome, sentStrings, sentWhat } from '#renderer/strings/outbox.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Empty, Loading, Page, Problem } from '#renderer/ui/page.tsx'
import { formatDayTime, formatClock } from '#renderer/strings/time.ts'
import { keptSentence, offersSentence, offersStrings, broughtSentence, unlistedSentence } from '#renderer/strings/practice.ts'
import { useName } from '#renderer/lib/names.ts'
import { OutboxLine, DayQuota, PauseButton, SyncPhase } from './outbox-line.tsx'
import './outbox.css'

/** The number of items to fetch. The rest are only counted. */
const MAX_SHOWN = 200
const MAX_AT_ONCE = 8

interface OutboxProps {
  readonly toDecide: ReactNode
  readonly decided: ReactNode
}

export function OutboxPage({ toDecide, decided }: OutboxProps) {
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
      className="outbox-page"
      title={outboxStrings.title}
      lead={status && outboxLead(status, since)}
      actions={status && <Actions status={status} />}
      asideLabel={outboxStrings.side}
      aside={status && (status.service === 'remote' || wasDecided) ? <Side status={status} decided={decided} /> : null}
    >
      <div className="outbox">
        {status && <SyncPhase status={status} />}
        {list.isPending && <Loading />}
        {list.error && <Problem code={list.error.code} onRetry={() => void list.refetch()} />}
        {list.data?.length === 0 && status?.conflicts === 0 && (
          <Empty title={outboxStrings.empty.title}>
            {status.service === 'remote' ? outboxStrings.empty.remote : outboxStrings.empty.embedded}
          </Empty>
        )}
        {status && <Groups items={items} status={status} toDecide={toDecide} unshown={unshown} />}
        <LocalOnly />
        <FromThere />
      </div>
    </Page>
  )
}

function Side({ status, decided }: { readonly status: OutboxStatus; readonly decided: ReactNode }) {
  return (
    <div className="outbox-side">
      {status.service === 'remote' && <SentToday />}
      <DayQuota status={status} />
      {decided}
    </div>
  )
}

function Actions({ status }: { readonly status: OutboxStatus }) {
  const retry = useAction('outbox.retry')
  const isPaused = status.phase === 'paused'
  return (
    <>
      <PauseButton status={status} />
      {status.waiting + status.needs_you > 0 && !isPaused && (
        <Button icon={RefreshCw} busy={retry.isPending ? outboxStrings.retrying : undefined} onPress={() => retry.mutate({})}>
          {outboxStrings.retry}
        </Button>
      )}
    </>
  )
}

interface GroupsProps {
  readonly items: readonly OutboxItem[]
  readonly status: OutboxStatus
  readonly toDecide: ReactNode
  readonly unshown: number
}

function Groups({ items, status, toDecide, unshown }: GroupsProps) {
  const isRemote = status.service === 'remote'
  const titles = { ...outboxStrings.groups, ...(isRemote ? { waiting: phaseStrings.waiting[status.phase] } : {}) }
  const group = (state: OutboxItem['state'], unlisted = 0) => (
    <OutboxGroup
      title={titles[state]}
      items={items.filter((item) => item.state === state)}
      unlisted={unlisted}
      mayChoose={isRemote && status.waiting > 1}
      mayTry={status.phase !== 'paused'}
    />
  )
  return (
    <>
      {toDecide}
      {group('needs_you')}
      {group('sending')}
      {group('waiting', unshown)}
    </>
  )
}

interface OutboxGroupProps {
  readonly title: string
  readonly items: readonly OutboxItem[]
  readonly unlisted: number
  readonly mayChoose: boolean
  readonly mayTry: boolean
}

function OutboxGroup({ title, items, unlisted, mayChoose, mayTry }: OutboxGroupProps) {
  const first = useAction('outbox.first')
  const retry = useAction('outbox.retryOne')
  const [isWhole, setWhole] = useState(false)
  if (items.length === 0) return null
  const isLong = items.length > MAX_AT_ONCE + 2
  const shown = isLong && !isWhole ? items.slice(0, MAX_AT_ONCE) : items
  const total = items.length + Math.max(0, unlisted)
  return (
    <section className="outbox-group">
      <h2 className="ui-section-head">
        {title}
        {total > 1 && <span className="caption">{total}</span>}
      </h2>
      <ul className="ui-rows">
        {shown.map((item) => (
          <OutboxLine
            key={item.id}
            item={item}
            onFirst={mayChoose ? () => first.mutate({ id: item.id }) : null}
            onRetry={mayTry ? () => retry.mutate({ id: item.id }) : null}
          />
        ))}
      </ul>
      {isLong && (
        <p className="outbox-more">
          <Button size="row" aria-expanded={isWhole} onPress={() => setWhole(!isWhole)}>
            {isWhole ? outboxStrings.fewer : outboxStrings.showMore}
          </Button>
        </p>
      )}
      {unlisted > 0 && (isWhole || !isLong) && <p className="caption">{outboxStrings.more({ count: unlisted })}</p>}
    </section>
  )
}

function LocalOnly() {
  const offers = useCall('service.offers', {}).data
  const kept = offers === undefined ? null : keptSentence(offers)
  if (offers === undefined || kept === null) return null
  return (
    <section className="outbox-group">
      <h2 className="ui-section-head">{offersStrings.localOnly}</h2>
      <p>{kept}</p>
      <p className="muted">{offersSentence(offers)}</p>
    </section>
  )
}

function FromThere() {
  const offers = useCall('service.offers', {}).data
  const sentences = offers === undefined ? [] : [broughtSentence(offers), unlistedSentence(offers)].filter((one) => one !== null)
  if (sentences.length === 0) return null
  return (
    <section className="outbox-group">
      <h2 className="ui-section-head">{offersStrings.fromThere}</h2>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </section>
  )
}

const SENT_TODAY_MOST_SHOWN = 12

function SentToday() {
  const nameOf = useName()
  const now = useNow(60_000)
  const sent = useCall('outbox.sentToday', { limit: SENT_TODAY_MOST_SHOWN }).data
  if (sent === undefined) return null
  // Items come newest first. If a fetched item is from before today, so are all items that were not fetched.
  const items = sent.items.filter(({ sent_at }) => new Date(sent_at) >= midnight(now))
  const more = items.length < sent.items.length ? 0 : sent.total - items.length
  return (
    <section className="outbox-group">
      <h2 className="ui-section-head">{sentStrings.title}</h2>
      {items.length + more === 0 && <p className="muted">{sentStrings.nothing}</p>}
      <ul>
        {items.map((item) => (
          <li key={item.id} className="sent-line">
            <Check aria-hidden />
            <span>
              <span className="outbox-what">{sentWhat(item, item.client_name === null ? null : nameOf(item.client_name))}</span>
              <span className="caption">{sentOutcome(item, formatClock(item.sent_at))}</span>
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="caption">{sentStrings.more({ count: more })}</p>}
    </section>
  )
}
