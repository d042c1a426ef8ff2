import type { Worker } from 'node:worker_threads'
import { errorKind, type Log } from '#base/log.ts'
import type { AppendOpen } from '#core/recordings/append-service.ts'
import type { Rpc } from './rpc.ts'

export interface OpenRecordingsMessage {
  readonly kind: 'open-recordings'
  readonly recordings: readonly AppendOpen[]
}

export interface OpenRecordingsOptions {
  readonly openRecordings?: readonly AppendOpen[]
  readonly onOpenRecordings?: (recordings: readonly AppendOpen[]) => void
}

export class OpenRecordings {
  readonly #options: OpenRecordingsOptions
  readonly #log: Log
  #recordings: readonly AppendOpen[]

  constructor(options: OpenRecordingsOptions, log: Log) {
    this.#options = options
    this.#log = log
    this.#recordings = options.openRecordings ?? []
  }

  /** Call before any other message to a new thread, so that it reopens the recordings first. */
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
