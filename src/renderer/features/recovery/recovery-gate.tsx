import { useState } from 'react'
import { useAppState } from '#renderer/lib/app-state.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { RecoveryDialog } from './recovery-dialog.tsx'
import './recovery.css'

/**
 * A recording that was cut off is shown over whatever page is open, until it is decided: at launch, or once the core
 * misses the window that recorded. One that this window recorded itself is shown on its session's own page.
 */
export function RecoveryGate({ isWaiting }: { readonly isWaiting: boolean }) {
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
