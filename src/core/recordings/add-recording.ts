import { newKey } from '#base/aead.ts'
import { AppendFile, realDisk } from './append-file.ts'
import { finish } from './ending-handlers.ts'
import { reconcile } from './reconcile.ts'
import { newHeader } from './recording-files.ts'
import type { RecordingContext } from './recordings.ts'

export interface FinishedSound {
  readonly id: string
  readonly session_id: string
  readonly started_at: string
  /** Records, each after its length (unsigned 16-bit big-endian). */
  readonly packets: Buffer
  /** Peak and RMS of each record. */
  readonly levels: readonly (readonly [peak: number, rms: number])[]
}

const format = { codec: 'opus', input_sample_rate: 16_000, channels: 1, bitrate: 28_000, pre_skip: 312 } as const

/** Stores sound that was recorded elsewhere as a file, which is adopted like one found after a crash. */
export async function addRecording(context: RecordingContext, sound: FinishedSound): Promise<void> {
  const { id, session_id, started_at } = sound
  const key = newKey()
  try {
    const created_ms = Date.parse(started_at)
    const header = { recording_id: id, session_id, created_ms, format }
    context.files.create(id, newHeader(context.keys, key, header))
    // Finishing it syncs the file.
    const disk = { write: realDisk.write, sync: () => {} }
    let [at, saved_ms] = [0, 0]
    const clock = { ...context.clock, now: () => created_ms + saved_ms }
    const file = new AppendFile({ path: context.files.path(id), recordingId: id, key, clock, disk })
    for (const [sequence, [peak, rms]] of sound.levels.entries()) {
      const end = at + 2 + sound.packets.readUInt16BE(at)
      file.append({ sequence, packets: sound.packets.subarray(at + 2, end), peak, rms })
      at = end
      saved_ms = file.durable.saved_ms
    }
    file.close()
  } finally {
    key.fill(0)
  }
  const open = new Set((await context.append.status()).map(({ recording_id }) => recording_id))
  reconcile(context, (recordingId) => open.has(recordingId))
  await finish(context, id)
}
