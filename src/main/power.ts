import { powerMonitor, powerSaveBlocker } from 'electron'
import type { RecordingState } from './recording-state.ts'

const IDLE_CHECK_MS = 5000

interface PowerListener {
  /** The screen was locked or the computer goes to sleep. */
  onAway(): void
  onResumed(): void
  /** The system shuts down or the user logs off. On Windows the window gets `query-session-end` instead. */
  onShutdown(): void
}

/** A running recording continues while the records are locked: its thread holds only its own key. */
export function followPower({ onAway, onResumed, onShutdown }: PowerListener, platform = process.platform): void {
  powerMonitor.on('suspend', onAway)
  powerMonitor.on('resume', onResumed)
  if (platform === 'linux') followLockedScreen(onAway)
  else powerMonitor.on('lock-screen', onAway)
  if (platform !== 'win32') {
    const delay = (event: { preventDefault(): void }): void => {
      event.preventDefault()
      onShutdown()
    }
    // Electron's types leave the event out.
    powerMonitor.on('shutdown', delay as () => void)
  }
}

/** Electron has no event for a locked screen on Linux, so its state is polled. */
function followLockedScreen(onLocked: () => void): void {
  let wasLocked = false
  const check = (): void => {
    const isLocked = powerMonitor.getSystemIdleState(1) === 'locked'
    if (isLocked && !wasLocked) onLocked()
    wasLocked = isLocked
  }
  setInterval(check, IDLE_CHECK_MS).unref()
}

/**
 * Keeps the computer awake while a recording runs. On Windows the display stays on as well: on laptops with Modern Standby
 * the computer begins to sleep when the display turns off.
 */
export function stayAwakeWhileRecording(recording: RecordingState, platform = process.platform): void {
  let blocker: number | null = null
  recording.onChange(() => {
    if (recording.isRunning && blocker === null)
      blocker = powerSaveBlocker.start(platform === 'win32' ? 'prevent-display-sleep' : 'prevent-app-suspension')
    if (!recording.isRunning && blocker !== null) {
      powerSaveBlocker.stop(blocker)
      blocker = null
    }
  })
}
