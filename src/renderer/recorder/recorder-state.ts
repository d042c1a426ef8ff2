import type { ErrorCode } from '#contract/errors.ts'
import type { GapReason, Recording } from '#contract/model/recording.ts'
import type { Level } from './levels.ts'
import type { Microphone, MicrophoneTrouble } from './microphones.ts'
import type { RoomCheck } from './room-check.ts'

export interface RecorderState {
  /** `trouble`: a recording is open and the microphone is not; `resume` tries again. */
  readonly phase: 'idle' | 'starting' | 'recording' | 'paused' | 'finishing' | 'trouble'
  readonly recording: Recording | null
  /** On the audio's clock, counted in samples: what is saved and what is on its way. */
  readonly captured_ms: number
  /** What the core has acknowledged as on disk. */
  readonly saved_ms: number
  readonly unsaved_records: number
  /** Of the last record on disk. */
  readonly peak: number
  readonly rms: number
  /** Where on the audio's clock it fell silent, once that has lasted. */
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
  /** Never rejects: what went wrong stands in the state's `error`. */
  start(input: { session_id: string; device_id: string | null }): Promise<void>
  pause(): Promise<void>
  /** Also out of `trouble`. */
  resume(): Promise<void>
  /** Resolves when the last captured sound is on disk and the recording is closed. @throws AppError */
  finish(): Promise<void>
  /** @throws AppError */
  discard(): Promise<void>
  /** @throws AppError where the core refuses */
  takeUp(recordingId: string, gap: GapReason): Promise<void>
  /** Before the app quits: captures nothing more, and resolves when everything captured is on disk. */
  handOver(): Promise<void>
  listMicrophones(): Promise<Microphone[]>
  checkRoom(deviceId: string | null, onLevel: (level: Level) => void): Promise<RoomCheck>
}

/** A state that tells when it changed. */
export function createStore(first: RecorderState) {
  const listeners = new Set<() => void>()
  let state = first
  return {
    get: (): RecorderState => state,
    set(change: Partial<RecorderState>): void {
      state = { ...state, ...change }
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
