import { newId } from '#base/ids.ts'
import { AppError } from '#contract/errors.ts'
import type { Note } from '#contract/model/note.ts'
import type { Erasure, LegalHold, RetentionPolicy } from '#contract/model/retention.ts'
import { type Call, type HandlersOf, pageReply } from '#service/access/call.ts'
import type { Services } from './services.ts'
import { clientOf, erase, eraseTraces } from '../retention/sweep.ts'
import { requireVersion } from '#service/kernel/problem.ts'
import { getAnalysis } from '../store/analyses.ts'
import { getClient } from '../store/clients.ts'
import { getLegalHold, insertLegalHold, listLegalHolds, refuseHeld, releaseLegalHold } from '../store/retention.ts'
import { getPolicy, hasWork, listErasures, putPolicy } from '../store/retention.ts'
import { getNote } from '../store/notes.ts'
import { invalidCursor } from '../store/pages.ts'
import { changed, newRecord } from '../store/records.ts'
import type { Write, Database } from '../store/tables.ts'
import { getTranscript } from '../store/transcripts.ts'
import { auditRoutes } from '#contract/rest/access.ts'
import { reachOf } from '#service/access/authorization.ts'
import type { AuditRecord } from '#contract/model/audit-event.ts'
import { auditPage, type AuditFilters } from '../store/read-audit.ts'
import { inPractice } from '../store/in-practice.ts'

type Rules = 'getRetention' | 'putRetention'
type Holds = 'listLegalHolds' | 'placeLegalHold' | 'releaseLegalHold'
type Erasing = 'listErasures' | 'eraseRecord'

export function retentionHandlers(services: Services): HandlersOf<Rules | Holds | Erasing> {
  return { ...ruleHandlers(), ...holdHandlers(services), ...erasureHandlers(services) }
}

function ruleHandlers(): HandlersOf<Rules> {
  return {
    getRetention:
      ({ practice }) =>
      async (db) => ({ status: 200, data: await getPolicy(db, practice), touched: [practice] }),
    putRetention: (call) => async (db) => {
      const { practice, body, ifMatch, now } = call
      const current = await getPolicy(db, practice)
      requireVersion(ifMatch, current)
      const policy: RetentionPolicy = { ...body, version: current.version + 1, updated_at: now }
      await putPolicy(db, practice, policy)
      return { status: 200, data: policy, touched: [practice] }
    },
  }
}

function holdHandlers({ clock }: Services): HandlersOf<Holds> {
  return {
    listLegalHolds: (call) => async (db) => pageReply(await listLegalHolds(db, call.practice, call.query)),
    placeLegalHold: (call) => async (db) => {
      const { practice, caller, body, now } = call
      const { id = newId(clock), ...draft } = body
      if (draft.client_id !== null) await getClient(db, practice, draft.client_id)
      const open = { placed_by: caller.person_id, released_at: null, released_by: null }
      const hold: LegalHold = { ...draft, ...newRecord(id, now), ...open }
      await insertLegalHold(db, practice, hold)
      return { status: 201, data: hold, record: { kind: 'legal-hold', id, version: 1 }, touched: [id, ...clientIn(draft)] }
    },
    releaseLegalHold: (call) => async (db) => {
      const { practice, caller, params, now } = call
      const current = await getLegalHold(db, practice, params.id)
      const hold =
        current.released_at === null ? changed({ ...current, released_at: now, released_by: caller.person_id }, now) : current
      if (hold !== current) await releaseLegalHold(db, practice, hold)
      const record = { kind: 'legal-hold', id: hold.id, version: hold.version } as const
      return { status: 200, data: hold, record, touched: [hold.id, ...clientIn(hold)] }
    },
  }
}

function erasureHandlers({ clock }: Services): HandlersOf<Erasing> {
  return {
    listErasures: (call) => async (db) => pageReply(await listErasures(db, call.practice, call.query)),
    eraseRecord: (call) => async (db) => {
      const { practice, caller, body, now } = call
      const { id = newId(clock), record_kind, record_id, reason } = body
      const record = await recordToErase(db, call)
      const client_id = record.client_id ?? (await clientOf(db, practice, record.session_id))
      await refuseHeld(db, practice, { client_id, session_id: record.session_id })
      if (await hasWork(db, practice))
        throw new AppError('conflict', 'Something of the practice is being worked on. Try again when it is done.')
      const why = { reason, erased_by: caller.person_id, client_id }
      const erasure: Erasure = await erase(db, practice, record_kind, record, why, { id, now })
      const traces =
        record_kind === 'transcript' && record.session_id !== null
          ? await eraseTraces(db, practice, record.session_id, why, { newId: () => newId(clock), now })
          : []
      const touched = [record_id, ...clientIn({ client_id }), ...traces]
      return { status: 201, data: erasure, record: { kind: 'erasure', id, version: 1 }, touched }
    },
  }
}

interface Erasable {
  readonly id: string
  readonly session_id: string | null
  readonly client_id?: string | null
}

async function recordToErase(db: Write, { practice, body, now }: Call<'eraseRecord'>): Promise<Erasable> {
  const { record_kind, record_id } = body
  if (record_kind === 'transcript') return getTranscript(db, practice, record_id)
  if (record_kind === 'analysis') return getAnalysis(db, practice, record_id)
  const note = await getNote(db, practice, record_id)
  const { note_years } = await getPolicy(db, practice)
  if (note.signature === null) throw new AppError('conflict', 'A draft that was never signed can still be changed.')
  if (yearsAfter(lastSigned(note), note_years) > Date.parse(now)) throw new AppError('not-yet-due')
  return note
}

/** The result is never earlier than `created_at`, because callers send the times of signatures and addenda. */
function lastSigned({ signature, addenda, created_at }: Note): string {
  return [created_at, signature?.at ?? created_at, ...addenda.map(({ at }) => at)]
    .map((at) => new Date(at).toISOString())
    .toSorted()
    .at(-1)!
}

function yearsAfter(time: string, years: number): number {
  const date = new Date(time)
  return date.setUTCFullYear(date.getUTCFullYear() + years)
}

const clientIn = ({ client_id }: { readonly client_id: string | null }): string[] => (client_id === null ? [] : [client_id])

const STRETCH = 500

export function auditEventHandlers({ db }: Services): HandlersOf<'listAuditEvents' | 'exportAuditEvents'> {
  return {
    listAuditEvents: (call) => async (read) => {
      const {
        practice,
        caller,
        query: { limit, cursor, ...filters },
      } = call
      const isAll = reachOf(caller, auditRoutes.listAuditEvents) === 'all'
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

async function* exported(db: Database, practice: string, filters: AuditFilters, isCsv: boolean): AsyncGenerator<string> {
  if (isCsv) yield csvHeader
  const page = (after: number | null, order: 'newest' | 'oldest', limit: number) =>
    inPractice(db, practice, (read) => auditPage(read, practice, filters, { order, after, limit }))
  const last = (await page(null, 'newest', 1))[0]?.seq ?? 0
  for (let after = 0; after < last;) {
    const events = (await page(after, 'oldest', STRETCH)).filter(({ seq }) => seq <= last)
    if (events.length === 0) return
    yield events.map((event) => (isCsv ? csvLine(event) : `${JSON.stringify(event)}\n`)).join('')
    after = events.at(-1)!.seq
  }
}

const cursorFor = (seq: number): string => Buffer.from(`audit ${seq}`).toString('base64url')

function readCursor(cursor: string): number {
  const seq = /^audit (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))?.[1]
  if (seq !== undefined) return Number(seq)
  throw invalidCursor()
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

/** RFC 4180: lines end with CRLF. */
const csvHeader = `${Object.keys(columns).join(',')}\r\n`

function csvLine(event: AuditRecord): string {
  return `${Object.values(columns)
    .map((valueOf) => cell(valueOf(event)))
    .join(',')}\r\n`
}

/** Quotes a CSV cell if needed, and prefixes text that a spreadsheet would run as a formula. */
function cell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
