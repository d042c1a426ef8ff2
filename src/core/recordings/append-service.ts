import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { errorKind } from '#base/log.ts'
import type { MethodRequest } from '#contract/bridge/methods.ts'
import type { Durable } from '#contract/bridge/recordings.ts'
import { AppError } from '#contract/errors.ts'
import type { AudioFormat, Gap, GapReason } from '#contract/model/recording.ts'
import { AppendFile } from './append-file.ts'

export interface AppendOpen {
  readonly recording_id: string
  readonly path: string
  /** Copied and then zeroed. */
  readonly key: Uint8Array
  readonly format: AudioFormat
  /** The window that feeds it. */
  readonly window_id: string
}

export interface AppendAttach {
  readonly recording_id: string
  readonly window_id: string
  readonly gap: GapReason | null
}

export interface AppendGap {
  readonly recording_id: string
  readonly reason: GapReason
  /** Null: from the last durable sound to now. */
  readonly duration_ms: number | null
}

/** What is on disk of one open recording. */
export interface AppendState extends Durable {
  readonly recording_id: string
  readonly bytes: number
  readonly gaps: readonly Gap[]
  readonly is_final: boolean
  /** Wall time of the last durable record, ms since 1970. */
  readonly last_write_at: number
  /** Monotonic time since then; null where nothing was written since it was opened. */
  readonly idle_ms: number | null
}

/** Runs in a thread of its own and holds the keys of the recordings it has open, nothing else. */
export interface AppendService {
  open(input: AppendOpen): AppendState
  append(input: MethodRequest<'recordings.append'>): Durable
  gap(input: AppendGap): AppendState
  /** From now on this window feeds it. Asked again for want of an answer, it marks one gap. */
  attach(input: AppendAttach): AppendState
  /**
   * The window that feeds it has reloaded or lost its microphone while the records are locked. Consent cannot be asked
   * about then and need not be: it was when this file was opened, nobody can revoke it in locked records, and revoking
   * closes the file here.
   *
   * @throws AppError `recording-not-open` also for any other window
   */
  reattach(input: AppendAttach): Durable
  /** Writes the final record, closes the file and forgets the key. */
  close(recordingId: string): AppendState
  /** The recordings that are open. */
  status(): readonly AppendState[]
}

/** What the core has of it, across threads. */
export type AppendPort = {
  readonly [Name in Exclude<keyof AppendService, 'append' | 'reattach'>]: (
    ...input: Parameters<AppendService[Name]>
  ) => Promise<ReturnType<AppendService[Name]>>
}

interface OpenFile {
  readonly file: AppendFile
  readonly window_id: string
}

export function createAppendService({ clock, log }: { clock: Clock; log: Log }): AppendService {
  const open = new Map<string, OpenFile>()

  function fileOf(recordingId: string): AppendFile {
    const found = open.get(recordingId)
    if (found === undefined) throw new AppError('recording-not-open')
    return found.file
  }

  function attach({ recording_id, window_id, gap }: AppendAttach): AppendFile {
    const file = fileOf(recording_id)
    open.set(recording_id, { file, window_id })
    if (gap !== null && !file.hasJustTold(gap)) file.gap(gap, null)
    return file
  }

  return {
    open({ recording_id, window_id, path, key }) {
      const own = Buffer.from(key)
      key.fill(0)
      try {
        const file = open.get(recording_id)?.file ?? new AppendFile({ path, recordingId: recording_id, key: own, clock })
        open.set(recording_id, { file, window_id })
        return stateOf(recording_id, file)
      } finally {
        own.fill(0)
      }
    },

    append(input) {
      const file = fileOf(input.recording_id)
      file.append(input)
      return file.durable
    },

    gap(input) {
      const file = fileOf(input.recording_id)
      file.gap(input.reason, input.duration_ms)
      return stateOf(input.recording_id, file)
    },

    attach: (input) => stateOf(input.recording_id, attach(input)),

    reattach(input) {
      if (open.get(input.recording_id)?.window_id !== input.window_id) throw new AppError('recording-not-open')
      return attach(input).durable
    },

    close(recordingId) {
      const state = closed(fileOf(recordingId), recordingId, log)
      open.delete(recordingId)
      return state
    },

    status: () => [...open].map(([recordingId, { file }]) => stateOf(recordingId, file)),
  }
}

function stateOf(recordingId: string, file: AppendFile): AppendState {
  return { recording_id: recordingId, ...file.state }
}

function closed(file: AppendFile, recordingId: string, log: Log): AppendState {
  const attempt = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      log.warn('recording-not-closed', { recording_id: recordingId, reason: errorKind(error) })
    }
  }
  // Without a final record it still plays to its end; on a failing disk that is all there is to have.
  attempt(() => file.finish())
  const state = stateOf(recordingId, file)
  attempt(() => file.close())
  return state
}
