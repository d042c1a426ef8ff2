import { AppError } from '#contract/errors.ts'
import type { JobServices } from './port.ts'
import { decode, kindOf } from '#engines/speech/audio-source.ts'
import { inPractice } from '../store/in-practice.ts'
import { findSent } from '../store/sent-uploads.ts'
import { findUpload, uploadContent } from '../store/uploads.ts'

export interface OpenSound {
  /** 16 kHz mono samples, decoded on demand. */
  readonly sound: AsyncIterable<Float32Array>
  /** Share of the bytes read, 0 to 1. */
  share(): number
}

/** @throws AppError `not-found`, `unsupported-media` */
export async function openSound(
  { db, audio, blobs }: Pick<JobServices, 'db' | 'audio' | 'blobs'>,
  practice: string,
  id: string,
): Promise<OpenSound> {
  const { upload, held } = await inPractice(db, practice, async (read) => {
    const found = await findUpload(read, practice, id)
    if (found === null) throw new AppError('not-found', 'The audio is no longer there.')
    const sent = await findSent(read, practice, id)
    if (sent !== null) return { upload: found, held: 'sealed_key' in sent ? blobs.read(sent) : undefined }
    return {
      upload: found,
      held: found.recording_id === null ? inPieces(await uploadContent(read, id)) : audio?.read(found.recording_id),
    }
  })
  if (held === undefined) throw new AppError('not-found', 'The audio is no longer there.')
  let read = 0
  async function* counted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      read += chunk.length
      yield chunk
    }
  }
  const kind = kindOf(upload.media_type)
  return { sound: decode(kind, counted(held)), share: () => read / Math.max(1, upload.bytes) }
}

async function* inPieces(bytes: Uint8Array | null): AsyncGenerator<Uint8Array> {
  for (let at = 0; bytes !== null && at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}
