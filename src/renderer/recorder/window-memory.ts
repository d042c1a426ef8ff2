import type { Bridge } from '#contract/bridge/methods.ts'

/** What a reload of this window must know. Ids only; a new launch starts without. */
export interface KeptRecording {
  readonly recording_id: string
  readonly device_id: string | null
  readonly is_paused: boolean
}

const windowKey = 'afterword.window'
const recordingKey = 'afterword.recording'
const ASK_AGAIN_MS = 300
/** By then the page before a reload has let go of its lock. */
const LET_GO_WITHIN_MS = 1500

/**
 * This window's own random name: the same after a reload, another in the next launch. A copied tab comes with a copy of
 * what is kept here; the one that holds the name keeps it, the other takes a new name and feeds no recording.
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

/** Null until `claimWindow` has begun for the first time. */
export const thisWindow = (): string | null => sessionStorage.getItem(windowKey)

/** Until this page is gone. False where another page holds it; a browser without locks has no say in it. */
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

/**
 * The recording this window fed before it was reloaded; null where it has none. Under the lock it is taken to be as it
 * was left: the thread that appends lets only this window go on with it.
 */
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
