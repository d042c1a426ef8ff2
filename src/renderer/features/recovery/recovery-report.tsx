import { LifeBuoy, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { RecoveryKind, RecoveryReport } from '#contract/bridge/recovery.ts'
import { lockByHand } from '#renderer/app/lock-reason.ts'
import { useName } from '#renderer/app/names.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { reportWords as words } from '#renderer/strings/recovery-report.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { formatFullDate } from '#renderer/ui/time.ts'
import './recovery.css'

type Item = RecoveryReport['items'][number]

/** What was and was not recovered from damaged files; shown at every opening until it was read. */
export function RecoveryReports() {
  const reports = useCall('recovery.reports', {}).data ?? []
  const needsRepair = useCall('recovery.state', {}).data?.needs_repair ?? false
  const [isPutOff, setPutOff] = useState(false)
  const first = reports[0]
  if (needsRepair && !isPutOff) return <DamageDialog onLater={() => setPutOff(true)} />
  return first === undefined ? null : <ReportDialog key={first.id} report={first} moreCount={reports.length - 1} />
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

interface ReportProps {
  readonly report: RecoveryReport
  readonly moreCount: number
}

function ReportDialog({ report, moreCount }: ReportProps) {
  const markRead = useAction('recovery.markRead')
  const { set_aside, unreadable_pages, pages, items } = report
  const lost = items.filter((item) => !item.is_recovered)
  return (
    <Dialog
      title={words.title}
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
      {unreadable_pages > 0 && <p>{words.parts(unreadable_pages, pages)}</p>}
      {set_aside.length > 0 && <p>{words.setAside(set_aside)}</p>}
      {lost.length === 0 && <p>{words.allRecovered}</p>}
      <Items title={words.lost} items={lost} />
      {lost.length > 0 && <p>{words.lostNext}</p>}
      <Items title={words.recovered} items={items.filter((item) => item.is_recovered)} />
      {moreCount > 0 && <p className="caption">{words.more(moreCount)}</p>}
      {markRead.error !== null && <Problem code={markRead.error.code} />}
    </Dialog>
  )
}

function Items({ title, items }: { readonly title: string; readonly items: readonly Item[] }) {
  const name = useName()
  if (items.length === 0) return null
  return (
    <section className="recovery-report">
      <h3>{title}</h3>
      <ul>
        {byClientAndDay(items).map(({ client, day, isOfClient, kinds }) => (
          <li key={`${client} ${day} ${isOfClient}`}>
            <strong>{client !== null ? name(client) : isOfClient ? words.unknownClient : words.noClient}</strong>
            {`, ${day ?? words.unknownDate}: ${[...kinds].map(([kind, count]) => words.line(kind, count)).join(', ')}`}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface Line {
  readonly client: string | null
  readonly day: string | null
  readonly isOfClient: boolean
  readonly kinds: Map<RecoveryKind, number>
}

/** In the order of the report: by client, then by date. */
function byClientAndDay(items: readonly Item[]): Line[] {
  const lines = new Map<string, Line>()
  for (const { kind, client_name: client, date } of items) {
    const isOfClient = !['settings', 'template', 'other'].includes(kind)
    const day = date === null ? null : formatFullDate(date)
    const key = JSON.stringify([client, day, isOfClient])
    const line = lines.get(key) ?? { client, day, isOfClient, kinds: new Map<RecoveryKind, number>() }
    line.kinds.set(kind, (line.kinds.get(kind) ?? 0) + 1)
    lines.set(key, line)
  }
  return [...lines.values()]
}
