import type { Selectable } from 'kysely'
import { AppError } from '#contract/errors.ts'
import type { Plan } from '#service/kernel/caller.ts'
import { openChain } from './audit.ts'
import type { Database, Tables, Write } from './tables.ts'

export async function ensurePractice(db: Write, id: string, name: string, plan: Plan | undefined, now: string): Promise<void> {
  if ((await findPlan(db, id)) !== null) {
    if (plan !== undefined) await db.updateTable('practices').set({ plan }).where('id', '=', id).execute()
    return
  }
  const practice = { id, name, plan: plan ?? ('free' as const), created_at: now }
  await db.insertInto('practices').values(practice).execute()
  await openChain(db, id)
}

export interface Placement {
  readonly state: Selectable<Tables['practices']>['state']
  readonly moved_to: string | null
}

export function requireServed({ state, moved_to }: Placement): void {
  if (state === 'open') return
  const moving = 'This practice is being moved to another server. Nothing is lost. Try again in a few minutes.'
  throw new AppError('practice-moved', moved_to === null ? moving : `This practice has moved to ${moved_to}. Use that address.`)
}

/** Also increments `authority_version`, so that calls with cached authorization notice the change. */
export async function place(db: Write, id: string, { state, moved_to }: Placement): Promise<void> {
  await db
    .updateTable('practices')
    .set((row) => ({ state, moved_to, authority_version: row('authority_version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export async function findPractice(db: Database, id: string): Promise<Practice | null> {
  return (await db.selectFrom('practices').select(shown).where('id', '=', id).executeTakeFirst()) ?? null
}

export async function servedOf(db: Database, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const away = await db.selectFrom('practices').select('id').where('state', '!=', 'open').execute()
  const gone = new Set(away.map(({ id }) => id))
  return ids.filter((id) => !gone.has(id))
}

const shown = ['id', 'name', 'plan', 'created_at', 'state', 'moved_to', 'authority_version'] as const
export type Practice = Pick<Selectable<Tables['practices']>, (typeof shown)[number]>

async function findPlan(db: Database, id: string): Promise<Plan | null> {
  return (await db.selectFrom('practices').select('plan').where('id', '=', id).executeTakeFirst())?.plan ?? null
}

export async function findPracticeName(db: Database, id: string): Promise<string | null> {
  return (await db.selectFrom('practices').select('name').where('id', '=', id).executeTakeFirst())?.name ?? null
}

/** The version counts changes to existing API keys (not their last use), staff, emergency access, plan, and practice state. */
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

export function allPractices(db: Database): Promise<Practice[]> {
  return db.selectFrom('practices').select(shown).orderBy('created_at').orderBy('id').execute()
}

export async function countPractices(db: Database): Promise<number> {
  const counted = db.selectFrom('practices').select(({ fn }) => fn.countAll().as('count'))
  return Number((await counted.executeTakeFirstOrThrow()).count)
}

const states = ['id', 'last_change', 'work_steps', 'authority_version'] as const
export type PracticeState = Readonly<Pick<Selectable<Tables['practices']>, (typeof states)[number]>>

const MAX_IDS = 500

export async function practiceStates(db: Database, ids: readonly string[]): Promise<PracticeState[]> {
  const found: PracticeState[] = []
  for (let start = 0; start < ids.length; start += MAX_IDS) {
    const some = ids.slice(start, start + MAX_IDS)
    found.push(...(await db.selectFrom('practices').select(states).where('id', 'in', some).execute()))
  }
  return found
}

export async function isReachable(db: Database): Promise<boolean> {
  try {
    await db.selectFrom('practices').select('id').limit(1).execute()
    return true
  } catch {
    return false
  }
}
