import type { DialectAdapter } from 'kysely'
import type { Log } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import { canonicalJson } from '#contract/model/note-canonical.ts'
import type { EarlierLinks, Head } from './audit-keys.ts'
import { auditKeysOf, CHAIN_START, linkOf } from './audit-keys.ts'
import type { Database, Write } from './tables.ts'

/** After FHIR R4 AuditEvent: who did what to which records, when, from where, how it went. Ids and codes only. */
export interface AuditEvent {
  readonly recorded: string
  /** Operation id of the contract. */
  readonly operation: string
  /** FHIR: create, read, update, delete, execute. */
  readonly action: 'C' | 'R' | 'U' | 'D' | 'E'
  /** An HTTP status, or how long work ended. */
  readonly outcome: string
  readonly agent: { readonly person: string; readonly key: string | null; readonly roles: readonly string[] }
  readonly source: string
  readonly entities: readonly string[]
  /** Whether consent was looked up here or taken from the caller; null where the operation needs none. */
  readonly consent: 'checked' | 'asserted' | null
  readonly purpose: string | null
  readonly request_id: string
}

/** The head goes to the operator's log whenever so many events were added, so that a copy of it is outside the database. */
const EVENTS_PER_LOGGED_HEAD = 100

/** Where the next event follows. */
interface ChainEnd {
  readonly seq: number
  readonly hash: string
  /** Null where no sealed head goes this far: what is wrong there is left as evidence, not sealed over. */
  readonly earlier: readonly EarlierLinks[] | null
}

interface ChainInWrite {
  /** Its last event before this transaction. */
  readonly since: number
  /** Null where it must be read again. */
  end: ChainEnd | null
}

/** Chains a transaction has read or added to. It holds their lock, and many calls may share it. */
const chains = new WeakMap<Write, Map<string, ChainInWrite>>()

/** Adds to the practice's chain and moves its head, inside the change's own write, so that none is committed alone. */
export async function appendAudit(db: Write, practice: string, event: AuditEvent): Promise<void> {
  const keys = auditKeysOf(db)
  const chain = await chainIn(db, practice)
  const { seq: lastSeq, hash: previous, earlier } = (chain.end ??= await endOf(db, practice))
  const text = canonicalJson(event)
  const seq = lastSeq + 1
  const hash = linkOf(keys.link(practice), practice, seq, previous, text)
  await db
    .insertInto('audit_events')
    .values({ practice_id: practice, seq, recorded_at: event.recorded, event: text, previous_hash: previous, hash })
    .execute()
  if (earlier !== null) {
    const sealed = keys.sealHead(practice, { seq, hash, earlier })
    await db.updateTable('audit_heads').set({ sealed }).where('practice_id', '=', practice).execute()
  }
  chain.end = { seq, hash, earlier }
}

/** The chain of a practice that is new. Never again: a chain without a head has lost it. */
export async function openChain(db: Write, practice: string): Promise<void> {
  await sealHead(db, practice, { seq: 0, hash: CHAIN_START, earlier: [] })
}

/** Something in the transaction was undone, an event perhaps. */
export function forgetChains(db: Write): void {
  for (const chain of chains.get(db)?.values() ?? []) chain.end = null
}

const logs = new WeakMap<DialectAdapter, Log>()

export function logHeads(db: Database, log: Log): void {
  logs.set(db.getExecutor().adapter, log)
}

/** For a transaction that is committed: a head that came to nothing must not be logged. */
export function logHeadsOf(db: Write): void {
  for (const [practice, { since, end }] of chains.get(db) ?? []) {
    if (end === null || hundreds(end.seq) === hundreds(since)) continue
    logs.get(db.getExecutor().adapter)?.info('audit.head', { practice, head: `${end.seq}:${end.hash}` })
  }
}

const hundreds = (seq: number): number => Math.floor(seq / EVENTS_PER_LOGGED_HEAD)

async function chainIn(db: Write, practice: string): Promise<ChainInWrite> {
  const known = chains.get(db)?.get(practice)
  if (known !== undefined) return known
  const end = await endOf(db, practice)
  const chain = { since: end.seq, end }
  chains.set(db, (chains.get(db) ?? new Map<string, ChainInWrite>()).set(practice, chain))
  return chain
}

/** After the sealed head where there is one, so that events missing before it stay visible; else after the last event. */
async function endOf(db: Write, practice: string): Promise<ChainEnd> {
  const { head, last } = await readTail(db, practice)
  return head !== null && head.seq >= last.seq ? head : { ...last, earlier: null }
}

async function sealHead(db: Write, practice: string, head: Head): Promise<void> {
  const sealed = auditKeysOf(db).sealHead(practice, head)
  await db
    .insertInto('audit_heads')
    .values({ practice_id: practice, sealed })
    .onConflict((conflict) => conflict.column('practice_id').doUpdateSet({ sealed }))
    .execute()
}

/** The head as it is sealed, and the last event as it is. */
export interface Tail {
  /** Null where it is missing or was not sealed here for this practice. */
  readonly head: Head | null
  readonly last: { readonly seq: number; readonly hash: string }
}

/** In one statement, so that both are of one moment also outside of a transaction. */
export async function readTail(db: Database, practice: string): Promise<Tail> {
  const { sealed, seq, hash } = await db
    .selectNoFrom(({ selectFrom }) => {
      const last = selectFrom('audit_events').where('practice_id', '=', practice).orderBy('seq', 'desc').limit(1)
      return [
        selectFrom('audit_heads').select('sealed').where('practice_id', '=', practice).as('sealed'),
        last.select('seq').as('seq'),
        last.select('hash').as('hash'),
      ]
    })
    .executeTakeFirstOrThrow()
  return {
    head: sealed === null ? null : auditKeysOf(db).openHead(practice, sealed),
    last: { seq: seq ?? 0, hash: hash ?? CHAIN_START },
  }
}

/** What another store needs to verify a practice's chain and add to it. Secret: with a key in it links can be forged. */
export interface ChainTransfer {
  readonly earlier: readonly EarlierLinks[]
}

/** @throws AppError `database-damaged` where the chain has no head */
export async function exportChain(db: Database, practice: string): Promise<ChainTransfer> {
  const { head } = await readTail(db, practice)
  if (head === null) throw new AppError('database-damaged')
  const { seq, hash, earlier } = head
  const isAllEarlier = (earlier.at(-1)?.through ?? 0) === seq
  const key = auditKeysOf(db).link(practice).export().toString('hex')
  return { earlier: isAllEarlier ? earlier : [...earlier, { through: seq, hash, key }] }
}

/** Seals the head again for this store, whose key makes all further links. Then `verifyAudit` proves the events. */
export async function importChain(db: Write, practice: string, { earlier }: ChainTransfer): Promise<void> {
  const { through: seq, hash } = earlier.at(-1) ?? { through: 0, hash: CHAIN_START }
  await sealHead(db, practice, { seq, hash, earlier })
}
