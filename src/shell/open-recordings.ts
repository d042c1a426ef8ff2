import type { Worker } from 'node:worker_threads'
import { errorKind, type Log } from '#base/log.ts'
import type { AppendOpen } from '#core/recordings/append-service.ts'
import type { Rpc } from './rpc.ts'

/** From the append thread: every recording it has open, with that recording's key. */
export interface OpenRecordingsMessage {
  readonly kind: 'open-recordings'
  readonly recordings: readonly AppendOpen[]
}

export interface OpenRecordingsOptions {
  /** What the process before this one had open. They continue, also while the records are locked. */
  readonly openRecordings?: readonly AppendOpen[]
  /** For the process after this one. */
  readonly onOpenRecordings?: (recordings: readonly AppendOpen[]) => void
}

/** Outlives the append thread: the next one opens the same recordings again, without the records being unlocked. */
export class OpenRecordings {
  readonly #options: OpenRecordingsOptions
  readonly #log: Log
  #recordings: readonly AppendOpen[]

  constructor(options: OpenRecordingsOptions, log: Log) {
    this.#options = options
    this.#log = log
    this.#recordings = options.openRecordings ?? []
  }

  /** Before anything else is asked of the thread: messages keep their order. */
  follow(worker: Worker, rpc: Rpc): void {
    worker.on('message', (message: OpenRecordingsMessage) => {
      if (message.kind === 'open-recordings') this.#set(message.recordings)
    })
    for (const recording of this.#recordings) void this.#open(rpc, recording)
  }

  async #open(rpc: Rpc, recording: AppendOpen): Promise<void> {
    try {
      await rpc.call('open', recording)
    } catch (error) {
      this.#log.error('host.recording-not-reopened', { kind: errorKind(error) })
      this.#set(this.#recordings.filter(({ recording_id }) => recording_id !== recording.recording_id))
    }
  }

  #set(recordings: readonly AppendOpen[]): void {
    this.#recordings = recordings
    this.#options.onOpenRecordings?.(recordings)
  }
}
