import { LifeBuoy, TriangleAlert } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { RecoveryReport } from '#contract/bridge/recovery.ts'
import { headingOf, ReportText } from '#renderer/lib/recovery-report.tsx'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { reportWords as words } from '#renderer/strings/recovery.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { useAppState, lockByHand } from '#renderer/lib/app-state.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { RecoveryDialog } from './recovery-dialog.tsx'
import './recovery.css'

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
  return (
    <Dialog
      {...headingOf(report)}
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
      <ReportText report={report} />
      {moreCount > 0 && <p className="caption">{words.more({ count: moreCount })}</p>}
      {markRead.error !== null && <Problem code={markRead.error.code} />}
    </Dialog>
  )
}

/**
 * Shows an interrupted recording over any page until the user decides: at launch, or when the core no longer hears from
 * the window that records. This window's own recording is handled on its session page instead.
 */
function RecoveryGate({ isWaiting }: { readonly isWaiting: boolean }) {
  const phase = useAppState()?.phase
  const found = useCall('recordings.recoverable', {}, { enabled: phase === 'ready' })
  const { state } = useRecorder()
  const [done, setDone] = useState<readonly string[]>([])
  const own = state.recording?.id
  if (own !== undefined && !done.includes(own)) setDone([...done, own])
  const open = (found.data ?? []).filter(({ recording: { id } }) => !done.includes(id))
  const first = open[0]
  if (isWaiting || phase !== 'ready' || first === undefined) return null
  return (
    <RecoveryDialog
      key={first.recording.id}
      entry={first}
      moreCount={open.length - 1}
      onDecided={() => setDone([...done, first.recording.id])}
    />
  )
}
