import { deriveKey } from '#base/aead.ts'
import { systemClock, timestamp } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { planSchema } from '#contract/model/plan.ts'
import { appendAudit } from '../store/audit.ts'
import { inPractice } from '../store/in-practice.ts'
import { openStore } from '../store/open-store.ts'
import { allPractices, ensurePractice, setPlan } from '../store/practices.ts'
import type { Database } from '../store/tables.ts'
import { byOperator, insertOwnerKey, openPractice } from './keys.ts'
import { Mistake } from './mistake.ts'
import { findPlace } from './place.ts'
import type { Settings } from './settings.ts'

type Say = (line: string) => void
const longestName = 200

/** A new practice and the key that lets its owner in. */
export async function addPractice(settings: Settings, log: Log, say: Say, given = ''): Promise<number> {
  const name = given.trim()
  if (name === '' || name.length > longestName) throw new Mistake(`A name has 1 to ${longestName} characters.`)
  return withStore(settings, log, async (db, key) => {
    const pepper = deriveKey(key, 'api keys')
    const id = newId(systemClock)
    const secret = await inPractice(db, id, async (write) => {
      await ensurePractice(write, id, name, settings.plan, timestamp(systemClock))
      return insertOwnerKey(write, id, pepper)
    })
    pepper.fill(0)
    say(`practice: ${id}`)
    say(`owner key: ${secret}`)
  })
}

export async function listPractices(settings: Settings, log: Log, say: Say): Promise<void> {
  await withStore(settings, log, async (db) => {
    for (const { id, plan, created_at, name, state, moved_to } of await allPractices(db))
      say(`${id} ${(moved_to === null ? state : 'moved').padEnd(8)} ${plan.padEnd(12)} since ${created_at.slice(0, 10)} ${name}`)
  })
}

export async function changePlan(settings: Settings, log: Log, say: Say, id = '', plan = ''): Promise<number> {
  const wanted = planSchema.safeParse(plan).data
  if (wanted === undefined) throw new Mistake(`There is no plan "${plan}". There are ${planSchema.options.join(', ')}.`)
  return withStore(settings, log, async (db) => {
    await openPractice(db, id)
    await inPractice(db, id, async (write) => {
      await setPlan(write, id, wanted)
      await appendAudit(write, id, byOperator('changePlan', 'U', [id]))
    })
    say(`${id} is now on the plan ${plan}`)
  })
}

/** Opens the store, for as long as the work takes. */
async function withStore(settings: Settings, log: Log, work: (db: Database, key: Buffer) => Promise<void>): Promise<number> {
  const { store, key } = await findPlace(settings, log)
  const db = await openStore(store)
  try {
    await work(db, key)
    return 0
  } finally {
    key.fill(0)
    await db.destroy()
  }
}
