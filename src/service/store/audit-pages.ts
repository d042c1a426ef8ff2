import type { AuditRecord } from '#contract/model/audit-event.ts'
import type { AuditEvent } from './audit.ts'
import { normalTime } from './records.ts'
import type { Database } from './tables.ts'

export interface AuditFilters {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly person?: string | undefined
  readonly operation?: string | undefined
  readonly entity?: string | undefined
}

interface Stretch {
  readonly order: 'newest' | 'oldest'
  /** Sequence number after which the page begins. Null starts at the newest or oldest event, as `order` says. */
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

/**
 * Events are canonical JSON with sorted members, so each member and value has exactly one spelling, and no `]` comes after the
 * `entities` list. Ids contain no LIKE wildcards.
 */
function patternsOf({ person, operation, entity }: AuditFilters): string[] {
  return [
    ...(person === undefined ? [] : [`%"person":"${person}"%`]),
    ...(operation === undefined ? [] : [`%"operation":"${operation}"%`]),
    ...(entity === undefined ? [] : [`%"entities":[%"${entity}"%]%`]),
  ]
}
