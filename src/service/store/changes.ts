import { AppError } from '#contract/errors.ts'
import type { Database, Write } from './tables.ts'

export interface ChangeRow {
  readonly seq: number
  readonly kind: string
  readonly record_id: string
  readonly version: number
  readonly deleted: number
  readonly at: string
}

export async function lastChange(db: Database, practice: string): Promise<number> {
  return (await bounds(db, practice)).last
}

/** @throws AppError `cursor-expired` if changes after `after` were deleted, or `after` is beyond the last one */
export async function changesAfter(db: Database, practice: string, after: number, limit: number): Promise<ChangeRow[]> {
  const { first, last } = await bounds(db, practice)
  if (after > last || (first > 0 && after < first - 1)) throw new AppError('cursor-expired')
  const rows = await db
    .selectFrom('changes')
    .select(['seq', 'kind', 'record_id', 'version', 'deleted', 'at'])
    .where('practice_id', '=', practice)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, seq: Number(row.seq), version: Number(row.version), deleted: Number(row.deleted) }))
}

/** Deletes up to the first change not older than `before`: a clock set back leaves no gap. The last change always stays. */
export async function forgetChanges(db: Write, practice: string, before: string): Promise<void> {
  const kept = await db
    .selectFrom('changes')
    .select(({ fn }) => fn.min('seq').as('first'))
    .where('practice_id', '=', practice)
    .where('at', '>=', before)
    .executeTakeFirst()
  const first = Number(kept?.first ?? (await lastChange(db, practice)))
  await db.deleteFrom('changes').where('practice_id', '=', practice).where('seq', '<', first).execute()
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
  const row = await db
    .selectFrom('changes')
    .select(({ fn }) => [fn.min('seq').as('first'), fn.max('seq').as('last')])
    .where('practice_id', '=', practice)
    .executeTakeFirstOrThrow()
  return { first: Number(row.first ?? 0), last: Number(row.last ?? 0) }
}
