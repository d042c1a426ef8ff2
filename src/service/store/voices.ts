import { open, seal } from '#base/aead.ts'
import type { EnrolledVoice } from '#engines/speech/port.ts'
import { inPractice } from './in-practice.ts'
import type { Database, Write } from './tables.ts'

export interface VoiceTable {
  practice_id: string
  person_id: string
  model_sha256: string
  heard_ms: number
  /** Voice embedding, AES-256-GCM with a separate key. */
  sealed: Uint8Array
  enrolled_at: string
}

export interface VoiceOf {
  readonly practice: string
  readonly person: string
}

export interface VoiceRecord {
  readonly embedding: Float32Array
  readonly model_sha256: string
  readonly heard_ms: number
  readonly enrolled_at: string
}

export async function putVoice(db: Write, key: Uint8Array, whose: VoiceOf, voice: VoiceRecord): Promise<void> {
  const { embedding, ...rest } = voice
  await deleteVoice(db, whose)
  const bytes = Buffer.from(embedding.buffer, embedding.byteOffset, embedding.byteLength)
  const sealed = seal(key, bytes, voiceBinding(whose, voice.model_sha256))
  await db
    .insertInto('voices')
    .values({ practice_id: whose.practice, person_id: whose.person, sealed, ...rest })
    .execute()
}

export async function deleteVoice(db: Write, { practice, person }: VoiceOf): Promise<void> {
  await db.deleteFrom('voices').where('practice_id', '=', practice).where('person_id', '=', person).execute()
}

export async function findVoice(db: Database, { practice, person }: VoiceOf): Promise<Omit<VoiceRecord, 'embedding'> | null> {
  const row = await db
    .selectFrom('voices')
    .select(['model_sha256', 'heard_ms', 'enrolled_at'])
    .where('practice_id', '=', practice)
    .where('person_id', '=', person)
    .executeTakeFirst()
  return row ?? null
}

export async function enrolledVoices(
  db: Database,
  key: Uint8Array,
  practice: string,
  model_sha256: string,
): Promise<EnrolledVoice[]> {
  const rows = await inPractice(db, practice, (read) =>
    read
      .selectFrom('voices')
      .select(['person_id', 'sealed'])
      .where('practice_id', '=', practice)
      .where('model_sha256', '=', model_sha256)
      .orderBy('person_id')
      .execute(),
  )
  return rows.flatMap(({ person_id, sealed }) => {
    const bytes = open(key, sealed, voiceBinding({ practice, person: person_id }, model_sha256))
    if (bytes === null) return []
    const embedding = new Float32Array(new Uint8Array(bytes).buffer)
    bytes.fill(0)
    return [{ id: person_id, embedding }]
  })
}

/** Binds the ciphertext to person and model, so it cannot be moved to another row. */
export const voiceBinding = ({ practice, person }: VoiceOf, model: string): Buffer =>
  Buffer.from(`voice ${practice} ${person} ${model}`)
