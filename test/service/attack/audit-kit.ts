import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { newId } from '#base/ids.ts'
import type { AuditEvent } from '#service/store/audit.ts'
import { appendAudit } from '#service/store/audit.ts'
import { inPractice } from '#service/store/in-practice.ts'
import type { Database } from '#service/store/tables.ts'
import type { TestStore } from '../store-kit.ts'

export interface EventRow {
  practice_id: string
  seq: number
  recorded_at: string
  event: string
  previous: string
  hash: string
}

/** A practice's chain as the database holds it; `head` in hex. */
export interface ChainRows {
  events: EventRow[]
  head: string | null
}

/** Events in a chain, and how often each attack is tried. The same positions each time, and others under `full`. */
export const scaleOf = (isFull: boolean) => ({
  length: isFull ? 120 : 12,
  runs: isFull ? 50 : 2,
  seed: isFull ? Date.now() % 2 ** 31 : 20_261_122,
})

const start = Date.parse('2026-01-01T00:00:00.000Z')

export const anAuditEvent = (at: number): AuditEvent => ({
  recorded: new Date(start + at * 1000).toISOString(),
  operation: 'getClient',
  action: 'R',
  outcome: '200',
  agent: { person: newId(), key: null, roles: ['owner'] },
  source: 'embedded',
  entities: [newId()],
  consent: null,
  purpose: null,
  request_id: newId(),
})

export async function addEvents(db: Database, practice: string, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await inPractice(db, practice, (write) => appendAudit(write, practice, anAuditEvent(at)))
}

/** SHA-256, as links were made before they had a key: what anybody can compute. */
export const plainLink = (previous: string, event: string): string =>
  createHash('sha256').update(previous).update(event).digest('hex')

/** Links the events from this index on again, without the key. */
export function relinked(events: readonly EventRow[], from: number): EventRow[] {
  const rows = events.map((row) => ({ ...row }))
  for (let at = from; at < rows.length; at += 1) {
    const row = rows[at]!
    row.seq = at + 1
    row.previous = rows[at - 1]?.hash ?? '0'.repeat(64)
    row.hash = plainLink(row.previous, row.event)
  }
  return rows
}

/** Reads and overwrites chains with SQL, as someone who may do anything in the database and has no key. */
export function intruder(store: TestStore) {
  const isSqlite = store.options.kind === 'sqlite'
  const text = (value: string): string => `'${value.replaceAll("'", "''")}'`
  const hex = (value: string): string => (isSqlite ? `x'${value}'` : `'\\x${value}'`)
  const unlocked = isSqlite
    ? 'drop trigger if exists audit_events_never_change; drop trigger if exists audit_events_never_go;'
    : 'alter table audit_events disable trigger user;'
  return {
    async read(practice: string): Promise<ChainRows> {
      const events = await store.ask<EventRow>(`select * from audit_events where practice_id = ${text(practice)} order by seq`)
      const [head] = await store.ask<{ sealed: Buffer }>(`select sealed from audit_heads where practice_id = ${text(practice)}`)
      return { events, head: head === undefined ? null : Buffer.from(head.sealed).toString('hex') }
    },
    async overwrite(practice: string, { events, head }: ChainRows): Promise<void> {
      const rows = events.map(
        ({ seq, recorded_at, event, previous, hash }) =>
          `(${text(practice)}, ${seq}, ${text(recorded_at)}, ${text(event)}, ${text(previous)}, ${text(hash)})`,
      )
      await store.ask(
        `${unlocked} delete from audit_events where practice_id = ${text(practice)};
delete from audit_heads where practice_id = ${text(practice)};
${rows.length === 0 ? '' : `insert into audit_events (practice_id, seq, recorded_at, event, previous, hash) values ${rows.join(',\n')};`}
${head === null ? '' : `insert into audit_heads (practice_id, sealed) values (${text(practice)}, ${hex(head)});`}`,
      )
    },
  }
}

export const withEvent = ({ events, head }: ChainRows, at: number, change: Partial<EventRow>): ChainRows => ({
  events: events.map((row, index) => (index === at ? { ...row, ...change } : row)),
  head,
})
export const otherOutcome = ({ event }: EventRow): string => event.replace('"outcome":"200"', '"outcome":"403"')

/** Two positions, the first before the second and not the first of all. */
export const positionsIn = (length: number) =>
  fc
    .uniqueArray(fc.integer({ min: 1, max: length - 1 }), { minLength: 2, maxLength: 2 })
    .map((two) => two.toSorted((a, b) => a - b) as [number, number])
