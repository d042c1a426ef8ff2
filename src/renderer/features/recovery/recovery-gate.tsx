import { useState } from 'react'
import { useAppState } from '#renderer/app/app-state.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { RecoveryDialog } from './recovery-dialog.tsx'
import './recovery.css'

/**
 * What was cut off is shown on the very next launch, over whatever page is open, until somebody decides. What stops later,
 * while this window lives, is shown on its session's own page.
 */
export function RecoveryGate() {
  const phase = useAppState()?.phase
  const found = useCall('recordings.recoverable', {}, { enabled: phase === 'ready' })
  const { state } = useRecorder()
  const [atLaunch, setAtLaunch] = useState<readonly string[] | null>(null)
  const [decided, setDecided] = useState<readonly string[]>([])
  if (atLaunch === null && found.data !== undefined) setAtLaunch(found.data.map((entry) => entry.recording.id))
  const held = state.phase === 'idle' ? null : (state.recording?.id ?? null)
  const open = (found.data ?? []).filter(
    ({ recording: { id } }) => atLaunch?.includes(id) === true && !decided.includes(id) && id !== held,
  )
  const first = open[0]
  if (phase !== 'ready' || first === undefined) return null
  return (
    <RecoveryDialog
      key={first.recording.id}
      entry={first}
      moreCount={open.length - 1}
      onDecided={() => setDecided([...decided, first.recording.id])}
    />
  )
}
