import { app, systemPreferences } from 'electron'
import type { RecordingState } from './recording-state.ts'
import type { ShellCalls } from './shell-calls.ts'

const ALLOWED_MS = 30_000
/** Chromium's switch; see self-test.ts. */
export const FAKE_MICROPHONE = 'use-fake-device-for-media-stream'

export interface MicrophonePermission {
  isAllowed(): boolean
  readonly calls: ShellCalls
}

/**
 * The window may open the microphone while a recording is open, and for 30 s after the core agreed to a recording, a room
 * check or a voice sample. The time covers the system's own question and the choice of a device.
 */
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

/**
 * Without this question macOS delivers silence instead of an error until the user was asked. There is no user
 * to answer during a self-test, and its microphone is Chromium's own.
 */
async function systemAllows(): Promise<boolean> {
  if (app.commandLine.hasSwitch(FAKE_MICROPHONE)) return true
  return process.platform !== 'darwin' || (await systemPreferences.askForMediaAccess('microphone'))
}
