import type { EventPayload } from '#contract/bridge/events.ts'

/** What the shell knows about the running recording: it decides about sleep, quitting and the microphone. */
export interface RecordingState {
  /** The recording that is running or paused. */
  readonly openId: string | null
  readonly isRunning: boolean
  onEvent(name: string, payload: unknown): void
  onChange(listener: () => void): void
}

export function createRecordingState(): RecordingState {
  const listeners: (() => void)[] = []
  let current: { readonly id: string; readonly isPaused: boolean } | null = null
  return {
    get openId() {
      return current?.id ?? null
    },
    get isRunning() {
      return current !== null && !current.isPaused
    },
    onEvent(name, payload) {
      if (name !== 'recording.changed') return
      const { id, state } = payload as EventPayload<'recording.changed'>
      const isOpen = state === 'recording' || state === 'paused'
      if (isOpen) current = { id, isPaused: state === 'paused' }
      // The end of another recording, as on the recovery screen, does not end this one.
      else if (current?.id === id) current = null
      else return
      for (const listener of listeners) listener()
    },
    onChange: (listener) => void listeners.push(listener),
  }
}
