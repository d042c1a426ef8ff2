import { powerMonitor, powerSaveBlocker } from 'electron'
import type { CoreHost } from '#shell/core-host.ts'

/** The records lock when the system does. A running recording goes on: its thread holds only its own key. */
export function lockWithSystem(host: CoreHost): void {
  const lock = (): void => void host.lock()
  powerMonitor.on('lock-screen', lock)
  powerMonitor.on('suspend', lock)
}

/** Keeps the laptop from falling asleep under a recording. */
export function stayAwakeWhileRecording(): (name: string, payload: unknown) => void {
  let blocker: number | null = null
  return (name, payload) => {
    if (name !== 'recording.changed') return
    const isRecording = (payload as { state?: string }).state === 'recording'
    if (isRecording && blocker === null) blocker = powerSaveBlocker.start('prevent-app-suspension')
    if (!isRecording && blocker !== null) {
      powerSaveBlocker.stop(blocker)
      blocker = null
    }
  }
}
