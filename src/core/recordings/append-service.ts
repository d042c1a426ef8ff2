import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { errorKind } from '#base/log.ts'
import type { MethodRequest } from '#contract/bridge/methods.ts'
import type { Durable } from '#contract/bridge/recordings.ts'
import { AppError } from '#contract/errors.ts'
import type { Gap, GapReason } from '#contract/model/recording.ts'
import { AppendFile } from './append-file.ts'

export interface AppendOpen {
  readonly recording_id: string
  readonly path: string
  /** Copied and then zeroed. */
  readonly key: Uint8Array<ArrayBuffer>
  /** The window that feeds it. */
  readonly window_id: string
  /** How much sound is known to have been acknowledged. */
  readonly saved_ms?: number
}

interface AppendOptions {
  readonly clock: Clock
  readonly log: Log
  /** After each open, close and change of window: what a successor of this thread needs to continue. The keys are live. */
  readonly onChanged?: (open: readonly AppendOpen[]) => void
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
  /** Monotonic time since its window last called, or since it was opened. */
  readonly silent_ms: number
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
  opening: AppendOpen
  /** When its window last called, on the clock that does not jump. */
  heard: number
}

export function createAppendService(options: AppendOptions): AppendService {
  const { clock, log } = options
  const files = new OpenFiles(options)
  const stateOf = ({ file, opening, heard }: OpenFile): AppendState => ({
    recording_id: opening.recording_id,
    ...file.state,
    silent_ms: clock.elapsed() - heard,
  })

  function attach({ recording_id, window_id, gap }: AppendAttach): OpenFile {
    const opened = files.heard(recording_id)
    files.feedFrom(opened, window_id)
    if (gap !== null && !opened.file.hasJustTold(gap)) opened.file.gap(gap, null)
    return opened
  }

  return {
    open: (input) => stateOf(files.open(input)),

    append(input) {
      const { file } = files.heard(input.recording_id)
      file.append(input)
      return file.durable
    },

    gap(input) {
      const opened = files.heard(input.recording_id)
      opened.file.gap(input.reason, input.duration_ms)
      return stateOf(opened)
    },

    attach: (input) => stateOf(attach(input)),

    reattach(input) {
      if (files.find(input.recording_id).opening.window_id !== input.window_id) throw new AppError('recording-not-open')
      return attach(input).file.durable
    },

    close(recordingId) {
      const opened = files.find(recordingId)
      // Without a final record it still plays to its end; on a failing disk that is all there is to have.
      closing(recordingId, log, () => opened.file.finish())
      const state = stateOf(opened)
      closing(recordingId, log, () => opened.file.close())
      files.forget(opened)
      return state
    },

    status: () => files.all().map(stateOf),
  }
}

class OpenFiles {
  readonly #clock: Clock
  readonly #onChanged: NonNullable<AppendOptions['onChanged']>
  readonly #files = new Map<string, OpenFile>()

  constructor({ clock, onChanged = () => {} }: AppendOptions) {
    this.#clock = clock
    this.#onChanged = onChanged
  }

  all(): OpenFile[] {
    return [...this.#files.values()]
  }

  /** @throws AppError `recording-not-open` */
  find(recordingId: string): OpenFile {
    const found = this.#files.get(recordingId)
    if (found === undefined) throw new AppError('recording-not-open')
    return found
  }

  /** For a call of the window that feeds it. @throws AppError `recording-not-open` */
  heard(recordingId: string): OpenFile {
    return Object.assign(this.find(recordingId), { heard: this.#clock.elapsed() })
  }

  feedFrom(opened: OpenFile, window_id: string): void {
    if (opened.opening.window_id === window_id) return
    opened.opening = { ...opened.opening, window_id }
    this.#changed()
  }

  open({ key, ...input }: AppendOpen): OpenFile {
    const known = this.#files.get(input.recording_id)
    // Not from Buffer's pool: cloned to another thread, a view takes its whole buffer along.
    const own = Uint8Array.from(key)
    key.fill(0)
    try {
      if (known !== undefined) this.feedFrom(known, input.window_id)
      return known ?? this.#add({ ...input, key: own })
    } finally {
      if (this.#files.get(input.recording_id)?.opening.key !== own) own.fill(0)
    }
  }

  forget({ opening }: OpenFile): void {
    opening.key.fill(0)
    this.#files.delete(opening.recording_id)
    this.#changed()
  }

  #add(opening: AppendOpen): OpenFile {
    const { path, recording_id, key, saved_ms: savedMs = 0 } = opening
    const file = new AppendFile({ path, recordingId: recording_id, key, clock: this.#clock, savedMs })
    const opened = { file, opening, heard: this.#clock.elapsed() }
    this.#files.set(recording_id, opened)
    this.#changed()
    return opened
  }

  #changed(): void {
    this.#onChanged(this.all().map(({ opening }) => opening))
  }
}

function closing(recordingId: string, log: Log, work: () => void): void {
  try {
    work()
  } catch (error) {
    log.warn('recording-not-closed', { recording_id: recordingId, reason: errorKind(error) })
  }
}
