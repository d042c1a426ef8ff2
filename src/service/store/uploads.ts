import { AppError } from '#contract/errors.ts'
import { ofClient } from './clients.ts'
import { deleteIn, selectIn, updateIn } from './records.ts'
import { sealedBytes } from './sealed.ts'
import type { Database, Tables, Write } from './tables.ts'

export type Upload = Readonly<Pick<Tables['uploads'], 'id' | 'session_id' | 'recording_id' | 'media_type' | 'bytes'>>

const shown = ['id', 'session_id', 'recording_id', 'media_type', 'bytes'] as const

export async function findUpload(db: Database, practice: string, id: string): Promise<Upload | null> {
  const uploads = selectIn(db, 'uploads', practice).select(shown)
  return (await uploads.where('id', '=', id).executeTakeFirst()) ?? null
}

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

export async function insertUpload(db: Write, practice: string, upload: Upload, content: Uint8Array | null, now: string) {
  const taken = await db.selectFrom('uploads').select('id').where('id', '=', upload.id).executeTakeFirst()
  if (taken !== undefined) throw new AppError('already-exists')
  const row = { ...upload, ...elsewhere, practice_id: practice, content: content && sealedBytes(content), created_at: now }
  await db.insertInto('uploads').values(row).execute()
}

/** Deletes audio that was sent within a call. Other uploads stay. */
export async function dropContent(db: Write, id: string): Promise<void> {
  await db.deleteFrom('uploads').where('id', '=', id).where('recording_id', 'is', null).where('person_id', 'is', null).execute()
}

export interface SentUpload
  extends Upload, Readonly<Pick<Tables['uploads'], 'created_at' | 'sha256' | 'whole' | 'operation_id'>> {
  readonly person_id: string
  readonly sealed_key: Uint8Array
  readonly expires_at: string
}

interface ErasedUpload {
  readonly id: string
  readonly person_id: string
  readonly erased_at: string
}

const sentColumns = [...shown, 'created_at', 'person_id', 'sealed_key', 'sha256', 'whole', 'operation_id', 'expires_at'] as const

export async function findSent(db: Database, practice: string, id: string): Promise<SentUpload | ErasedUpload | null> {
  const sentOnes = selectIn(db, 'uploads', practice)
    .select([...sentColumns, 'erased_at'])
    .where('person_id', 'is not', null)
  const row = await sentOnes.where('id', '=', id).executeTakeFirst()
  if (row === undefined) return null
  const { erased_at, ...sent } = row
  return erased_at === null ? (sent as SentUpload) : { id, person_id: row.person_id ?? '', erased_at }
}

export async function insertSent(db: Write, practice: string, upload: SentUpload): Promise<void> {
  const row = { ...upload, practice_id: practice, content: null, erased_at: null }
  await db.insertInto('uploads').values(row).execute()
}

export async function changeSent(
  db: Write,
  practice: string,
  id: string,
  change: Partial<Pick<SentUpload, 'media_type' | 'whole' | 'operation_id'>>,
): Promise<void> {
  await updateIn(db, 'uploads', practice).set(change).where('id', '=', id).execute()
}

export async function countSent(db: Database, practice: string): Promise<number> {
  const sent = selectIn(db, 'uploads', practice).where('sealed_key', 'is not', null)
  const { count } = await sent.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow()
  return Number(count)
}

export async function sentOfClient(db: Database, practice: string, client: string) {
  const rows = await db
    .selectFrom('uploads')
    .innerJoin('sessions', 'sessions.id', 'uploads.session_id')
    .select(['uploads.id', 'uploads.session_id'])
    .where('uploads.practice_id', '=', practice)
    .where('uploads.sealed_key', 'is not', null)
    .where(ofClient(client))
    .execute()
  return rows.flatMap(({ id, session_id }) => (session_id === null ? [] : [{ id, session_id }]))
}

export function expiredSent(db: Database, practice: string, now: string): Promise<{ id: string }[]> {
  return selectIn(db, 'uploads', practice)
    .select('id')
    .where('sealed_key', 'is not', null)
    .where('expires_at', '<=', now)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('operations')
            .select('operations.id')
            .whereRef('operations.id', '=', 'uploads.operation_id')
            .where('operations.status', 'in', ['queued', 'running']),
        ),
      ),
    )
    .execute()
}

export async function practicesWithUploadsToSweep(db: Database, now: string, forgetBefore: string): Promise<string[]> {
  const found = [
    await db
      .selectFrom('uploads')
      .select('practice_id')
      .distinct()
      .where('sealed_key', 'is not', null)
      .where('expires_at', '<=', now)
      .execute(),
    await db.selectFrom('uploads').select('practice_id').distinct().where('erased_at', '<', forgetBefore).execute(),
    await db.selectFrom('blobs_to_remove').select('practice_id').distinct().execute(),
  ]
  return [...new Set(found.flat().map(({ practice_id }) => practice_id))]
}

/** Deletes the key, which makes the audio unreadable. The row stays for a week, so that the expiry can be reported. */
export async function expireSent(db: Write, practice: string, id: string, now: string): Promise<void> {
  await db.updateTable('uploads').set({ sealed_key: null, erased_at: now }).where('id', '=', id).execute()
  await removeBlobLater(db, practice, id, now)
}

export async function forgetExpired(db: Write, practice: string, before: string): Promise<void> {
  await deleteIn(db, 'uploads', practice).where('erased_at', '<', before).execute()
}

export async function dropSent(db: Write, practice: string, id: string, now: string): Promise<void> {
  const sent = await db.selectFrom('uploads').select('sealed_key').where('id', '=', id).executeTakeFirst()
  if (sent?.sealed_key) await removeBlobLater(db, practice, id, now)
  await db.deleteFrom('uploads').where('id', '=', id).where('recording_id', 'is', null).execute()
}

async function removeBlobLater(db: Write, practice_id: string, blob_id: string, since: string): Promise<void> {
  await db
    .insertInto('blobs_to_remove')
    .values({ blob_id, practice_id, since })
    .onConflict((conflict) => conflict.column('blob_id').doNothing())
    .execute()
}

export async function blobsToRemove(db: Database, practice: string): Promise<string[]> {
  return (await selectIn(db, 'blobs_to_remove', practice).select('blob_id').execute()).map(({ blob_id }) => blob_id)
}

export async function blobRemoved(db: Write, id: string): Promise<void> {
  await db.deleteFrom('blobs_to_remove').where('blob_id', '=', id).execute()
}

/** An id stays taken until its blob is removed; otherwise a new blob with that id would be removed too. */
export async function isUploadTaken(db: Database, id: string): Promise<boolean> {
  const upload = await db.selectFrom('uploads').select('id').where('id', '=', id).executeTakeFirst()
  if (upload !== undefined) return true
  return (await db.selectFrom('blobs_to_remove').select('blob_id').where('blob_id', '=', id).executeTakeFirst()) !== undefined
}
