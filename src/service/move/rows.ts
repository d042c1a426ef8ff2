import { sql, type SqlBool } from 'kysely'
import { open, seal } from '#base/aead.ts'
import { AppError } from '#contract/errors.ts'
import { unwrapKey, wrapKey } from '../blobs/blobs.ts'
import { searchNameOf } from '../store/clients.ts'
import { readSnapshot } from '../store/in-practice.ts'
import { psychotherapyNoteBinding } from '../store/psychotherapy-notes.ts'
import { sealed, sealedBytes } from '../store/sealed.ts'
import type { Database, Tables, Write } from '../store/tables.ts'
import { voiceBinding } from '../store/voices.ts'
import type { PortableRow } from './transfer-file.ts'

export interface ColumnKeys {
  readonly voice: Uint8Array
  readonly psychotherapy: Uint8Array
  readonly blobs: Uint8Array
}

type Row = Record<string, unknown>

/** Rows per page: fewer for tables with `sealed` columns, because their values can be large. */
const pageOf = ({ sealed: columns }: MovingTable): number => (columns.length > 0 ? 20 : 1000)

const named = ({ name }: MovingTable): 'quota_days' => name as 'quota_days'

export async function* portableRows(db: Database, table: MovingTable, practice: string, keys: ColumnKeys) {
  let after: Row | null = null
  for (;;) {
    const last: Row | null = after
    const rows: Row[] = await readSnapshot(db, practice, (read) => page(read, table, practice, last))
    for (const row of rows) yield portable(table.name, row, practice, keys)
    if (rows.length < pageOf(table)) return
    after = rows.at(-1) ?? null
  }
}

async function page(read: Database, table: MovingTable, practice: string, after: Row | null): Promise<Row[]> {
  const { key } = table
  let select = read.selectFrom(named(table)).selectAll().where(ofPractice(table, practice)).limit(pageOf(table))
  for (const column of key) select = select.orderBy(sql.ref(column))
  if (after !== null) {
    const [columns, values] = [key.map((column) => sql.ref(column)), key.map((column) => sql`${after[column]}`)]
    select = select.where(sql<SqlBool>`(${sql.join(columns)}) > (${sql.join(values)})`)
  }
  return select.execute()
}

function ofPractice({ name }: MovingTable, practice: string) {
  return name === 'operation_pieces'
    ? sql<SqlBool>`operation_id in (select id from operations where practice_id = ${practice})`
    : sql<SqlBool>`practice_id = ${practice}`
}

function portable(table: keyof Tables, row: Row, practice: string, keys: ColumnKeys): PortableRow {
  const found: PortableRow = {}
  for (const [column, value] of Object.entries(resealed(opened, table, row, practice, keys))) {
    // The import computes this column again, because PostgreSQL stores only keyed hashes of it.
    if (table === 'clients' && column === 'search_name') continue
    if (value instanceof Uint8Array) found[column] = { bytes: Buffer.from(value).toString('base64') }
    else found[column] = value as string | number | null
  }
  return found
}

export function storable(table: MovingTable, row: PortableRow, practice: string, keys: ColumnKeys): Row {
  const plain: Row = {}
  for (const [column, value] of Object.entries(row))
    plain[column] = typeof value === 'object' && value !== null ? Buffer.from(value.bytes, 'base64') : value
  if (table.name === 'clients') plain['search_name'] = searchNameOf(JSON.parse(plain['body'] as string))
  const stored = resealed(closed, table.name, plain, practice, keys)
  for (const column of table.sealed) {
    const value = stored[column]
    if (typeof value === 'string') stored[column] = sealed(value)
    if (value instanceof Uint8Array) stored[column] = sealedBytes(value)
  }
  return stored
}

type Kind = 'voice' | 'psychotherapy' | 'blob'

const ownSeals: Partial<Record<keyof Tables, readonly [column: string, kind: Kind]>> = {
  voices: ['sealed', 'voice'],
  psychotherapy_notes: ['sealed', 'psychotherapy'],
  uploads: ['sealed_key', 'blob'],
}

function resealed(change: typeof opened, table: keyof Tables, row: Row, practice: string, keys: ColumnKeys): Row {
  const [column, kind] = ownSeals[table] ?? []
  const bytes = column === undefined ? null : row[column]
  if (column === undefined || kind === undefined || !(bytes instanceof Uint8Array)) return { ...row }
  return { ...row, [column]: change(bytes, kind, row, practice, keys) }
}

function opened(bytes: Uint8Array, kind: Kind, row: Row, practice: string, keys: ColumnKeys): Uint8Array {
  if (kind === 'blob') return unwrapKey(keys.blobs, String(row['id']), bytes)
  const plain = open(keys[kind], bytes, bindingOf(kind, row, practice))
  if (plain === null) throw new AppError('database-damaged')
  return plain
}

function closed(bytes: Uint8Array, kind: Kind, row: Row, practice: string, keys: ColumnKeys): Uint8Array {
  if (kind === 'blob') return wrapKey(keys.blobs, String(row['id']), bytes)
  return seal(keys[kind], bytes, bindingOf(kind, row, practice))
}

function bindingOf(kind: 'voice' | 'psychotherapy', row: Row, practice: string): Buffer {
  if (kind === 'voice') return voiceBinding({ practice, person: String(row['person_id']) }, String(row['model_sha256']))
  const { id, author_id, version } = row as unknown as Tables['psychotherapy_notes']
  return psychotherapyNoteBinding(practice, { id, author_id, version })
}

export async function insertRows(write: Write, table: MovingTable, rows: readonly Row[]): Promise<void> {
  const values = rows as never
  if (rows.length > 0) await write.insertInto(named(table)).values(values).execute()
}

const DELETED_AT_ONCE = 500

export async function deleteSome(write: Write, table: MovingTable, practice: string): Promise<boolean> {
  const key = sql.join(table.key.map((column) => sql.ref(column)))
  const from = sql.table(table.name)
  const { numAffectedRows = 0n } = await sql`
    delete from ${from} where ${ofPractice(table, practice)} and (${key}) in
      (select ${key} from ${from} where ${ofPractice(table, practice)} limit ${DELETED_AT_ONCE})`.execute(write)
  return numAffectedRows > 0n
}

const table = (name: keyof Tables, key: readonly string[] = ['id'], sealed: readonly string[] = []) => ({ name, key, sealed })
export type MovingTable = ReturnType<typeof table>
const records = (name: keyof Tables, ...more: string[]): MovingTable => table(name, ['id'], ['body', ...more])

/** Tables that move with a practice. A table comes after those that it references. */
export const movingTables: readonly MovingTable[] = [
  table('api_keys'),
  table('quota_days', ['day']),
  table('retention_policies', ['practice_id']),
  records('staff'),
  records('rooms'),
  records('availability'),
  records('payers'),
  records('templates'),
  records('clients'),
  records('sessions'),
  table('session_clients', ['session_id', 'client_id']),
  table('series_sessions', ['session_id']),
  records('schedule_proposals'),
  records('consents'),
  records('transcripts'),
  records('notes'),
  table('note_versions', ['note_id', 'version'], ['body']),
  records('analyses'),
  records('coverages', 'raw'),
  records('authorisations'),
  table('psychotherapy_notes'),
  records('break_glass'),
  records('reassignments'),
  records('legal_holds'),
  records('erasures'),
  table('voices', ['person_id']),
  table('uploads', ['id'], ['content']),
  table('operations', ['id'], ['payload']),
  table('operation_texts', ['operation_id'], ['text']),
  table('operation_pieces', ['operation_id', 'piece'], ['answer']),
  table('idempotency_keys', ['person_id', 'idempotency_key']),
  table('audit_events', ['seq']),
  // `changes` is last: inserting rows of the other tables creates changes, which the exported changes replace.
  table('changes', ['seq']),
]

/** Tables that don't move: they belong to a machine or a store, or the import rebuilds them. */
export const stayingTables: readonly (keyof Tables | 'schema_state' | 'schema_steps')[] = [
  'practices',
  'audit_heads',
  'blobs_to_remove',
  'models',
  'model_installs',
  'refused_calls',
  'schema_state',
  'schema_steps',
]
