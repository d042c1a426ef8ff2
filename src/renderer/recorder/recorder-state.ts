import type { ErrorCode } from '#contract/errors.ts'
import type { GapReason, Recording } from '#contract/model/recording.ts'
import type { Level } from './record-builder.ts'
import type { MicrophoneTrouble } from './microphones.ts'
import type { RoomCheck } from './room-check.ts'

export interface RecorderState {
  /** In `trouble`, the recording is open but no microphone records; `resume` tries again. */
  readonly phase: 'idle' | 'starting' | 'recording' | 'paused' | 'finishing' | 'trouble'
  readonly recording: Recording | null
  readonly captured_ms: number
  readonly saved_ms: number
  readonly unsaved_records: number
  readonly peak: number
  readonly rms: number
  readonly silent_since_ms: number | null
  readonly clipping: boolean
  readonly device_label: string
  readonly error: ErrorCode | MicrophoneTrouble | null
}

export const idleState: RecorderState = {
  phase: 'idle',
  recording: null,
  captured_ms: 0,
  saved_ms: 0,
  unsaved_records: 0,
  peak: 0,
  rms: 0,
  silent_since_ms: null,
  clipping: false,
  device_label: '',
  error: null,
}

export interface Recorder {
  getState(): RecorderState
  subscribe(listener: () => void): () => void
  start(input: { session_id: string; device_id: string | null }): Promise<void>
  pause(): Promise<void>
  resume(): Promise<void>
  finish(): Promise<void>
  discard(): Promise<void>
  takeUp(recordingId: string, gap: GapReason): Promise<void>
  /** Closes the microphone. Resolves when all captured sound is on disk, or as soon as saving has failed for good. */
  handOver(): Promise<void>
  checkRoom(deviceId: string | null, onLevel: (level: Level) => void): Promise<RoomCheck>
}

export function createStore<State extends object>(first: State) {
  const listeners = new Set<() => void>()
  let state = first
  return {
    get: (): State => state,
    set(change: Partial<State>): void {
      state = { ...state, ...change }
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const troubleKinds = [
  'microphone-denied',
  'microphone-missing',
  'microphone-lost',
  'disk-full',
  'disk-failed',
  'restarting',
  'locked',
  'other',
] as const
export type TroubleKind = (typeof troubleKinds)[number]

export function isCutOff(kind: TroubleKind, hasRecording: boolean): kind is 'microphone-denied' | 'microphone-missing' {
  return hasRecording && (kind === 'microphone-denied' || kind === 'microphone-missing')
}

export function troubleKind(error: string | null, isConnected: boolean, isRunning: boolean): TroubleKind | null {
  if (!isConnected && isRunning) return 'restarting'
  if (error === null || error === 'consent-missing') return null
  if (error === 'service-unreachable' || error === 'recording-not-open') return isRunning ? 'restarting' : null
  if (error === 'vault-locked') return 'locked'
  return troubleKinds.find((kind) => kind === error) ?? 'other'
}
