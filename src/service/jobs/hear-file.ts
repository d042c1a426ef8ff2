import { AppError } from '#contract/errors.ts'
import type { JobServices } from './job-services.ts'
import type { FileKind, SpeechPort } from '#engines/speech/port.ts'
import { findSent } from '../store/sent-uploads.ts'
import type { SentUpload } from '../store/sent-uploads.ts'
import { inPractice } from '../store/in-practice.ts'
import type { Hearing, Wishes } from './hear.ts'

/** No sound of a kind that is sent as it is takes fewer bytes for a second. */
const fewestBytesPerSecond = 1000

/** A file that is not decoded here is heard by the server in one go, as it was sent. */
export async function hearFile(
  { db, blobs }: Pick<JobServices, 'db' | 'blobs'>,
  practice: string,
  { upload, kind, server }: { readonly upload: string; readonly kind: FileKind; readonly server: SpeechPort },
  { language, vocabulary }: Wishes,
  signal: AbortSignal,
): Promise<Hearing> {
  const sent = await inPractice(db, practice, (read) => findSent(read, practice, upload))
  if (sent === null || 'erased_at' in sent) throw new AppError('not-found', 'The audio is no longer there.')
  const wav = await whole(blobs, sent)
  const duration_ms = Math.ceil((sent.bytes / fewestBytesPerSecond) * 1000)
  const heard = await server.transcribe({ wav, file: kind, duration_ms, language, vocabulary }, signal)
  const end = heard.segments.reduce((latest, { end_ms }) => Math.max(latest, end_ms), 0)
  return { parts: [{ start_ms: 0, duration_ms: end, heard }], spoken: null, engine: server.engine }
}

async function whole(blobs: JobServices['blobs'], sent: SentUpload): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(sent.bytes)
  let at = 0
  for await (const part of blobs.read(sent)) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
