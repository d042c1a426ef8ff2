import { sql } from 'kysely'
import type { DialectAdapter } from 'kysely'
import type { Log } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import { canonicalJson } from '#domain/canonical-note.ts'
import type { AuditRecord } from '#contract/model/audit-event.ts'
import type { EarlierLinks, Head } from './audit-keys.ts'
import { auditKeysOf, CHAIN_START, linkOf } from './audit-keys.ts'
import type { Database, Write } from './tables.ts'
import { normalTime } from './records.ts'

/** Modeled on FHIR R4 AuditEvent. Ids and codes only. */
export interface AuditEvent {
  readonly recorded: string
  readonly operation: string
  /** FHIR action codes: create, read, update, delete, execute. */
  readonly action: 'C' | 'R' | 'U' | 'D' | 'E'
  readonly outcome: string
  readonly agent: { readonly person: string; readonly key: string | null; readonly roles: readonly string[] }
  readonly source: string
  readonly entities: readonly string[]
  readonly consent: 'checked' | 'asserted' | null
  readonly purpose: string | null
  readonly request_id: string
}

/** Every 100 events, the head is written to the operator's log, so that a copy exists outside the database. */
const EVENTS_PER_LOGGED_HEAD = 100

interface ChainEnd {
  readonly seq: number
  readonly hash: string
  /** Null if the sealed head does not cover this link; no new head is then sealed over the evidence. */
  readonly earlier: readonly EarlierLinks[] | null
}

interface ChainInWrite {
  readonly start: ChainEnd
  /** Null after a rollback to a savepoint; it is then read again. */
  end: ChainEnd | null
  sealed: number
}

/** Chains that a transaction has read or extended. The transaction holds their lock and may serve a whole batch of calls. */
const chains = new WeakMap<Database, Map<string, ChainInWrite>>()

/** Adds to the practice's chain, in the transaction of the change. `inPractice` seals the head before it commits. */
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

export async function sealHeads(db: Database): Promise<void> {
  for (const [practice, chain] of chains.get(db) ?? []) {
    const { seq, hash, earlier } = (chain.end ??= await endAgain(db, practice, chain.start))
    if (earlier === null || seq === chain.sealed) continue
    const sealed = auditKeysOf(db).sealHead(practice, { seq, hash, earlier })
    await sql`update "audit_heads" set "sealed" = ${sealed} where "practice_id" = ${practice}`.execute(db)
    chain.sealed = seq
  }
}

/** Never call it for an existing practice: a missing head there is evidence of tampering. */
export async function openChain(db: Write, practice: string): Promise<void> {
  await sealHead(db, practice, { seq: 0, hash: CHAIN_START, earlier: [] })
}

/** Call after a rollback to a savepoint, which may have undone an event. */
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

/** Call after the commit; a rolled-back head must not be logged. */
export function logHeadsOf(db: Write): void {
  for (const [practice, { start, end }] of chains.get(db) ?? []) {
    if (end === null || hundreds(end.seq) === hundreds(start.seq)) continue
    logs.get(db.getExecutor().adapter)?.info('audit.head', { practice, head: `${end.seq}:${end.hash}` })
  }
}

const hundreds = (seq: number): number => Math.floor(seq / EVENTS_PER_LOGGED_HEAD)

/** Continues after the sealed head, so that missing events stay visible; without a valid head, seals no new one. */
async function enterChain(db: Write, practice: string): Promise<ChainInWrite> {
  const { head, last } = await readTail(db, practice)
  const start: ChainEnd = head !== null && head.seq >= last.seq ? head : { ...last, earlier: null }
  const chain = { start, end: start, sealed: start.seq }
  chains.set(db, (chains.get(db) ?? new Map<string, ChainInWrite>()).set(practice, chain))
  return chain
}

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

interface Tail {
  readonly head: Head | null
  readonly last: { readonly seq: number; readonly hash: string }
}

/** One statement, so that head and last event are of the same moment even outside a transaction. */
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

/** What another store needs to verify and extend a practice's chain. Secret, because its key can forge links. */
interface ChainTransfer {
  readonly earlier: readonly EarlierLinks[]
}

export async function exportChain(db: Database, practice: string): Promise<ChainTransfer> {
  await sealHeads(db)
  const { head } = await readTail(db, practice)
  if (head === null) throw new AppError('database-damaged')
  const { seq, hash, earlier } = head
  const isAllEarlier = (earlier.at(-1)?.through ?? 0) === seq
  const key = auditKeysOf(db).link(practice).export().toString('hex')
  return { earlier: isAllEarlier ? earlier : [...earlier, { through: seq, hash, key }] }
}

/** Reseals the head for this store, whose key is used for all later links. Verify the events afterwards with `verifyAudit`. */
export async function importChain(db: Write, practice: string, { earlier }: ChainTransfer): Promise<void> {
  const { through: seq, hash } = earlier.at(-1) ?? { through: 0, hash: CHAIN_START }
  chains.get(db)?.delete(practice)
  await sealHead(db, practice, { seq, hash, earlier })
}

export interface AuditFilters {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly person?: string | undefined
  readonly operation?: string | undefined
  readonly entity?: string | undefined
}

interface Stretch {
  readonly order: 'newest' | 'oldest'
  readonly after: number | null
  readonly limit: number
}

export async function auditPage(
  db: Database,
  practice: string,
  filters: AuditFilters,
  { order, after, limit }: Stretch,
): Promise<AuditRecord[]> {
  let select = db
    .selectFrom('audit_events')
    .select(['seq', 'event', 'previous as previous_hash', 'hash'])
    .where('practice_id', '=', practice)
  if (after !== null) select = select.where('seq', order === 'newest' ? '<' : '>', after)
  if (filters.from !== undefined) select = select.where('recorded_at', '>=', normalTime(filters.from))
  if (filters.to !== undefined) select = select.where('recorded_at', '<', normalTime(filters.to))
  for (const pattern of patternsOf(filters)) select = select.where('event', 'like', pattern)
  const rows = await select
    .orderBy('seq', order === 'newest' ? 'desc' : 'asc')
    .limit(limit)
    .execute()
  return rows.map(
    ({ seq, event, ...links }) => ({ seq, type: 'rest', ...(JSON.parse(event) as AuditEvent), ...links }) as AuditRecord,
  )
}

/** Canonical JSON spells each member one way, and no `]` follows the `entities` list. Ids contain no LIKE wildcards. */
function patternsOf({ person, operation, entity }: AuditFilters): string[] {
  return [
    ...(person === undefined ? [] : [`%"person":"${person}"%`]),
    ...(operation === undefined ? [] : [`%"operation":"${operation}"%`]),
    ...(entity === undefined ? [] : [`%"entities":[%"${entity}"%]%`]),
  ]
}
