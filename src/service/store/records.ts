import { type DeleteQueryBuilder, type DeleteResult, type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely'
import type { Updateable, UpdateQueryBuilder, UpdateResult } from 'kysely'
import { AppError } from '#contract/errors.ts'
import type { Analysis } from '#contract/model/analysis.ts'
import type { Availability, Room } from '#contract/model/availability.ts'
import type { BreakGlass, Reassignment } from '#contract/model/caseload.ts'
import type { Client } from '#contract/model/client.ts'
import type { Tombstone } from '#contract/model/common.ts'
import type { Consent } from '#contract/model/consent.ts'
import type { StoredCoverage } from '#contract/model/coverage.ts'
import type { Note } from '#contract/model/note.ts'
import type { Payer } from '#contract/model/payer.ts'
import type { Erasure, LegalHold } from '#contract/model/retention.ts'
import type { Session } from '#contract/model/session.ts'
import type { Staff } from '#contract/model/staff.ts'
import type { OwnTemplate } from '#contract/model/template.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import type { KeptAuthorisation } from './coverages.ts'
import { afterCursor, bytesOf, cursorFor, rowsOnPage } from './pages.ts'
import { type Sealed, sealed } from './sealed.ts'
import type { Database, Tables, Write } from './tables.ts'
import { NotFound } from '#service/kernel/problem.ts'

export interface Records {
  clients: Client
  sessions: Session
  consents: Consent
  transcripts: Transcript
  notes: Note
  analyses: Analysis
  templates: OwnTemplate
  rooms: Room
  availability: Availability
  legal_holds: LegalHold
  erasures: Erasure & RecordFields
  staff: Staff
  break_glass: BreakGlass
  reassignments: Reassignment
  coverages: StoredCoverage
  authorisations: KeptAuthorisation
  payers: Payer
}
export type RecordTable = keyof Records

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

export type Filtered<Name extends string> = PageQuery & { readonly [Key in Name]?: string | undefined }
export type BySession = Filtered<'session_id' | 'client_id'>

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

export const sharing = (table: RecordTable): 'clients' => table as 'clients'

type PracticeTable = { [Name in keyof Tables]: 'practice_id' extends keyof Tables[Name] ? Name : never }[keyof Tables]

/** Kysely cannot type a condition on one of many tables, so these functions treat every table as `clients`. */
export const selectIn = <Name extends PracticeTable>(db: Database, table: Name, practice: string) =>
  db.selectFrom(table as 'clients').where('practice_id', '=', practice) as unknown as SelectQueryBuilder<Tables, Name, object>

export const updateIn = <Name extends PracticeTable>(db: Database, table: Name, practice: string) =>
  db.updateTable(table as 'clients').where('practice_id', '=', practice) as unknown as UpdateQueryBuilder<
    Tables,
    Name,
    Name,
    UpdateResult
  >

export const deleteIn = <Name extends PracticeTable>(db: Database, table: Name, practice: string) =>
  db.deleteFrom(table as 'clients').where('practice_id', '=', practice) as unknown as DeleteQueryBuilder<
    Tables,
    Name,
    DeleteResult
  >

export async function findRecord<Table extends RecordTable>(
  db: Database,
  table: Table,
  practice: string,
  id: string,
  narrow: readonly Condition[] = [],
): Promise<Records[Table] | null> {
  let select = selectIn(db, sharing(table), practice).select(shared).where('id', '=', id)
  for (const condition of narrow) select = select.where(condition)
  const row = await select.executeTakeFirst()
  if (row === undefined) return null
  if (row.deleted_at !== null) throw new AppError('gone')
  return itemOf(row)
}

export async function recordsById<Table extends RecordTable>(
  db: Database,
  table: Table,
  practice: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Records[Table]>> {
  if (ids.length === 0) return new Map()
  const found = selectIn(db, sharing(table), practice).select(shared).where('deleted_at', 'is', null)
  const rows = await found.where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, itemOf<Records[Table]>(row)]))
}

export async function isKept(db: Database, table: RecordTable, practice: string, id: string): Promise<boolean> {
  return (await selectIn(db, sharing(table), practice).select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** An id that another practice has is answered as not found. With row-level security, only the insert reveals such a conflict. */
async function atFreeId(db: Database, table: RecordTable, id: string, insert: () => Promise<void>): Promise<void> {
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

export async function isTaken(db: Database, table: RecordTable, id: string): Promise<boolean> {
  return (await db.selectFrom(sharing(table)).select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/**
 * Sorts by creation, or by change with `updated_since`, then by id: a walk over all pages returns each unchanged record once. A
 * page can hold fewer than `limit` records and still have a next page; see `MAX_PAGE_BYTES`.
 */
export async function pageOfRecords<Table extends RecordTable>(
  db: Database,
  table: Table,
  practice: string,
  query: PageQuery,
  narrow: readonly Condition[] = [],
): Promise<Page<Records[Table]>> {
  const by = query.updated_since === undefined ? 'created_at' : 'updated_at'
  let select = selectIn(db, sharing(table), practice)
  if (query.updated_since === undefined) select = select.where('deleted_at', 'is', null)
  else select = select.where('updated_at', '>=', normalTime(query.updated_since))
  for (const condition of [...narrow, ...afterCursor(query.cursor, by)]) select = select.where(condition)
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
    data: page.filter((row) => row.deleted_at === null).map((row) => itemOf<Records[Table]>(row)),
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

interface Kind<Table extends RecordTable, Query extends PageQuery, More extends readonly unknown[]> {
  readonly columns?: (item: Records[Table]) => Updateable<Tables[Table]>
  readonly columnsOfNew?: (item: Records[Table], ...more: More) => Updateable<Tables[Table]>
  readonly narrow?: (query: Query) => Condition[]
  /** Callers can choose ids: an id that is taken is refused with `already-exists`. */
  readonly hasOwnId?: boolean
}

export function recordsIn<Table extends RecordTable, Query extends PageQuery = PageQuery, More extends readonly unknown[] = []>(
  table: Table,
  { columns, columnsOfNew, narrow, hasOwnId = false }: Kind<Table, Query, More> = {},
) {
  type Item = Records[Table]
  const find = (db: Database, practice: string, id: string): Promise<Item | null> => findRecord(db, table, practice, id)
  const insert = async (db: Write, practice: string, item: Item, ...more: More): Promise<void> => {
    if (hasOwnId && (await isTaken(db, table, item.id))) throw new AppError('already-exists')
    // `Kind` checks the columns against the table; Kysely cannot check the combined row for one of many tables.
    const row = { ...rowOf(practice, item), ...columns?.(item), ...columnsOfNew?.(item, ...more) } as never
    await db.insertInto(sharing(table)).values(row).execute()
  }
  const update = async (db: Write, practice: string, item: Item): Promise<void> => {
    const change = { ...changesOf(item), ...columns?.(item) }
    await updateIn(db, sharing(table), practice).set(change).where('id', '=', item.id).execute()
  }
  return {
    find,
    insert,
    update,
    get: async (db: Database, practice: string, id: string): Promise<Item> => {
      const item = await find(db, practice, id)
      if (item === null) throw new NotFound(id)
      return item
    },
    list: (db: Database, practice: string, query: Query, within: readonly Condition[] = []): Promise<Page<Item>> =>
      pageOfRecords(db, table, practice, query, [...within, ...(narrow?.(query) ?? [])]),
    all: async (db: Database, practice: string): Promise<Item[]> => {
      const rows = selectIn(db, sharing(table), practice).select(shared).where('deleted_at', 'is', null)
      return (await rows.orderBy('created_at').orderBy('id').execute()).map((row) => itemOf<Item>(row))
    },
    put: (db: Write, practice: string, item: Item, ...more: More): Promise<void> =>
      item.version === 1 ? atFreeId(db, table, item.id, () => insert(db, practice, item, ...more)) : update(db, practice, item),
  }
}

function rowOf(practice: string, record: RecordFields) {
  const { id, created_at, updated_at, version } = record
  return { id, practice_id: practice, created_at, updated_at, version, deleted_at: null, body: bodyOf(record) }
}

function changesOf(record: RecordFields) {
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
