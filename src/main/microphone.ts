import { app, systemPreferences } from 'electron'
import type { EventPayload } from '#contract/bridge/events.ts'
import type { ShellCalls } from './bridge.ts'

const ALLOWED_MS = 30_000
export const FAKE_MICROPHONE = 'use-fake-device-for-media-stream'

export interface MicrophonePermission {
  isAllowed(): boolean
  readonly calls: ShellCalls
}

/** Allows the microphone during a recording, and for 30 s after the core agreed to a use, to cover the permission prompt. */
export function createMicrophonePermission(recording: RecordingState): MicrophonePermission {
  let allowedUntil = 0
  return {
    isAllowed: () => recording.openId !== null || performance.now() < allowedUntil,
    calls: {
      async 'app.openMicrophone'(_input, core) {
        const answer = await core()
        if (!answer.ok) return answer
        if (!(await systemAllows())) return { ok: false, error: { code: 'microphone-denied' } }
        allowedUntil = performance.now() + ALLOWED_MS
        return answer
      },
    },
  }
}

/** Without this prompt, macOS delivers silence instead of an error. The self-test's fake microphone needs no permission. */
async function systemAllows(): Promise<boolean> {
  if (app.commandLine.hasSwitch(FAKE_MICROPHONE)) return true
  return process.platform !== 'darwin' || (await systemPreferences.askForMediaAccess('microphone'))
}

export interface RecordingState {
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
      // Another recording can end during this one, e.g. in the recovery dialog.
      else if (current?.id === id) current = null
      else return
      for (const listener of listeners) listener()
    },
    onChange: (listener) => void listeners.push(listener),
  }
}
