import { createHash } from 'node:crypto'
import { canonicalJson } from '#contract/model/note-canonical.ts'
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

const pageOfChain = 1000
const beginning = '0'.repeat(64)

/** Adds to the practice's chain. Inside the change's own write, so neither stands without the other. */
export async function appendAudit(db: Write, practice: string, event: AuditEvent): Promise<void> {
  const last = ends.get(db)?.get(practice) ?? (await endOf(db, practice))
  const text = canonicalJson(event)
  const next: ChainEnd = { seq: last.seq + 1, hash: link(last.hash, text) }
  await db
    .insertInto('audit_events')
    .values({
      practice_id: practice,
      seq: next.seq,
      recorded_at: event.recorded,
      event: text,
      previous_hash: last.hash,
      hash: next.hash,
    })
    .execute()
  ends.set(db, (ends.get(db) ?? new Map<string, ChainEnd>()).set(practice, next))
}

interface ChainEnd {
  readonly seq: number
  readonly hash: string
}

/** Where chains end, as far as a transaction knows: it holds them for itself, and many calls may share it. */
const ends = new WeakMap<Write, Map<string, ChainEnd>>()

/** Something in the transaction was undone, an event among it perhaps. */
export function forgetChains(db: Write): void {
  ends.delete(db)
}

async function endOf(db: Write, practice: string): Promise<ChainEnd> {
  const last = await db
    .selectFrom('audit_events')
    .select(['seq', 'hash'])
    .where('practice_id', '=', practice)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last ?? { seq: 0, hash: beginning }
}

/** The first broken link's number, or null where the chain is whole. */
export async function verifyAudit(db: Database, practice: string): Promise<{ events: number; broken_at: number | null }> {
  let previous = beginning
  let seq = 0
  for (;;) {
    const rows = await db
      .selectFrom('audit_events')
      .select(['seq', 'event', 'previous_hash', 'hash'])
      .where('practice_id', '=', practice)
      .where('seq', '>', seq)
      .orderBy('seq')
      .limit(pageOfChain)
      .execute()
    for (const row of rows) {
      seq += 1
      if (row.seq !== seq || row.previous_hash !== previous || row.hash !== link(previous, row.event))
        return { events: seq, broken_at: seq }
      previous = row.hash
    }
    if (rows.length < pageOfChain) return { events: seq, broken_at: null }
  }
}

function link(previous: string, event: string): string {
  return createHash('sha256').update(previous).update(event).digest('hex')
}
