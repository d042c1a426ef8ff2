import { bridgeEvents } from '#contract/bridge/events.ts'
import type { Answer } from '#contract/bridge/method.ts'
import type { Bridge } from '#contract/bridge/methods.ts'
import { AppError, type ErrorCode } from '#contract/errors.ts'
import type { Recording } from '#contract/model/recording.ts'
import { type MicrophoneTrouble, microphoneTrouble } from './microphones.ts'

export function must<Value>(answer: Answer<Value>): Value {
  if (answer.ok) return answer.value
  throw new AppError(answer.error.code)
}

export function codeOf(error: unknown): ErrorCode | MicrophoneTrouble {
  return error instanceof AppError ? error.code : microphoneTrouble(error)
}

export const codeOfAnswer = (answer: Answer<unknown>): ErrorCode | null => (answer.ok ? null : answer.error.code)

export type Ask = () => Promise<Answer<Record<string, never>>>

export async function done(asked: Promise<Answer<unknown>>): Promise<Answer<Record<string, never>>> {
  const answer = await asked
  return answer.ok ? { ok: true, value: {} } : answer
}

export async function requireMicrophone(bridge: Bridge, sessionId: string): Promise<void> {
  must(await bridge.call('app.openMicrophone', { purpose: 'recording', session_id: sessionId }))
}

const ASK_AGAIN_MS = 300

export async function runningRecording(bridge: Bridge, isWanted: () => boolean): Promise<Recording | null> {
  while (isWanted()) {
    const active = await bridge.call('recordings.active', {}).catch(() => null)
    if (active?.ok === true) return active.value?.recording ?? null
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
  }
  return null
}

export function onRecordingChanged(bridge: Bridge, listener: (recording: Recording) => void): void {
  bridge.on((name, payload) => {
    const changed = name === 'recording.changed' ? bridgeEvents[name].safeParse(payload) : null
    if (changed?.success === true) listener(changed.data)
  })
}
