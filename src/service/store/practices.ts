import { openChain } from './audit.ts'
import type { Database, Write } from './tables.ts'

export type Plan = 'free' | 'professional' | 'enterprise'

/**
 * Makes the practice and its audit chain where it is new, on the free plan unless one is named. Without a named plan an
 * existing one stays.
 */
export async function ensurePractice(db: Write, id: string, name: string, plan: Plan | undefined, now: string): Promise<void> {
  if ((await findPlan(db, id)) !== null) {
    if (plan !== undefined) await db.updateTable('practices').set({ plan }).where('id', '=', id).execute()
    return
  }
  await db
    .insertInto('practices')
    .values({ id, name, plan: plan ?? 'free', created_at: now })
    .execute()
  await openChain(db, id)
}

export async function findPlan(db: Database, id: string): Promise<Plan | null> {
  return (await db.selectFrom('practices').select('plan').where('id', '=', id).executeTakeFirst())?.plan ?? null
}

export async function findPracticeName(db: Database, id: string): Promise<string | null> {
  return (await db.selectFrom('practices').select('name').where('id', '=', id).executeTakeFirst())?.name ?? null
}

/** Which state of keys, staff, emergencies and plan holds now. */
export async function authorityVersion(db: Database, id: string): Promise<number | null> {
  const row = await db.selectFrom('practices').select('authority_version').where('id', '=', id).executeTakeFirst()
  return row?.authority_version ?? null
}

export async function onlyPractice(db: Database): Promise<string | null> {
  return (await db.selectFrom('practices').select('id').orderBy('created_at').limit(1).executeTakeFirst())?.id ?? null
}

export async function setPlan(db: Write, id: string, plan: Plan): Promise<void> {
  await db.updateTable('practices').set({ plan }).where('id', '=', id).execute()
}

/** In the order of their creation. */
export function allPractices(db: Database): Promise<{ id: string; name: string; plan: Plan; created_at: string }[]> {
  return db.selectFrom('practices').select(['id', 'name', 'plan', 'created_at']).orderBy('created_at').orderBy('id').execute()
}

export async function countPractices(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('practices')
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** What moves with everything that event streams tell of, and with what callers may. */
export interface PracticeState {
  readonly id: string
  readonly last_change: number
  readonly work_steps: number
  readonly authority_version: number
}

/** SQL takes so many values at once. */
const MAX_IDS = 500

/** Takes no lock. */
export async function practiceStates(db: Database, ids: readonly string[]): Promise<PracticeState[]> {
  const found: PracticeState[] = []
  for (let start = 0; start < ids.length; start += MAX_IDS) {
    const rows = await db
      .selectFrom('practices')
      .select(['id', 'last_change', 'work_steps', 'authority_version'])
      .where('id', 'in', ids.slice(start, start + MAX_IDS))
      .execute()
    found.push(...rows)
  }
  return found
}

/** The store answers now. Opening it brought it to this release. */
export async function isReachable(db: Database): Promise<boolean> {
  try {
    await db.selectFrom('practices').select('id').limit(1).execute()
    return true
  } catch {
    return false
  }
}
