import { AppError } from '#contract/errors.ts'
import { auditRoutes } from '#contract/rest/audit.ts'
import { reachOf } from '#service/kernel/caller.ts'
import type { HandlersOf } from '#service/access/call.ts'
import type { AuditRecord } from '#contract/model/audit-event.ts'
import type { Services } from './services.ts'
import { auditPage, type AuditFilters } from '../store/audit-pages.ts'
import { inPractice } from '../store/in-practice.ts'
import type { Database } from '../store/tables.ts'

/** Events of an export that are in memory at once. */
const stretch = 500

export function auditEventHandlers({ db }: Services): HandlersOf<'listAuditEvents' | 'exportAuditEvents'> {
  return {
    listAuditEvents:
      ({ practice, caller, query: { limit, cursor, ...filters } }) =>
      async (read) => {
        const isAll = reachOf(caller, auditRoutes.listAuditEvents) === 'all'
        // Of others there is nothing to see.
        const isOther = !isAll && filters.person !== undefined && filters.person !== caller.person_id
        const person = isAll ? filters.person : caller.person_id
        const after = cursor === undefined ? null : readCursor(cursor)
        const found = isOther
          ? []
          : await auditPage(read, practice, { ...filters, person }, { order: 'newest', after, limit: limit + 1 })
        const data = found.slice(0, limit)
        const next_cursor = found.length > limit ? cursorFor(data.at(-1)!.seq) : null
        return { status: 200, data: { data, next_cursor }, touched: [] }
      },
    exportAuditEvents: async ({ practice, query: { format, ...filters } }) => {
      const isCsv = format === 'csv'
      const headers = {
        'Content-Type': isCsv ? 'text/csv; charset=utf-8; header=present' : 'application/x-ndjson',
        'Content-Disposition': `attachment; filename="audit-events.${format}"`,
      }
      const lines = exported(db, practice, filters, isCsv)
      return new Response(ReadableStream.from(lines).pipeThrough(new TextEncoderStream()), { status: 200, headers })
    },
  }
}

/** Up to what stands there when it begins: its own entry and later ones are not in it. */
async function* exported(db: Database, practice: string, filters: AuditFilters, isCsv: boolean): AsyncGenerator<string> {
  if (isCsv) yield csvHeader
  const page = (after: number | null, order: 'newest' | 'oldest', limit: number) =>
    inPractice(db, practice, (read) => auditPage(read, practice, filters, { order, after, limit }))
  const last = (await page(null, 'newest', 1))[0]?.seq ?? 0
  for (let after = 0; after < last;) {
    const events = (await page(after, 'oldest', stretch)).filter(({ seq }) => seq <= last)
    if (events.length === 0) return
    yield events.map((event) => (isCsv ? csvLine(event) : `${JSON.stringify(event)}\n`)).join('')
    after = events.at(-1)!.seq
  }
}

const cursorFor = (seq: number): string => Buffer.from(`audit ${seq}`).toString('base64url')

/** @throws AppError `validation-failed` */
function readCursor(cursor: string): number {
  const seq = /^audit (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))?.[1]
  if (seq !== undefined) return Number(seq)
  const message = 'not a cursor of this list; start again without it'
  throw new AppError('validation-failed', undefined, [{ pointer: '/cursor', code: 'invalid_cursor', message }])
}

const columns = {
  seq: ({ seq }) => String(seq),
  recorded: ({ recorded }) => recorded,
  operation: ({ operation }) => operation,
  action: ({ action }) => action,
  outcome: ({ outcome }) => outcome,
  person: ({ agent }) => agent.person,
  key: ({ agent }) => agent.key ?? '',
  roles: ({ agent }) => agent.roles.join(' '),
  source: ({ source }) => source,
  entities: ({ entities }) => entities.join(' '),
  consent: ({ consent }) => consent ?? '',
  purpose: ({ purpose }) => purpose ?? '',
  request_id: ({ request_id }) => request_id,
  previous_hash: ({ previous_hash }) => previous_hash,
  hash: ({ hash }) => hash,
} satisfies Record<string, (event: AuditRecord) => string>

/** RFC 4180. */
const csvHeader = `${Object.keys(columns).join(',')}\r\n`

function csvLine(event: AuditRecord): string {
  return `${Object.values(columns)
    .map((valueOf) => cell(valueOf(event)))
    .join(',')}\r\n`
}

/** A spreadsheet takes what begins like a formula for one. */
function cell(text: string): string {
  const plain = /^[=+\-@\t]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
