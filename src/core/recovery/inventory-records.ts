import { isSample } from '#contract/bridge/sample.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { InventoryContent, Rows } from './inventory-file.ts'
import { listedDetails } from './local-records.ts'
import type { ListedSession } from './lost-sessions.ts'
import { addendumId, inPart, type RecoveryItem, unresolvedItems } from '#core/vault/recovery-report.ts'

type Kind = 'client' | 'consent' | 'session' | 'recording' | 'transcript' | 'note' | 'insight' | 'template'

interface ListedRecord {
  readonly kind: Kind
  readonly id: string
  readonly client_id: string | null
  readonly session_id: string | null
  readonly client_name: string | null
  readonly date: string | null
  readonly updated_at: string
  readonly service_version: number | null
  readonly is_final: boolean
  readonly is_unsent: boolean
  readonly addenda: number
  /** `updated_at` of the older version that the vault had at opening, or null. */
  readonly older_at: string | null
}

const addenda = 'json_array_length(addenda)'
const isFinal = `status in ('signed', 'awaiting_cosign', 'cosigned', 'amended', 'entered_in_error')`

const queries: Readonly<Record<Kind, string>> = {
  client: 'select id, id, null, created_at, updated_at, service_version, 0, display_name from clients order by id',
  consent: 'select id, client_id, null, given_at, updated_at, service_version, 0 from consents order by id',
  session: 'select id, client_id, id, starts_at, updated_at, service_version, 0 from sessions order by id',
  recording: `select id, null, session_id, started_at, started_at, null, 0 from recordings where state <> 'erased' order by id`,
  transcript: 'select id, null, session_id, created_at, updated_at, service_version, 0 from transcripts order by id',
  note: `select id, client_id, session_id, updated_at, updated_at, service_version, ${isFinal}, ${addenda} from notes order by id`,
  insight: `select session_id, client_id, session_id, null, '', null, 0 from insights order by session_id`,
  template: 'select id, null, null, created_at, updated_at, null, 0 from templates where removed_at is null order by id',
}

export function listRecords(db: Sqlite): Pick<InventoryContent, 'records' | 'unsent'> {
  const rowsOf = (query: string): Rows => (db.prepare(query).raw().all() as Rows).filter((row) => !row.slice(0, 3).some(isSample))
  const records = Object.entries(queries).map(([kind, query]) => [kind, rowsOf(query)])
  const unsent = db.prepare('select distinct subject_id from outbox order by subject_id').pluck().all() as string[]
  return { records: Object.fromEntries(records) as InventoryContent['records'], unsent }
}

export function listLost(db: Sqlite): Rows {
  const items = unresolvedItems(db)
  if (items.length === 0) return []
  const isErased = createIsErased(db)
  return items.flatMap(({ kind, subject_id, client_id, session_id, client_name = null, date, is_signed }) => {
    const [id = '', place = 0] = subject_id.split(/ in part$| addendum /)
    const of = kind === 'addendum' ? 'note' : kind
    const row = [of, id, client_id, session_id, client_name, date, '', null, Number(is_signed), 0, Number(place)]
    return of in queries && !isErased(recordOf(row)) ? [row] : []
  })
}

export function lostRecords(db: Sqlite, { records, unsent, lost: known, awaited }: InventoryContent): Rows {
  const names = new Map((records['client'] ?? []).map((row) => [row[0], row[7]]))
  const sessions = new Map((records['session'] ?? []).map((row) => [row[0], row]))
  const isUnsent = new Set<unknown>(unsent)
  const find = createFind(db)
  const lost = Object.keys(queries).flatMap((kind) =>
    (records[kind] ?? []).flatMap(([id, client, session, date, ...rest]) => {
      const of = sessions.get(session as string)
      const client_id = client ?? of?.[1] ?? null
      const row = [kind, id, client_id, session, names.get(client_id) ?? null, of?.[3] ?? date, ...rest.slice(0, 3)]
      const listed = [...row, Number(isUnsent.has(id ?? null)), kind === 'note' ? (rest[3] ?? 0) : 0] as Rows[number]
      const { state, found } = find(recordOf(listed))
      return state === 'whole' ? [] : [[...listed, state === 'older' ? found!.updated_at : null]]
    }),
  )
  const isReported = new Set(listLost(db).map(([kind, id]) => `${kind} ${id}`))
  const forgotten = known.filter((row) => !isReported.has(`${row[0]} ${row[1]}`) && find(recordOf(row)).state !== 'whole')
  return [...awaited.records, ...lost, ...forgotten]
}

export function itemsOfLost(db: Sqlite, awaited: Rows): (RecoveryItem & { readonly client_name: string | null })[] {
  const find = createFind(db)
  const isErased = createIsErased(db)
  return awaited.map(recordOf).flatMap((record) => {
    const { kind, id, client_id, session_id, client_name, date, is_final: is_signed } = record
    const { state, found } = find(record)
    if (state === 'whole' || isErased(record)) return []
    const place = { is_recovered: false, client_id, session_id, client_name, date }
    const from = found?.addenda ?? 0
    const isHere = found?.is_final === 1 && record.addenda > from
    const added = Array.from({ length: Math.max(0, record.addenda - from) }, (_, at) => addendumId(id, from + at + 1))
    return [
      ...(isHere ? [] : [{ kind, subject_id: state === 'missing' ? id : inPart(id), is_signed, ...place }]),
      ...added.map((subject_id) => ({ kind: 'addendum' as const, subject_id, ...place })),
    ]
  })
}

export function sessionsOfLost(db: Sqlite, lost: Rows, local: InventoryContent['local']): ListedSession[] {
  const isHere = db.prepare('select 1 from sessions where id = ?')
  const isErased = createIsErased(db)
  return lost.map(recordOf).flatMap((record) => {
    const { kind, id, client_id, date: starts_at } = record
    if (kind !== 'session' || client_id === null || starts_at === null) return []
    return isHere.get(id) !== undefined || isErased(record)
      ? []
      : [{ id, client_id, starts_at, details: listedDetails(local, id) }]
  })
}

export const nameOfClient = (lost: Rows, clientId: string): string | null =>
  lost.map(recordOf).find(({ client_id }) => client_id === clientId)?.client_name ?? null

function createIsErased(db: Sqlite): (record: ListedRecord) => boolean {
  const query = `select action || ' ' || subject_id from audit where action like '%.erased' or action like '%.removed'`
  const erased = new Set(db.prepare(query).pluck().all() as string[])
  return ({ kind, id, client_id, session_id }) =>
    [`${kind}.erased ${id}`, `${kind}s.erased ${id}`, `${kind}.removed ${id}`].some((one) => erased.has(one)) ||
    erased.has(`client.erased ${client_id}`) ||
    erased.has(`session.erased ${session_id}`)
}

function recordOf(row: Rows[number]) {
  const [kind, id, client_id, session_id, client_name, date, updated_at, version, final, unsent, added, older_at = null] = row
  const names = { kind, id, client_id, session_id, client_name, date, updated_at, service_version: version }
  return { ...names, is_final: final === 1, is_unsent: unsent === 1, addenda: added ?? 0, older_at } as ListedRecord
}

interface Found {
  readonly id: string
  readonly updated_at: string
  readonly service_version: number | null
  readonly is_final: number
  readonly addenda?: number
}

/** Transcripts and notes are searched by session, because newer ones may have replaced them. */
const places: Readonly<Record<Kind, string>> = {
  client: 'select id, updated_at, service_version, 0 as is_final from clients where id = @id',
  consent: 'select id, updated_at, service_version, 0 as is_final from consents where id = @id',
  session:
    'select id, updated_at, service_version, 0 as is_final from sessions where id = @id and client_id = @client_id and client_id in (select id from clients)',
  recording: 'select id, started_at as updated_at, null as service_version, 0 as is_final from recordings where id = @id',
  transcript: 'select id, updated_at, service_version, 0 as is_final from transcripts where session_id = @session_id',
  note: `select id, updated_at, service_version, ${isFinal} as is_final, ${addenda} as addenda from notes where session_id = @session_id`,
  insight: `select session_id as id, '' as updated_at, null as service_version, 0 as is_final from insights where session_id = @session_id`,
  template: 'select id, updated_at, null as service_version, 0 as is_final from templates where id = @id',
}

type State = 'whole' | 'older' | 'missing'
type Find = (record: ListedRecord) => { readonly state: State; readonly found?: Found }

function createFind(db: Sqlite): Find {
  const statements = new Map(Object.entries(places).map(([kind, query]) => [kind, db.prepare(query)]))
  return (record) => {
    const { kind, id, client_id, session_id } = record
    const found = statements.get(kind)?.get({ id, client_id, session_id }) as Found | undefined
    if (found === undefined) return { state: 'missing' }
    if (found.id !== id) return { state: found.updated_at < record.updated_at ? 'missing' : 'whole' }
    return { state: isOlder(found, record) ? 'older' : 'whole', found }
  }
}

function isOlder(
  found: Found,
  { updated_at, service_version, is_final, is_unsent, addenda: added, older_at }: ListedRecord,
): boolean {
  if (found.updated_at === older_at || (is_final && found.is_final === 0) || added > (found.addenda ?? 0)) return true
  return found.updated_at < updated_at && (is_unsent || (found.service_version ?? 0) < (service_version ?? 0))
}
