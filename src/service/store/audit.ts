import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { type DialectAdapter, sql } from 'kysely'
import { deriveKey, open, seal } from '#base/aead.ts'
import type { Log } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import type { AuditRecord } from '#contract/model/audit-event.ts'
import { canonicalJson } from '#domain/canonical-note.ts'
import type { Database, Write } from './tables.ts'

type Chained = 'seq' | 'type' | 'previous_hash' | 'hash'
export type AuditEvent = Readonly<Omit<AuditRecord, Chained | 'agent' | 'entities'>> & {
  readonly agent: Readonly<Omit<AuditRecord['agent'], 'roles'>> & { readonly roles: readonly string[] }
  readonly entities: readonly string[]
}

/** About every 100 events, the number and hash of the last event are logged, so that a copy exists outside the database. */
const EVENTS_PER_LOGGED_HEAD = 100

interface ChainEnd {
  readonly seq: number
  readonly hash: string
  /** Null if no valid sealed head covers this event. Then no new head is sealed, so the evidence of tampering stays. */
  readonly earlier: readonly EarlierLinks[] | null
}

interface ChainInWrite {
  readonly start: ChainEnd
  end: ChainEnd | null
  sealed: number
}

/** The audit chains that each open transaction extends. One transaction may serve a whole batch of calls. */
const chains = new WeakMap<Database, Map<string, ChainInWrite>>()

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

/** Do not call for an existing practice: a missing head there is evidence of tampering. */
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

/**
 * Continues after the sealed head, so that missing events stay visible. If no valid head covers the last event, continues after
 * that event and seals no new head.
 */
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

/** One statement reads both, so that head and last event are of the same moment even outside a transaction. */
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

/** What another store needs to verify a practice's events. Secret, because the keys in it can forge links. */
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

/** Seals the head with this store's keys, which also link later events. Verify the events afterwards with `verifyAudit`. */
export async function importChain(db: Write, practice: string, { earlier }: ChainTransfer): Promise<void> {
  const { through: seq, hash } = earlier.at(-1) ?? { through: 0, hash: CHAIN_START }
  chains.get(db)?.delete(practice)
  await sealHead(db, practice, { seq, hash, earlier })
}

export const CHAIN_START = '0'.repeat(64)

/** A span of events linked with another key, or without one; part of the sealed head. */
export interface EarlierLinks {
  readonly through: number
  readonly hash: string
  /** Link key in hex, of the store the practice came from. Null for unkeyed SHA-256, as older releases wrote it. */
  readonly key: string | null
}

export interface Head {
  readonly seq: number
  readonly hash: string
  readonly earlier: readonly EarlierLinks[]
}

export interface AuditKeys {
  link(practice: string): KeyObject
  sealHead(practice: string, head: Head): Buffer
  /** Null if the head was sealed with another key or for another practice, or was changed. */
  openHead(practice: string, sealed: Uint8Array): Head | null
}

export function openAuditKeys(storeKey: Uint8Array): AuditKeys {
  const master = createSecretKey(deriveKey(storeKey, 'audit chains'))
  const known = new Map<string, { readonly link: KeyObject; readonly head: KeyObject }>()
  return {
    link: (practice) => keysOf(practice).link,
    sealHead: (practice, head) => seal(keysOf(practice).head, Buffer.from(JSON.stringify(head)), boundTo(practice)),
    openHead: (practice, sealed) => {
      const text = open(keysOf(practice).head, sealed, boundTo(practice))
      return text === null ? null : (JSON.parse(text.toString()) as Head)
    },
  }

  function keysOf(practice: string) {
    const found = known.get(practice)
    if (found) return found
    const derived = {
      link: createSecretKey(deriveKey(master, `links ${practice}`)),
      head: createSecretKey(deriveKey(master, `head ${practice}`)),
    }
    known.set(practice, derived)
    return derived
  }
}

const boundTo = (practice: string): Buffer => Buffer.from(`audit head ${practice}`)

/** HMAC-SHA256 over practice, number, previous link, and event. Older releases used unkeyed SHA-256 over the last two. */
export function linkOf(key: KeyObject | null, practice: string, seq: number, previous: string, event: string): string {
  if (key === null) return createHash('sha256').update(previous).update(event).digest('hex')
  return createHmac('sha256', key).update(`${practice}\n${seq}\n${previous}\n${event}`).digest('hex')
}

export function headAtMigration(last: { readonly seq: number; readonly hash: string } | undefined): Head {
  if (last === undefined) return { seq: 0, hash: CHAIN_START, earlier: [] }
  const { seq, hash } = last
  return { seq, hash, earlier: [{ through: seq, hash, key: null }] }
}

const ofStores = new WeakMap<DialectAdapter, AuditKeys>()

export function setAuditKeys(db: Database, keys: AuditKeys): void {
  ofStores.set(db.getExecutor().adapter, keys)
}

export function auditKeysOf(db: Database): AuditKeys {
  const keys = ofStores.get(db.getExecutor().adapter)
  if (keys === undefined) throw new Error('the store was opened without its audit keys')
  return keys
}
