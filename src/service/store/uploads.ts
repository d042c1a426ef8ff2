import { AppError } from '#contract/errors.ts'
import { sealedBytes } from './sealed.ts'
import type { Database, Write } from './tables.ts'

/** Audio that the service can read: a recording, a blob, or content stored until it is transcribed. */
export interface Upload {
  readonly id: string
  readonly session_id: string | null
  readonly recording_id: string | null
  readonly media_type: string
  readonly bytes: number
}

export async function findUpload(db: Database, practice: string, id: string): Promise<Upload | null> {
  const row = await db
    .selectFrom('uploads')
    .select(['id', 'session_id', 'recording_id', 'media_type', 'bytes'])
    .where('practice_id', '=', practice)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** Null if the audio is a recording, is in a blob, or was erased. */
export async function uploadContent(db: Database, id: string): Promise<Uint8Array | null> {
  const row = await db.selectFrom('uploads').select('content').where('id', '=', id).executeTakeFirst()
  return row?.content ?? null
}

const elsewhere = {
  person_id: null,
  sealed_key: null,
  sha256: null,
  whole: 1,
  operation_id: null,
  expires_at: null,
  erased_at: null,
} as const

/** @throws AppError `already-exists` */
export async function insertUpload(
  db: Write,
  practice: string,
  upload: Upload,
  content: Uint8Array | null,
  now: string,
): Promise<void> {
  const taken = await db.selectFrom('uploads').select('id').where('id', '=', upload.id).executeTakeFirst()
  if (taken !== undefined) throw new AppError('already-exists')
  await db
    .insertInto('uploads')
    .values({ ...upload, ...elsewhere, practice_id: practice, content: content && sealedBytes(content), created_at: now })
    .execute()
}

/** Deletes audio sent with a call. Chunked uploads stay, because their status can still be requested. */
export async function dropContent(db: Write, id: string): Promise<void> {
  await db.deleteFrom('uploads').where('id', '=', id).where('recording_id', 'is', null).where('person_id', 'is', null).execute()
}
