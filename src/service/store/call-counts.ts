import { sql } from 'kysely'
import { selectIn } from './records.ts'
import type { Database, Tables, Write } from './tables.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export interface DayUse {
  /** UTC, `YYYY-MM-DD`. */
  readonly day: string
  readonly used: number
}

/** If the clock was set back over midnight, calls still count toward the later day. Ignores rows more than one day ahead. */
export async function useToday(db: Database, practice: string, now: number): Promise<DayUse> {
  const today = dayOf(now)
  const days = selectIn(db, 'quota_days', practice)
    .select(['day', 'used'])
    .where('day', 'in', [today, dayOf(now + DAY_MS)])
  return (await days.orderBy('day', 'desc').limit(1).executeTakeFirst()) ?? { day: today, used: 0 }
}

export async function countCall(db: Write, practice: string, limit: number | null, now: number): Promise<DayUse | null> {
  const [today, tomorrow] = [dayOf(now), dayOf(now + DAY_MS)]
  const day = sql<string>`(select coalesce(max(day), ${today}) from quota_days
    where practice_id = ${practice} and day in (${today}, ${tomorrow}))`
  const more = db
    .insertInto('quota_days')
    .values({ practice_id: practice, day, used: 1 })
    .onConflict((conflict) => {
      const counted = conflict.columns(['practice_id', 'day']).doUpdateSet((eb) => ({ used: eb('quota_days.used', '+', 1) }))
      return limit === null ? counted : counted.where('quota_days.used', '<', limit)
    })
  if (limit === null) {
    await more.execute()
    return { day: today, used: 0 }
  }
  const row = await more.returning(['day', 'used']).executeTakeFirst()
  return row === undefined ? null : { day: row.day, used: Number(row.used) }
}

export const endOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`) + DAY_MS

function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10)
}

export type RefusedCall = Readonly<Tables['refused_calls']>

const KEPT_DAYS = 30
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
