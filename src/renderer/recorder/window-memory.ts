import type { Bridge } from '#contract/bridge/methods.ts'

export interface KeptRecording {
  readonly recording_id: string
  readonly device_id: string | null
  readonly is_paused: boolean
}

const windowKey = 'afterword.window'
const recordingKey = 'afterword.recording'
const ASK_AGAIN_MS = 300
/** Long enough for the page before the reload to release its lock. */
const LET_GO_WITHIN_MS = 1500

/**
 * Returns the window's id, which survives reloads. A duplicated tab copies sessionStorage, so the tab without the lock gets a
 * new id.
 */
export async function claimWindow(locks: LockManager | undefined = navigator.locks): Promise<string> {
  const known = sessionStorage.getItem(windowKey)
  if (known !== null && (await holds(locks, known))) return known
  if (known !== null) forgetRecording()
  const made = crypto.randomUUID()
  sessionStorage.setItem(windowKey, made)
  await holds(locks, made)
  return made
}

export const thisWindow = (): string | null => sessionStorage.getItem(windowKey)

function holds(locks: LockManager | undefined, name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(LET_GO_WITHIN_MS)
    const held = locks?.request(`afterword.window.${name}`, { signal }, () => {
      resolve(true)
      return new Promise(() => {})
    })
    if (held === undefined) resolve(true)
    else held.catch(() => resolve(!signal.aborted))
  })
}

export function keepRecording(kept: KeptRecording): void {
  sessionStorage.setItem(recordingKey, JSON.stringify(kept))
}

export function keptRecording(): KeptRecording | null {
  const text = sessionStorage.getItem(recordingKey)
  return text === null ? null : (JSON.parse(text) as KeptRecording)
}

export function forgetRecording(): void {
  sessionStorage.removeItem(recordingKey)
}

export async function recordingBeforeReload(bridge: Bridge, windowId: string): Promise<KeptRecording | null> {
  const kept = keptRecording()
  while (kept !== null) {
    const active = await bridge.call('recordings.active', {}).catch(() => null)
    if (active?.ok === true) {
      const isOurs = active.value?.recording.id === kept.recording_id && active.value.window_id === windowId
      return isOurs ? { ...kept, is_paused: active.value?.recording.state === 'paused' } : null
    }
    if (active?.error.code === 'vault-locked') return kept
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
  }
  return null
}
