import { LifeBuoy, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { RecoveryReport } from '#contract/bridge/recovery.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { lockByHand, useAppState } from '#renderer/lib/app-state.ts'
import { headingOf, ReportText } from '#renderer/lib/recovery-report.tsx'
import { reportWords as words } from '#renderer/strings/recovery.ts'
import { Button } from '#renderer/ui/button.tsx'
import { ConfirmDialog, Dialog } from '#renderer/ui/dialog.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { RecoveryDialog } from './recovery-dialog.tsx'
import './recovery.css'

export function RecoveryDialogs() {
  const { data: reports = [], isPending } = useCall('recovery.reports', {})
  const state = useCall('recovery.state', {}).data
  const [isPutOff, setPutOff] = useState(false)
  const [isNotedFailing, setNotedFailing] = useState(false)
  const isDamaged = state?.needs_repair === true && !isPutOff
  const isNotCompared = state?.is_not_compared === true && !isNotedFailing && !isDamaged
  const report = isDamaged || isNotCompared ? undefined : reports[0]
  return (
    <>
      {isDamaged && <DamageDialog onLater={() => setPutOff(true)} />}
      {isNotCompared && <NotComparedDialog onClose={() => setNotedFailing(true)} />}
      {report && <ReportDialog key={report.id} report={report} moreCount={reports.length - 1} />}
      <RecoveryGate isWaiting={isPending || isDamaged || isNotCompared || report !== undefined} />
    </>
  )
}

function DamageDialog({ onLater }: { readonly onLater: () => void }) {
  return (
    <ConfirmDialog
      title={words.damaged}
      lead={words.damagedLead}
      icon={TriangleAlert}
      isOpen
      onClose={onLater}
      isDismissable
      role="alertdialog"
      cancel={words.later}
      submit={words.lock}
      variant="filled"
      onConfirm={lockByHand}
    >
      <p>{words.damagedNext}</p>
      <p>{words.damagedRecording}</p>
    </ConfirmDialog>
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
      actions={<Button autoFocus variant="filled" onPress={onClose} label={words.ok} />}
    >
      <p>{words.notComparedNext}</p>
    </Dialog>
  )
}

function ReportDialog({ report, moreCount }: { readonly report: RecoveryReport; readonly moreCount: number }) {
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
          label={words.done}
        />
      }
    >
      <ReportText report={report} />
      {moreCount > 0 && <p className="caption">{words.more({ count: moreCount })}</p>}
      {markRead.error !== null && <Problem code={markRead.error.code} />}
    </Dialog>
  )
}

/** Shows recordings to recover, except this window's own, which its session page shows. */
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
