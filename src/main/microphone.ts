import { app, systemPreferences } from 'electron'
import type { EventPayload } from '#contract/bridge/events.ts'
import type { ShellCalls } from './bridge.ts'

const ALLOWED_MS = 30_000
export const FAKE_MICROPHONE = 'use-fake-device-for-media-stream'

export type MicrophonePermission = ReturnType<typeof createMicrophonePermission>

export function createMicrophonePermission(recording: RecordingState) {
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
    } satisfies ShellCalls,
  }
}

/** Without this prompt, macOS delivers silence instead of an error. */
async function systemAllows(): Promise<boolean> {
  if (app.commandLine.hasSwitch(FAKE_MICROPHONE)) return true
  return process.platform !== 'darwin' || (await systemPreferences.askForMediaAccess('microphone'))
}

export type RecordingState = ReturnType<typeof createRecordingState>

export function createRecordingState() {
  const listeners: (() => void)[] = []
  let current: { readonly id: string; readonly isPaused: boolean } | null = null
  return {
    get openId(): string | null {
      return current?.id ?? null
    },
    get isRunning(): boolean {
      return current !== null && !current.isPaused
    },
    onEvent(name: string, payload: unknown): void {
      if (name !== 'recording.changed') return
      const { id, state } = payload as EventPayload<'recording.changed'>
      const isOpen = state === 'recording' || state === 'paused'
      if (isOpen) current = { id, isPaused: state === 'paused' }
      else if (current?.id === id) current = null
      else return
      for (const listener of listeners) listener()
    },
    onChange: (listener: () => void): void => void listeners.push(listener),
  }
}
