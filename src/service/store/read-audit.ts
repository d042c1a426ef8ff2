import { createSecretKey, type KeyObject } from 'node:crypto'
import type { AuditRecord } from '#contract/model/audit-event.ts'
import { attempt } from '#base/control.ts'
import { type AuditEvent, type AuditKeys, auditKeysOf, CHAIN_START, type Head, linkOf, readTail, sealHeads } from './audit.ts'
import { normalTime, selectIn } from './records.ts'
import type { Database, Tables } from './tables.ts'

export interface ChainReport {
  readonly events: number
  readonly broken_at: number | null
  readonly problem: ChainProblem | null
  readonly head: string | null
  readonly plain_through: number
  readonly found: readonly string[]
}

export type ChainProblem = 'changed' | 'missing' | 'truncated' | 'no-head' | 'beyond-head' | 'before-first'

const PAGE_OF_CHAIN = 1000

/** Verifies the chain of events against its sealed head. `noted`: events to look for, as `SEQ:HASH`. */
export async function verifyAudit(db: Database, practice: string, noted: ReadonlySet<string> = new Set()): Promise<ChainReport> {
  // This transaction may have added events that its head does not cover yet.
  await sealHeads(db)
  const { head, last } = await readTail(db, practice)
  const about = {
    head: head === null ? null : `${head.seq}:${head.hash}`,
    plain_through: head?.earlier.findLast(({ key }) => key === null)?.through ?? 0,
  }
  const found: string[] = []
  const broken = (broken_at: number, problem: ChainProblem): ChainReport => ({
    ...about,
    events: broken_at - 1,
    broken_at,
    problem,
    found,
  })
  if (head === null) return broken(1, 'no-head')
  if (await hasEarlierThanFirst(db, practice)) return broken(1, 'before-first')
  let before = { seq: 0, hash: CHAIN_START }
  while (before.seq < last.seq) {
    const page = await pageOf(db, practice, before.seq, last.seq)
    if (page.length === 0) return broken(before.seq + 1, 'missing')
    for (const row of page) {
      const seq = before.seq + 1
      if (row.seq !== seq) return broken(seq, 'missing')
      if (!follows(auditKeysOf(db), practice, head, before.hash, row)) return broken(seq, 'changed')
      if (seq === head.seq && row.hash !== head.hash) return broken(seq, 'changed')
      before = row
      if (noted.has(`${seq}:${row.hash}`)) found.push(`${seq}:${row.hash}`)
    }
  }
  if (before.seq < head.seq) return broken(before.seq + 1, 'truncated')
  if (before.seq > head.seq) return broken(head.seq + 1, 'beyond-head')
  return { ...about, events: before.seq, broken_at: null, problem: null, found }
}

type Row = Readonly<Omit<Tables['audit_events'], 'practice_id'>>

function pageOf(db: Database, practice: string, after: number, last: number): Promise<Row[]> {
  const events = selectIn(db, 'audit_events', practice).select(['seq', 'recorded_at', 'event', 'previous', 'hash'])
  return events.where('seq', '>', after).where('seq', '<=', last).orderBy('seq').limit(PAGE_OF_CHAIN).execute()
}

/** Verification starts at event 1, but lists of events would also show lower numbers. */
async function hasEarlierThanFirst(db: Database, practice: string): Promise<boolean> {
  const events = selectIn(db, 'audit_events', practice).select('seq')
  return (await events.where('seq', '<', 1).limit(1).executeTakeFirst()) !== undefined
}

function follows(keys: AuditKeys, practice: string, { earlier }: Head, before: string, row: Row): boolean {
  const { seq, event, previous, hash } = row
  const span = earlier.find(({ through }) => seq <= through)
  const key = span === undefined ? keys.link(practice) : span.key === null ? null : keyOf(span.key)
  return (
    previous === before &&
    hash === linkOf(key, practice, seq, previous, event) &&
    (seq !== span?.through || hash === span.hash) &&
    // Lists filter by `recorded_at`, and the link does not cover it.
    timeIn(event) === row.recorded_at
  )
}

/** Null if the text is not an event; anyone can compute an unkeyed link for any text. */
const timeIn = (event: string): string | null => attempt(() => (JSON.parse(event) as AuditEvent | null)?.recorded) ?? null

const keyOf = (hex: string): KeyObject => createSecretKey(Buffer.from(hex, 'hex'))

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

export async function auditPage(db: Database, practice: string, filters: AuditFilters, { order, after, limit }: Stretch) {
  let select = selectIn(db, 'audit_events', practice).select(['seq', 'event', 'previous as previous_hash', 'hash'])
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
