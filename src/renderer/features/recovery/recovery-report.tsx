import { LifeBuoy, TriangleAlert } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { RecoveryReport } from '#contract/bridge/recovery.ts'
import { lockByHand } from '#renderer/lib/lock-reason.ts'
import { useName } from '#renderer/lib/names.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { reportWords as words } from '#renderer/strings/recovery-report.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { formatFullDate } from '#renderer/strings/time.ts'
import { RecoveryGate } from './recovery-gate.tsx'
import './recovery.css'

type Item = RecoveryReport['items'][number]

/** What was and was not recovered from damaged files, shown until it was read; then the recordings that were cut off. */
export function RecoveryDialogs() {
  const { dialog, isPending } = useReportDialog()
  return (
    <>
      {dialog}
      <RecoveryGate isWaiting={isPending || dialog !== null} />
    </>
  )
}

function useReportDialog(): { readonly dialog: ReactElement | null; readonly isPending: boolean } {
  const { data: reports = [], isPending } = useCall('recovery.reports', {})
  const state = useCall('recovery.state', {}).data
  const [isPutOff, setPutOff] = useState(false)
  const [isNotedFailing, setNotedFailing] = useState(false)
  const first = reports[0]
  return { dialog: dialog(), isPending }

  function dialog(): ReactElement | null {
    if (state?.needs_repair && !isPutOff) return <DamageDialog onLater={() => setPutOff(true)} />
    if (state?.is_not_compared && !isNotedFailing) return <NotComparedDialog onClose={() => setNotedFailing(true)} />
    return first === undefined ? null : <ReportDialog key={first.id} report={first} moreCount={reports.length - 1} />
  }
}

function DamageDialog({ onLater }: { readonly onLater: () => void }) {
  return (
    <Dialog
      title={words.damaged}
      lead={words.damagedLead}
      icon={TriangleAlert}
      isOpen
      onClose={onLater}
      role="alertdialog"
      actions={
        <>
          <Button autoFocus onPress={onLater}>
            {words.later}
          </Button>
          <Button variant="filled" onPress={lockByHand}>
            {words.lock}
          </Button>
        </>
      }
    >
      <p>{words.damagedNext}</p>
      <p>{words.damagedRecording}</p>
    </Dialog>
  )
}

function NotComparedDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog
      title={words.notCompared}
      lead={words.notComparedLead}
      icon={TriangleAlert}
      isOpen
      onClose={onClose}
      role="alertdialog"
      actions={
        <Button autoFocus variant="filled" onPress={onClose}>
          {words.ok}
        </Button>
      }
    >
      <p>{words.notComparedNext}</p>
    </Dialog>
  )
}

interface ReportProps {
  readonly report: RecoveryReport
  readonly moreCount: number
}

function ReportDialog({ report, moreCount }: ReportProps) {
  const markRead = useAction('recovery.markRead')
  const { file, cause, set_aside, unreadable_pages, pages, items } = report
  const lost = items.filter((item) => !item.is_recovered)
  const recovered = items.filter((item) => item.is_recovered)
  const mayPutBack = (file === 'vault' || file === 'service') && (cause === 'missing' || lost.length > 0)
  const named = lost.filter(({ kind }) => kind !== 'list')
  const isUnlisted = named.length < lost.length
  return (
    <Dialog
      title={words.title(named.length > 0, isUnlisted)}
      lead={words.happened(report)}
      icon={LifeBuoy}
      isOpen
      onClose={() => undefined}
      isDismissable={false}
      isReading
      size="wide"
      actions={
        <Button
          variant="filled"
          busy={markRead.isPending ? words.saving : undefined}
          onPress={() => markRead.mutate({ id: report.id })}
        >
          {words.done}
        </Button>
      }
    >
      {file === 'keys' && <p>{cause === 'behind' ? words.olderKeys : words.otherKeys}</p>}
      {file === 'keys' && cause === 'behind' && <p>{words.olderKeysNext}</p>}
      {unreadable_pages > 0 && <p>{words.parts(unreadable_pages, pages)}</p>}
      {set_aside.length > 0 && <p>{words.setAside(set_aside)}</p>}
      {lost.length === 0 && <p>{words.allRecovered}</p>}
      {isUnlisted && <p>{words.unlisted}</p>}
      <Items title={words.lost} items={named} />
      {lost.some(({ kind }) => kind === 'connection') && <p>{words.reconnect}</p>}
      {lost.length > 0 && <p>{words.lostNext}</p>}
      {mayPutBack && <p>{words.putBack(file)}</p>}
      <Items title={words.recovered} items={recovered} isFolded={recovered.length > MAX_OPEN} />
      {moreCount > 0 && <p className="caption">{words.more(moreCount)}</p>}
      {markRead.error !== null && <Problem code={markRead.error.code} />}
    </Dialog>
  )
}

/** More recovered items than these are shown when asked for: what is lost comes first. */
const MAX_OPEN = 12

interface ItemsProps {
  readonly title: string
  readonly items: readonly Item[]
  readonly isFolded?: boolean
}

function Items({ title, items, isFolded = false }: ItemsProps) {
  const name = useName()
  const [isOpen, setOpen] = useState(!isFolded)
  if (items.length === 0) return null
  return (
    <section className="recovery-report">
      <h3>{title}</h3>
      {isOpen ? (
        <>
          <Lines items={items.filter((item) => isOfNoClient(item) && item.kind !== 'other')} />
          {[...byClient(items)].map(([client, days]) => (
            <div key={client}>
              <strong>{client === null ? words.unknownClient : name(client)}</strong>
              <ul>
                {[...days].map(([day, found]) => (
                  <li key={day}>{`${day ?? words.unknownDate}: ${linesOf(found).join(', ')}`}</li>
                ))}
              </ul>
            </div>
          ))}
          <Lines items={items.filter(({ kind }) => kind === 'other')} />
        </>
      ) : (
        <Button onPress={() => setOpen(true)}>{words.showRecovered(items.length)}</Button>
      )}
    </section>
  )
}

function Lines({ items }: Pick<ItemsProps, 'items'>) {
  if (items.length === 0) return null
  return (
    <ul>
      {linesOf(items).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

const ofNoClient: ReadonlySet<Item['kind']> = new Set([
  'settings',
  'connection',
  'template',
  'clients',
  'consents',
  'sessions',
  'transcripts',
  'notes',
  'other',
])
const isOfNoClient = ({ kind }: Item): boolean => ofNoClient.has(kind)

/** In the order of the report: by client, then by date. */
function byClient(items: readonly Item[]): Map<string | null, Map<string | null, Item[]>> {
  const clients = new Map<string | null, Map<string | null, Item[]>>()
  for (const item of items) {
    if (isOfNoClient(item)) continue
    const days = clients.get(item.client_name) ?? new Map<string | null, Item[]>()
    const day = item.date === null ? null : formatFullDate(item.date)
    days.set(day, [...(days.get(day) ?? []), item])
    clients.set(item.client_name, days)
  }
  return clients
}

function linesOf(items: readonly Item[]): string[] {
  const counts = new Map<string, { readonly item: Item; readonly count: number }>()
  for (const item of items) {
    const key = `${item.kind} ${item.is_partial}`
    counts.set(key, { item, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return [...counts.values()].map(({ item, count }) => {
    const line = words.line(item.kind, count)
    return item.is_partial ? words.part(item.kind, line) : line
  })
}
