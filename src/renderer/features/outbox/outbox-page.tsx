import { AudioLines, Clock, PencilLine, RefreshCw, UserRound, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { isErrorCode } from '#contract/errors.ts'
import type { OutboxItem } from '#contract/bridge/library.ts'
import { useName } from '#renderer/app/names.ts'
import { useNow } from '#renderer/app/use-now.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { errorSentences } from '#renderer/strings/errors.ts'
import { outboxKind, outboxLead, outboxStrings } from '#renderer/strings/outbox.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Empty, Loading, Page, Problem } from '#renderer/ui/page.tsx'
import { formatDayTime } from '#renderer/ui/time.ts'
import { KeptHere } from './kept-here.tsx'
import './outbox.css'

const groups = ['needs_you', 'sending', 'waiting'] as const

/** What waits, and why, in words. */
export function OutboxPage({ toDecide }: { readonly toDecide: ReactNode }) {
  const list = useCall('outbox.list', {})
  const status = useCall('outbox.status', {}).data
  const retry = useAction('outbox.retry')
  const items = list.data ?? []
  return (
    <Page
      title={outboxStrings.title}
      lead={status && outboxLead(status)}
      actions={
        items.length > 0 && (
          <Button icon={RefreshCw} busy={retry.isPending ? outboxStrings.retrying : undefined} onPress={() => retry.mutate({})}>
            {outboxStrings.retry}
          </Button>
        )
      }
    >
      <div className="outbox">
        {list.isPending && <Loading />}
        {(list.error ?? retry.error) && (
          <Problem code={(list.error ?? retry.error)?.code ?? null} onRetry={() => void list.refetch()} />
        )}
        {list.data?.length === 0 && (
          <Empty title={outboxStrings.empty.title}>
            {status?.service === 'remote' ? outboxStrings.empty.remote : outboxStrings.empty.embedded}
          </Empty>
        )}
        {toDecide}
        {groups.map((state) => (
          <OutboxGroup key={state} title={outboxStrings.groups[state]} items={items.filter((item) => item.state === state)} />
        ))}
        <KeptHere />
      </div>
    </Page>
  )
}

function OutboxGroup({ title, items }: { readonly title: string; readonly items: readonly OutboxItem[] }) {
  if (items.length === 0) return null
  return (
    <section className="outbox-group">
      <h2 className="ui-section-head">{title}</h2>
      <ul className="ui-rows">
        {items.map((item) => (
          <OutboxLine key={item.id} item={item} />
        ))}
      </ul>
    </section>
  )
}

function OutboxLine({ item }: { readonly item: OutboxItem }) {
  const nameOf = useName()
  const now = useNow(60_000)
  const Icon = iconOf(item)
  const what = outboxKind(item)
  return (
    <li className="outbox-line" data-needs={item.state === 'needs_you' || undefined}>
      <Icon aria-hidden />
      <div>
        <p className="outbox-what">{item.client_name === null ? what : outboxStrings.withName(what, nameOf(item.client_name))}</p>
        {isErrorCode(item.error) && (
          <p className="outbox-why">
            {errorSentences[item.error].happened} {errorSentences[item.error].next}
          </p>
        )}
        <p className="caption">
          {outboxStrings.since(formatDayTime(item.created_at, now))}
          {item.attempts > 0 && `, ${outboxStrings.attempts(item.attempts)}`}
        </p>
      </div>
    </li>
  )
}

function iconOf({ kind }: OutboxItem): LucideIcon {
  if (kind === 'transcribe') return AudioLines
  if (kind.endsWith('-note') || kind === 'add-addendum' || kind === 'put-transcript') return PencilLine
  return kind.endsWith('-client') || kind.endsWith('-consent') ? UserRound : Clock
}
