import { sql } from 'kysely'
import type { DialectAdapter } from 'kysely'
import type { Log } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import { canonicalJson } from '#domain/canonical-note.ts'
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
  /** Its end before this transaction. */
  readonly start: ChainEnd
  /** Null where it must be read again. */
  end: ChainEnd | null
  /** Number of the event that the head is sealed for; -1 where that is not known. */
  sealed: number
}

/** Chains a transaction has read or added to. It holds their lock, and many calls may share it. */
const chains = new WeakMap<Database, Map<string, ChainInWrite>>()

/** Adds to the practice's chain, inside the change's own write. `inPractice` seals the head before it commits. */
export async function appendAudit(db: Write, practice: string, event: AuditEvent): Promise<void> {
  const chain = chains.get(db)?.get(practice) ?? (await enterChain(db, practice))
  const { seq: lastSeq, hash: previous, earlier } = (chain.end ??= await endAgain(db, practice, chain.start))
  const text = canonicalJson(event)
  const seq = lastSeq + 1
  const hash = linkOf(auditKeysOf(db).link(practice), practice, seq, previous, text)
  await db
    .insertInto('audit_events')
    .values({ practice_id: practice, seq, recorded_at: event.recorded, event: text, previous, hash })
    .execute()
  chain.end = { seq, hash, earlier }
}

/** Once for all events of a transaction, before it commits, so that none is committed without the other. */
export async function sealHeads(db: Database): Promise<void> {
  for (const [practice, chain] of chains.get(db) ?? []) {
    const { seq, hash, earlier } = (chain.end ??= await endAgain(db, practice, chain.start))
    if (earlier === null || seq === chain.sealed) continue
    const sealed = auditKeysOf(db).sealHead(practice, { seq, hash, earlier })
    await sql`update "audit_heads" set "sealed" = ${sealed} where "practice_id" = ${practice}`.execute(db)
    chain.sealed = seq
  }
}

/** The chain of a practice that is new. Never again: a chain without a head has lost it. */
export async function openChain(db: Write, practice: string): Promise<void> {
  await sealHead(db, practice, { seq: 0, hash: CHAIN_START, earlier: [] })
}

/** Something in the transaction was undone, an event perhaps. */
export function forgetChains(db: Write): void {
  for (const chain of chains.get(db)?.values() ?? []) {
    chain.end = null
    chain.sealed = -1
  }
}

const logs = new WeakMap<DialectAdapter, Log>()

export function logHeads(db: Database, log: Log): void {
  logs.set(db.getExecutor().adapter, log)
}

/** For a transaction that is committed: a head that came to nothing must not be logged. */
export function logHeadsOf(db: Write): void {
  for (const [practice, { start, end }] of chains.get(db) ?? []) {
    if (end === null || hundreds(end.seq) === hundreds(start.seq)) continue
    logs.get(db.getExecutor().adapter)?.info('audit.head', { practice, head: `${end.seq}:${end.hash}` })
  }
}

const hundreds = (seq: number): number => Math.floor(seq / EVENTS_PER_LOGGED_HEAD)

/** After the sealed head where there is one, so that events missing before it stay visible; else after the last event. */
async function enterChain(db: Write, practice: string): Promise<ChainInWrite> {
  const { head, last } = await readTail(db, practice)
  const start: ChainEnd = head !== null && head.seq >= last.seq ? head : { ...last, earlier: null }
  const chain = { start, end: start, sealed: start.seq }
  chains.set(db, (chains.get(db) ?? new Map<string, ChainInWrite>()).set(practice, chain))
  return chain
}

/** Of what this transaction added, the part that was not undone. */
async function endAgain(db: Database, practice: string, start: ChainEnd): Promise<ChainEnd> {
  const { last } = await readTail(db, practice)
  return last.seq > start.seq ? { ...last, earlier: start.earlier } : start
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
  const { rows } = await sql<{ sealed: Uint8Array | null; seq: number | null; hash: string | null }>`
    select (select sealed from audit_heads where practice_id = ${practice}) as sealed, last.seq, last.hash
    from (select 1) as one left join
      (select seq, hash from audit_events where practice_id = ${practice} order by seq desc limit 1) as last on true`.execute(db)
  const { sealed, seq, hash } = rows[0]!
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
  await sealHeads(db)
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
  chains.get(db)?.delete(practice)
  await sealHead(db, practice, { seq, hash, earlier })
}
