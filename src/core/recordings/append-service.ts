import type { Clock } from '#base/clock.ts'
import { errorKind, type Log } from '#base/log.ts'
import type { MethodRequest } from '#contract/bridge/methods.ts'
import type { Durable } from '#contract/bridge/recordings.ts'
import { AppError } from '#contract/errors.ts'
import type { Gap, GapReason } from '#contract/model/recording.ts'
import { AppendFile } from './append-file.ts'

export interface AppendOpen {
  readonly recording_id: string
  readonly path: string
  readonly key: Uint8Array<ArrayBuffer>
  readonly window_id: string
  readonly saved_ms?: number
  readonly last_write_at?: number
}

interface AppendOptions {
  readonly clock: Clock
  readonly log: Log
  /**
   * Receives all open recordings, so that a replacement thread can open them. The key arrays are not copies, so don't change
   * them.
   */
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
  readonly duration_ms: number | null
}

export interface AppendState extends Durable {
  readonly recording_id: string
  readonly bytes: number
  readonly gaps: readonly Gap[]
  readonly is_final: boolean
  readonly last_write_at: number
  readonly idle_ms: number | null
  readonly silent_ms: number
}

/** Runs in its own thread and holds only the keys of open recordings. */
export interface AppendService {
  open(input: AppendOpen): AppendState
  append(input: MethodRequest<'recordings.append'>): Durable
  gap(input: AppendGap): AppendState
  attach(input: AppendAttach): AppendState
  /**
   * Attaches the recording's window while the vault is locked, e.g. after a reload. Refuses any other window with AppError
   * `recording-not-open`.
   */
  reattach(input: AppendAttach): Durable
  close(recordingId: string): AppendState
  status(): readonly AppendState[]
}

export type AppendPort = {
  readonly [Name in Exclude<keyof AppendService, 'append' | 'reattach'>]: (
    ...input: Parameters<AppendService[Name]>
  ) => Promise<ReturnType<AppendService[Name]>>
}

interface OpenFile {
  readonly file: AppendFile
  opening: AppendOpen
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
    files.attachWindow(opened, window_id)
    if (gap !== null && !opened.file.hasJustRecorded(gap)) opened.file.gap(gap, null)
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
      // A failed final record is only logged, because a recording without one still plays to its end.
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

  find(recordingId: string): OpenFile {
    const found = this.#files.get(recordingId)
    if (found === undefined) throw new AppError('recording-not-open')
    return found
  }

  heard(recordingId: string): OpenFile {
    return Object.assign(this.find(recordingId), { heard: this.#clock.elapsed() })
  }

  attachWindow(opened: OpenFile, window_id: string): void {
    if (opened.opening.window_id === window_id) return
    opened.opening = { ...opened.opening, window_id }
    this.#changed()
  }

  open({ key, ...input }: AppendOpen): OpenFile {
    const known = this.#files.get(input.recording_id)
    // Not a Buffer: a Buffer may be a view of a shared pool, and sending it to another thread would copy the whole pool.
    const own = Uint8Array.from(key)
    key.fill(0)
    try {
      if (known !== undefined) this.attachWindow(known, input.window_id)
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
    const { path, recording_id: recordingId, key, saved_ms, last_write_at } = opening
    const lastWrite = last_write_at === undefined ? {} : { lastWriteAt: last_write_at }
    const file = new AppendFile({ path, recordingId, key, clock: this.#clock, savedMs: saved_ms ?? 0, ...lastWrite })
    const opened = { file, opening, heard: this.#clock.elapsed() }
    this.#files.set(recordingId, opened)
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
