import { RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import type { OutboxItem, OutboxStatus } from '#contract/bridge/library.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { outboxLead, outboxStrings } from '#renderer/strings/outbox.ts'
import { phaseStrings } from '#renderer/strings/sync-phase.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Empty, Loading, Page, Problem } from '#renderer/ui/page.tsx'
import { KeptHere } from './kept-here.tsx'
import { OutboxLine } from './outbox-line.tsx'
import { DayQuota, PauseButton, SyncPhase } from './sync-phase.tsx'
import './outbox.css'

/** More than that is counted, not read. */
const mostShown = 200

interface OutboxProps {
  /** Comes first. */
  readonly toDecide: ReactNode
  /** Comes last. */
  readonly decided: ReactNode
}

/** What waits, and why, in words. */
export function OutboxPage({ toDecide, decided }: OutboxProps) {
  const list = useCall('outbox.list', { limit: mostShown })
  const status = useCall('outbox.status', {}).data
  // What is to be decided between stands above, side by side.
  const items = (list.data ?? []).filter(({ asked }) => !asked)
  const unshown = status === undefined ? 0 : status.waiting + status.needs_you - (list.data?.length ?? 0)
  return (
    <Page title={outboxStrings.title} lead={status && outboxLead(status)} actions={status && <Actions status={status} />}>
      <div className="outbox">
        {status && <SyncPhase status={status} />}
        {list.isPending && <Loading />}
        {list.error && <Problem code={list.error.code} onRetry={() => void list.refetch()} />}
        {list.data?.length === 0 && status?.conflicts === 0 && (
          <Empty title={outboxStrings.empty.title}>
            {status?.service === 'remote' ? outboxStrings.empty.remote : outboxStrings.empty.embedded}
          </Empty>
        )}
        {toDecide}
        {status && <Groups items={items} status={status} />}
        {unshown > 0 && items.length > 0 && <p className="caption">{outboxStrings.more(unshown)}</p>}
        {status && <DayQuota status={status} />}
        <KeptHere />
        {decided}
      </div>
    </Page>
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

function Groups({ items, status }: { readonly items: readonly OutboxItem[]; readonly status: OutboxStatus }) {
  const isRemote = status.service === 'remote'
  const titles = { ...outboxStrings.groups, ...(isRemote ? { waiting: phaseStrings.waiting[status.phase] } : {}) }
  return (['needs_you', 'sending', 'waiting'] as const).map((state) => (
    <OutboxGroup
      key={state}
      title={titles[state]}
      items={items.filter((item) => item.state === state)}
      mayChoose={isRemote && status.waiting > 1}
      mayTry={status.phase !== 'paused'}
    />
  ))
}

interface OutboxGroupProps {
  readonly title: string
  readonly items: readonly OutboxItem[]
  /** Whether it makes a difference what goes first. */
  readonly mayChoose: boolean
  readonly mayTry: boolean
}

function OutboxGroup({ title, items, mayChoose, mayTry }: OutboxGroupProps) {
  const first = useAction('outbox.first')
  const retry = useAction('outbox.retryOne')
  if (items.length === 0) return null
  return (
    <section className="outbox-group">
      <h2 className="ui-section-head">{title}</h2>
      <ul className="ui-rows">
        {items.map((item) => (
          <OutboxLine
            key={item.id}
            item={item}
            onFirst={mayChoose ? () => first.mutate({ id: item.id }) : null}
            onRetry={mayTry ? () => retry.mutate({ id: item.id }) : null}
          />
        ))}
      </ul>
    </section>
  )
}
