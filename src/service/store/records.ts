import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { AppError } from '#contract/errors.ts'
import type { Tombstone } from '#contract/model/common.ts'
import { cursorFor, readCursor, bytesOf, rowsOnPage } from './pages.ts'
import type { Sealed } from './sealed.ts'
import { sealed } from './sealed.ts'
import type { Database } from './tables.ts'
import { NotFound } from '#service/kernel/problem.ts'

export type RecordTable =
  | 'clients'
  | 'sessions'
  | 'consents'
  | 'transcripts'
  | 'notes'
  | 'analyses'
  | 'templates'
  | 'rooms'
  | 'availability'
  | 'legal_holds'
  | 'erasures'
  | 'staff'
  | 'break_glass'
  | 'reassignments'
  | 'coverages'
  | 'authorisations'
  | 'payers'

export interface RecordFields {
  readonly id: string
  readonly created_at: string
  readonly updated_at: string
  readonly version: number
}

export interface PageQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly updated_since?: string | undefined
}

export interface BySession extends PageQuery {
  readonly session_id?: string | undefined
  readonly client_id?: string | undefined
}

export interface Page<Item> {
  readonly data: Item[]
  readonly next_cursor: string | null
  readonly deleted?: Tombstone[]
}

export type Condition = RawBuilder<SqlBool>

const shared = ['id', 'body', 'created_at', 'updated_at', 'version', 'deleted_at'] as const
interface Row extends RecordFields {
  readonly body: string
  readonly deleted_at: string | null
}

/** These queries use only columns that all tables share, so one table's type fits all. */
const sharing = (table: RecordTable): 'clients' => table as 'clients'

export async function findRecord<Item>(
  db: Database,
  table: RecordTable,
  practice: string,
  id: string,
  narrow: readonly Condition[] = [],
): Promise<Item | null> {
  let select = db.selectFrom(sharing(table)).select(shared).where('practice_id', '=', practice).where('id', '=', id)
  for (const condition of narrow) select = select.where(condition)
  const row = await select.executeTakeFirst()
  if (row === undefined) return null
  if (row.deleted_at !== null) throw new AppError('gone')
  return itemOf(row)
}

export async function getRecord<Item>(db: Database, table: RecordTable, practice: string, id: string): Promise<Item> {
  const item = await findRecord<Item>(db, table, practice, id)
  if (item === null) throw new NotFound(id)
  return item
}

export async function recordsById<Item>(
  db: Database,
  table: RecordTable,
  practice: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Item>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom(sharing(table))
    .select(shared)
    .where('practice_id', '=', practice)
    .where('deleted_at', 'is', null)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, itemOf<Item>(row)]))
}

/** True if the practice has, or ever had, a record with this id. */
export async function isKept(db: Database, table: RecordTable, practice: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom(sharing(table))
    .select('id')
    .where('practice_id', '=', practice)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** An id of another practice is answered as not found. With row-level security, only the insert reveals such a conflict. */
export async function atFreeId(db: Database, table: RecordTable, id: string, insert: () => Promise<void>): Promise<void> {
  if (await isTaken(db, table, id)) throw new NotFound(id)
  await conflictAsNotFound(insert())
}

export async function conflictAsNotFound<Result>(insert: Promise<Result>): Promise<Result> {
  try {
    return await insert
  } catch (error) {
    throw error instanceof AppError && error.code === 'already-exists' ? new AppError('not-found') : error
  }
}

/** Ids are unique across practices. That an id is taken does not reveal which practice has it. */
export async function isTaken(db: Database, table: RecordTable, id: string): Promise<boolean> {
  return (await db.selectFrom(sharing(table)).select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/**
 * Sorted by creation, or by change with `updated_since`, then by id: a walk over all pages returns each unchanged record once. A
 * page can hold fewer than `limit` records and still have a next one; see `MAX_PAGE_BYTES`.
 */
export async function pageOfRecords<Item>(
  db: Database,
  table: RecordTable,
  practice: string,
  query: PageQuery,
  narrow: readonly Condition[] = [],
): Promise<Page<Item>> {
  const by = query.updated_since === undefined ? 'created_at' : 'updated_at'
  let select = db.selectFrom(sharing(table)).where('practice_id', '=', practice)
  if (query.updated_since === undefined) select = select.where('deleted_at', 'is', null)
  else select = select.where('updated_at', '>=', normalTime(query.updated_since))
  for (const condition of narrow) select = select.where(condition)
  if (query.cursor !== undefined) {
    const after = readCursor(query.cursor, by)
    select = select.where(sql<SqlBool>`(${sql.ref(by)}, id) > (${after.at}, ${after.id})`)
  }
  const inOrder = select.orderBy(by).orderBy('id')
  const sizes = await inOrder
    .select(['id', by, bytesOf('body').as('bytes')])
    .limit(query.limit + 1)
    .execute()
  const count = rowsOnPage(sizes, query.limit)
  // A record may be erased between the two queries, so the first one decides where the page ends.
  const last = sizes[count - 1]
  const ids = sizes.slice(0, count).map(({ id }) => id)
  const page = ids.length === 0 ? [] : await inOrder.select(shared).where('id', 'in', ids).execute()
  return {
    data: page.filter((row) => row.deleted_at === null).map((row) => itemOf<Item>(row)),
    next_cursor: sizes.length > count && last ? cursorFor(by, last[by], last.id) : null,
    ...(query.updated_since === undefined ? {} : { deleted: page.flatMap(tombstoneOf) }),
  }
}

export async function everyPage<Item>(list: (cursor: string | undefined) => Promise<Page<Item>>): Promise<Item[]> {
  const found: Item[] = []
  let cursor: string | undefined
  do {
    const page = await list(cursor)
    found.push(...page.data)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return found
}

function tombstoneOf({ id, updated_at, version, deleted_at }: Row): Tombstone[] {
  return deleted_at === null ? [] : [{ id, updated_at, version: Number(version), deleted_at }]
}

export async function itemsOf<Item>(db: Database, table: RecordTable, practice: string): Promise<Item[]> {
  const rows = await db
    .selectFrom(sharing(table))
    .select(shared)
    .where('practice_id', '=', practice)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => itemOf<Item>(row))
}

export function rowOf(practice: string, record: RecordFields) {
  const { id, created_at, updated_at, version } = record
  return { id, practice_id: practice, created_at, updated_at, version, deleted_at: null, body: bodyOf(record) }
}

export function changesOf(record: RecordFields) {
  const { updated_at, version } = record
  return { updated_at, version, body: bodyOf(record) }
}

export function having(column: string, value: string | undefined): RawBuilder<SqlBool>[] {
  return value === undefined ? [] : [sql<SqlBool>`${sql.ref(column)} = ${value}`]
}

function bodyOf(record: RecordFields): Sealed {
  const { id: _id, created_at: _created, updated_at: _updated, version: _version, ...body } = record
  return sealed(JSON.stringify(body))
}

export function newRecord(id: string, now: string): RecordFields {
  return { id, created_at: now, updated_at: now, version: 1 }
}

/** The next version of a record. `updated_at` never decreases, even if the clock is set back. */
export function changed<Item extends RecordFields>(item: Item, now: string): Item {
  return { ...item, updated_at: now > item.updated_at ? now : item.updated_at, version: item.version + 1 }
}

/** RFC 3339 allows several spellings of one moment. Columns hold only one of them, so that text sorts by time. */
export function normalTime(time: string): string {
  return new Date(time).toISOString()
}

function itemOf<Item>(row: Row): Item {
  const { id, created_at, updated_at, version } = row
  return { ...JSON.parse(row.body), id, created_at, updated_at, version } as Item
}
