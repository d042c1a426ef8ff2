import { AppError } from '#contract/errors.ts'
import { deleteIn, selectIn } from './records.ts'
import type { Database, Tables, Write } from './tables.ts'

export type ChangeRow = Readonly<Omit<Tables['changes'], 'practice_id'>>

export async function lastChange(db: Database, practice: string): Promise<number> {
  return (await bounds(db, practice)).last
}

export async function changesAfter(db: Database, practice: string, after: number, limit: number): Promise<ChangeRow[]> {
  const { first, last } = await bounds(db, practice)
  if (after > last || (first > 0 && after < first - 1)) throw new AppError('cursor-expired')
  const changes = selectIn(db, 'changes', practice).select(['seq', 'kind', 'record_id', 'version', 'deleted', 'at'])
  const rows = await changes.where('seq', '>', after).orderBy('seq').limit(limit).execute()
  return rows.map((row) => ({ ...row, seq: Number(row.seq), version: Number(row.version), deleted: Number(row.deleted) }))
}

/** Deletes what precedes the first change at or after `before`, as deleting by time may leave gaps. Keeps the last change. */
export async function forgetChanges(db: Write, practice: string, before: string): Promise<void> {
  const recent = selectIn(db, 'changes', practice).where('at', '>=', before)
  const kept = await recent.select(({ fn }) => fn.min('seq').as('first')).executeTakeFirst()
  const first = Number(kept?.first ?? (await lastChange(db, practice)))
  await deleteIn(db, 'changes', practice).where('seq', '<', first).execute()
}

export async function practicesWithOldChanges(db: Database, before: string): Promise<string[]> {
  const rows = await db
    .selectFrom('changes')
    .select('practice_id')
    .distinct()
    .where('at', '<', before)
    .where((where) =>
      where.exists(
        where
          .selectFrom('changes as later')
          .select('later.seq')
          .whereRef('later.practice_id', '=', 'changes.practice_id')
          .whereRef('later.seq', '>', 'changes.seq'),
      ),
    )
    .execute()
  return rows.map(({ practice_id }) => practice_id)
}

async function bounds(db: Database, practice: string): Promise<{ first: number; last: number }> {
  const row = await selectIn(db, 'changes', practice)
    .select(({ fn }) => [fn.min('seq').as('first'), fn.max('seq').as('last')])
    .executeTakeFirstOrThrow()
  return { first: Number(row.first ?? 0), last: Number(row.last ?? 0) }
}
