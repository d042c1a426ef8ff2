import { open, seal } from '#base/aead.ts'
import { inPractice } from './in-practice.ts'
import { deleteIn, selectIn } from './records.ts'
import type { Database, Tables, Write } from './tables.ts'

export interface VoiceOf {
  readonly practice: string
  readonly person: string
}

export interface VoiceRecord extends Readonly<Pick<Tables['voices'], 'model_sha256' | 'heard_ms' | 'enrolled_at'>> {
  readonly embedding: Float32Array
}

export async function putVoice(db: Write, key: Uint8Array, whose: VoiceOf, voice: VoiceRecord): Promise<void> {
  const { embedding, ...rest } = voice
  await deleteVoice(db, whose)
  const bytes = Buffer.from(embedding.buffer, embedding.byteOffset, embedding.byteLength)
  const sealed = seal(key, bytes, voiceBinding(whose, voice.model_sha256))
  const row = { practice_id: whose.practice, person_id: whose.person, sealed, ...rest }
  await db.insertInto('voices').values(row).execute()
}

export async function deleteVoice(db: Write, { practice, person }: VoiceOf): Promise<void> {
  await deleteIn(db, 'voices', practice).where('person_id', '=', person).execute()
}

export async function findVoice(db: Database, { practice, person }: VoiceOf): Promise<Omit<VoiceRecord, 'embedding'> | null> {
  const voices = selectIn(db, 'voices', practice).select(['model_sha256', 'heard_ms', 'enrolled_at'])
  return (await voices.where('person_id', '=', person).executeTakeFirst()) ?? null
}

export async function enrolledVoices(db: Database, key: Uint8Array, practice: string, model_sha256: string) {
  const rows = await inPractice(db, practice, (read) =>
    selectIn(read, 'voices', practice)
      .select(['person_id', 'sealed'])
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

/** Binds the ciphertext to practice, person, and model, so it cannot be moved to another row. */
export const voiceBinding = ({ practice, person }: VoiceOf, model: string): Buffer =>
  Buffer.from(`voice ${practice} ${person} ${model}`)
