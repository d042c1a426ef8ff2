import type { Log } from '#base/log.ts'
import type { ChainReport } from '../store/audit-verify.ts'
import { verifyAudit } from '../store/audit-verify.ts'
import { lookInPractice } from '../store/in-practice.ts'
import { openStore } from '../store/open-store.ts'
import type { Database } from '../store/tables.ts'
import { findPlace } from './place.ts'
import type { Settings } from './settings.ts'

export type Chain = ChainReport & { readonly practice: string }

/** Walks the audit log of every practice; 1 where one is broken, or a noted event is in none. */
export async function verify(settings: Settings, log: Log, say: (line: string) => void): Promise<number> {
  const { store, key } = await findPlace(settings, log)
  const db = await openStore(store)
  key.fill(0)
  const noted = settings.at_least ?? []
  try {
    const chains = await chainsOf(db, new Set(noted))
    const lost = noted.filter((one) => !chains.some(({ found }) => found.includes(one)))
    for (const chain of chains) say(`${chain.practice}: ${described(chain)}`)
    for (const one of lost) say(`${one}: no chain holds this event. Events were removed or rewritten, or this is an older copy.`)
    for (const line of limitsOf(noted.length > 0)) say(line)
    return lost.length > 0 || chains.some(({ broken_at }) => broken_at !== null) ? 1 : 0
  } finally {
    await db.destroy()
  }
}

export async function chainsOf(db: Database, noted: ReadonlySet<string> = new Set()): Promise<Chain[]> {
  // One that arrives is verified by its import; of one that was removed nothing is left.
  const practices = await db.selectFrom('practices').select('id').where('state', 'in', ['open', 'closed']).orderBy('id').execute()
  const chains: Chain[] = []
  for (const { id } of practices)
    chains.push({ practice: id, ...(await lookInPractice(db, id, (read) => verifyAudit(read, id, noted))) })
  return chains
}

function described({ events, broken_at, problem, head, plain_through }: Chain): string {
  const end = head === null ? '' : ` The sealed head is ${head}.`
  const at = `broken at event ${broken_at}:`
  switch (problem) {
    case null: {
      const plain = plain_through === 0 ? '' : `, the first ${plain_through} with plain hashes from before links had a key`
      return `${events} events, whole${plain}; head ${head}`
    }
    case 'changed':
      return `${at} it is not what was recorded, or its link was made without the key.${end}`
    case 'missing':
      return `${at} it is missing, and later ones are there.${end}`
    case 'truncated':
      return `${at} it and all after it are missing.${end}`
    case 'beyond-head':
      return `${at} it and later ones are after the sealed head, which was put back to an older one.${end}`
    case 'before-first':
      return `${at} events with lower numbers were added before it.${end}`
    case 'no-head':
      return `${at} the sealed head is missing, or was not sealed with this key for this practice.`
  }
}

/** What no chain can prove. */
const limitsOf = (isNoted: boolean): string[] => [
  'Not detected: links made with the key of the store by someone who has it and no noted head contradicts.',
  ...(isNoted
    ? []
    : [
        'Not detected without --at-least: an older copy put back with its head, or a practice removed whole. Note the heads elsewhere.',
      ]),
]
