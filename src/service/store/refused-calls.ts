import type { Database, Write } from './tables.ts'

export interface RefusedCall {
  readonly hour: string
  readonly source: string
  readonly reason: string
  readonly calls: number
  readonly last_at: string
}

const KEPT_DAYS = 30
/** Distinct rows per hour; calls of further sources are counted together under `other`. */
const MAX_SOURCES = 1_000

export async function addRefused(db: Write, rows: readonly RefusedCall[], now: number): Promise<void> {
  const oldest = new Date(now - KEPT_DAYS * 24 * 60 * 60 * 1000).toISOString().slice(0, 13)
  await db.deleteFrom('refused_calls').where('hour', '<', oldest).execute()
  for (const row of rows) await add(db, (await isRoomFor(db, row)) ? row : { ...row, source: 'other' })
}

export function listRefused(db: Database, limit: number): Promise<RefusedCall[]> {
  return db
    .selectFrom('refused_calls')
    .selectAll()
    .orderBy('hour', 'desc')
    .orderBy('calls', 'desc')
    .orderBy('source')
    .limit(limit)
    .execute()
}

async function add(db: Write, row: RefusedCall): Promise<void> {
  await db
    .insertInto('refused_calls')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['hour', 'source', 'reason'])
        .doUpdateSet((eb) => ({ calls: eb('refused_calls.calls', '+', row.calls), last_at: row.last_at })),
    )
    .execute()
}

async function isRoomFor(db: Write, { hour, source, reason }: RefusedCall): Promise<boolean> {
  const rows = db.selectFrom('refused_calls').where('hour', '=', hour)
  const known = await rows.select('source').where('source', '=', source).where('reason', '=', reason).executeTakeFirst()
  if (known !== undefined) return true
  const { count } = await rows.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return Number(count) < MAX_SOURCES
}
