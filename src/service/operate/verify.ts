import type { Log } from '#base/log.ts'
import { verifyAudit } from '../store/audit.ts'
import { inPractice } from '../store/in-practice.ts'
import { openStore } from '../store/open-store.ts'
import type { Database } from '../store/tables.ts'
import { findPlace } from './place.ts'
import type { Settings } from './settings.ts'

export interface Chain {
  readonly practice: string
  readonly events: number
  /** Number of the first event that does not follow from the one before. */
  readonly broken_at: number | null
}

/** Walks the audit log of every practice; 1 where one is broken. */
export async function verify(settings: Settings, log: Log, say: (line: string) => void): Promise<number> {
  const { store, key } = await findPlace(settings, log)
  const db = await openStore(store)
  key.fill(0)
  try {
    const chains = await chainsOf(db)
    for (const { practice, events, broken_at } of chains)
      say(broken_at === null ? `${practice}: ${events} events, whole` : `${practice}: broken at event ${broken_at}`)
    return chains.some(({ broken_at }) => broken_at !== null) ? 1 : 0
  } finally {
    await db.destroy()
  }
}

export async function chainsOf(db: Database): Promise<Chain[]> {
  const practices = await db.selectFrom('practices').select('id').orderBy('id').execute()
  const chains: Chain[] = []
  for (const { id } of practices) chains.push({ practice: id, ...(await inPractice(db, id, (read) => verifyAudit(read, id))) })
  return chains
}
