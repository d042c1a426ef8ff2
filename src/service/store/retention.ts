import { AppError } from '#contract/errors.ts'
import type { ErasedKind, Erasure, LegalHold, RetentionPolicy } from '#contract/model/retention.ts'
import { newRecord, recordsIn, selectIn, updateIn } from './records.ts'
import { sealed } from './sealed.ts'
import type { Database, Write } from './tables.ts'

const untilSaid = { transcript_days: null, note_years: 7, version: 1 } as const

export async function getPolicy(db: Database, practice: string): Promise<RetentionPolicy> {
  const policies = selectIn(db, 'retention_policies', practice)
  const row = await policies.select(['transcript_days', 'note_years', 'version', 'updated_at']).executeTakeFirst()
  return row ?? { ...untilSaid, updated_at: new Date(0).toISOString() }
}

export async function putPolicy(db: Write, practice: string, policy: RetentionPolicy): Promise<void> {
  await db
    .insertInto('retention_policies')
    .values({ ...policy, practice_id: practice, sweep_at: policy.updated_at })
    .onConflict((conflict) => conflict.column('practice_id').doUpdateSet({ ...policy, sweep_at: policy.updated_at }))
    .execute()
}

export async function sweepAt(db: Write, practice: string, time: string): Promise<void> {
  await updateIn(db, 'retention_policies', practice).set({ sweep_at: time }).execute()
}

export async function practicesToSweep(db: Database, now: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('retention_policies')
    .innerJoin('practices', 'practices.id', 'retention_policies.practice_id')
    .select('practice_id')
    .where('state', '=', 'open')
    .where('transcript_days', 'is not', null)
    .where('sweep_at', '<=', now)
    .orderBy('sweep_at')
    .limit(limit)
    .execute()
  return rows.map(({ practice_id }) => practice_id)
}

const erasures = recordsIn('erasures')
export const { list: listErasures } = erasures

export const insertErasure = (db: Write, practice: string, erasure: Erasure): Promise<void> =>
  erasures.insert(db, practice, { ...erasure, ...newRecord(erasure.id, erasure.erased_at) })

const tables = { transcript: 'transcripts', analysis: 'analyses', note: 'notes' } as const

export async function eraseBody(db: Write, practice: string, kind: ErasedKind, id: string, now: string): Promise<void> {
  await updateIn(db, tables[kind] as 'notes', practice)
    .set((row) => ({ body: sealed('{}'), deleted_at: now, updated_at: now, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export type Due = Awaited<ReturnType<typeof oldTranscripts>>[number]

export async function oldTranscripts(db: Database, practice: string, before: string, after: string, limit: number) {
  const rows = await selectIn(db, 'transcripts', practice)
    .select(['id', 'session_id'])
    .where('deleted_at', 'is', null)
    .where('session_id', 'is not', null)
    .where('created_at', '<=', before)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.flatMap(({ id, session_id }) => (session_id === null ? [] : [{ id, session_id }]))
}

export async function firstTranscriptAfter(db: Database, practice: string, time: string): Promise<string | null> {
  const later = selectIn(db, 'transcripts', practice).select('created_at').where('created_at', '>', time)
  const row = await later.where('deleted_at', 'is', null).orderBy('created_at').limit(1).executeTakeFirst()
  return row?.created_at ?? null
}

export async function isSourceErased(db: Database, practice: string, session_id: string | null): Promise<boolean> {
  if (session_id === null) return false
  const of = selectIn(db, 'transcripts', practice).select('deleted_at').where('session_id', '=', session_id)
  const rows = await of.execute()
  return rows.length > 0 && rows.every(({ deleted_at }) => deleted_at !== null)
}

export async function hasWork(db: Database, practice: string): Promise<boolean> {
  const open = selectIn(db, 'operations', practice).select('id').where('status', 'in', ['queued', 'running'])
  return (await open.limit(1).executeTakeFirst()) !== undefined
}

const holds = recordsIn('legal_holds', {
  hasOwnId: true,
  columns: ({ released_at }) => ({ is_released: released_at === null ? (0 as const) : (1 as const) }),
  columnsOfNew: ({ client_id }) => ({ client_id }),
})
export const { get: getLegalHold, list: listLegalHolds, insert: insertLegalHold } = holds

export async function releaseLegalHold(db: Write, practice: string, hold: LegalHold): Promise<void> {
  await holds.update(db, practice, hold)
  await sweepAt(db, practice, hold.updated_at)
}

interface HeldBy {
  readonly client_id: string | null
  readonly session_id: string | null
}

export async function isHeld(db: Database, practice: string, { client_id, session_id }: HeldBy): Promise<boolean> {
  const clients = [...(client_id === null ? [] : [client_id]), ...(await clientsIn(db, practice, session_id))]
  const hold = await selectIn(db, 'legal_holds', practice)
    .select('id')
    .where('is_released', '=', 0)
    .where((where) =>
      where.or([where('client_id', 'is', null), ...(clients.length === 0 ? [] : [where('client_id', 'in', clients)])]),
    )
    .limit(1)
    .executeTakeFirst()
  return hold !== undefined
}

export async function refuseHeld(db: Database, practice: string, what: HeldBy): Promise<void> {
  if (await isHeld(db, practice, what)) throw new AppError('legal-hold')
}

async function clientsIn(db: Database, practice: string, session: string | null): Promise<string[]> {
  if (session === null) return []
  const main = selectIn(db, 'sessions', practice).select('client_id').where('id', '=', session)
  const others = selectIn(db, 'session_clients', practice).select('client_id').where('session_id', '=', session)
  const rows = await others.union(main).execute()
  return rows.map(({ client_id }) => client_id)
}
