import { RefreshCw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { OutboxItem, OutboxStatus } from '#contract/bridge/library.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { outboxLead, outboxStrings } from '#renderer/strings/outbox.ts'
import { phaseStrings } from '#renderer/strings/sync-phase.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Empty, Loading, Page, Problem } from '#renderer/ui/page.tsx'
import { formatDayTime } from '#renderer/strings/time.ts'
import { FromThere } from './from-there.tsx'
import { KeptHere } from './kept-here.tsx'
import { OutboxLine } from './outbox-line.tsx'
import { SentToday } from './sent-today.tsx'
import { DayQuota, PauseButton, SyncPhase } from './sync-phase.tsx'
import './outbox.css'

/** More than that is counted, not read. */
const mostShown = 200
/** As many as are taken in at a glance. */
const mostAtOnce = 8

interface OutboxProps {
  /** Comes first. */
  readonly toDecide: ReactNode
  /** Comes last. */
  readonly decided: ReactNode
}

/** What waits, and why, in words; at its side what is done with. */
export function OutboxPage({ toDecide, decided }: OutboxProps) {
  const list = useCall('outbox.list', { limit: mostShown })
  const status = useCall('outbox.status', {}).data
  const wasDecided = (useCall('conflicts.list', { decided: true }).data ?? []).length > 0
  const now = useNow(60_000)
  // What is to be decided between stands above, side by side.
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
        <KeptHere />
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
  /** Of the same, but not among them. */
  readonly unlisted: number
  /** Whether it makes a difference what goes first. */
  readonly mayChoose: boolean
  readonly mayTry: boolean
}

/** After weeks there are hundreds: the first of them are read, the rest when somebody wants to. */
function OutboxGroup({ title, items, unlisted, mayChoose, mayTry }: OutboxGroupProps) {
  const first = useAction('outbox.first')
  const retry = useAction('outbox.retryOne')
  const [isWhole, setWhole] = useState(false)
  if (items.length === 0) return null
  const isLong = items.length > mostAtOnce + 2
  const shown = isLong && !isWhole ? items.slice(0, mostAtOnce) : items
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
      {unlisted > 0 && (isWhole || !isLong) && <p className="caption">{outboxStrings.more(unlisted)}</p>}
    </section>
  )
}
