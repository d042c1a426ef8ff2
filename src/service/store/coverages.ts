import type { StoredCoverage } from '#contract/model/coverage.ts'
import { AppError } from '#contract/errors.ts'
import type { Authorisation } from '#contract/model/payer.ts'
import type { Session } from '#contract/model/session.ts'
import type { Condition, Page, PageQuery } from './records.ts'
import { findRecord, getRecord, having, pageOfRecords, rowOf, changesOf, isTaken, everyPage } from './records.ts'
import { sealedOrNull } from './sealed.ts'
import type { Database, Write, RecordColumns } from './tables.ts'
import type { SealedTextOrNull } from './sealed.ts'
import { listSessions } from './sessions.ts'

interface CoverageTable extends RecordColumns {
  client_id: string | null
  author_id: string
  question: string
  is_answer: 0 | 1
  checked_at: string
  raw: SealedTextOrNull
  raw_type: string | null
}

interface AuthorisationTable extends RecordColumns {
  client_id: string
  author_id: string
}

interface PayerTable extends RecordColumns {
  payer_id: string
  /** Ids and names in lower case, each between `|` characters. */
  search: string
}

export interface CoverageTables {
  coverages: CoverageTable
  authorisations: AuthorisationTable
  payers: PayerTable
}

interface CoverageQuery extends PageQuery {
  readonly client_id?: string | undefined
}

interface CoverageOrigin {
  readonly author_id: string
  readonly question: string
  readonly is_answer: boolean
  readonly raw: { readonly text: string; readonly media_type: string } | null
}

export const getCoverage = (db: Database, practice: string, id: string): Promise<StoredCoverage> =>
  getRecord(db, 'coverages', practice, id)

export function listCoverage(
  db: Database,
  practice: string,
  query: CoverageQuery,
  within: readonly Condition[],
): Promise<Page<StoredCoverage>> {
  return pageOfRecords(db, 'coverages', practice, query, [...within, ...having('client_id', query.client_id)])
}

export async function insertCoverage(
  db: Write,
  practice: string,
  coverage: StoredCoverage,
  origin: CoverageOrigin,
): Promise<void> {
  const { author_id, question, raw } = origin
  await db
    .insertInto('coverages')
    .values({
      ...rowOf(practice, coverage),
      client_id: coverage.client_id ?? null,
      author_id,
      question,
      is_answer: origin.is_answer ? 1 : 0,
      checked_at: coverage.checked_at,
      raw: sealedOrNull(raw?.text ?? null),
      raw_type: raw?.media_type ?? null,
    })
    .execute()
}

export async function findAnswer(
  db: Database,
  practice: string,
  question: string,
  client_id: string | null,
  since: string,
): Promise<StoredCoverage | null> {
  const row = await db
    .selectFrom('coverages')
    .select('id')
    .where('practice_id', '=', practice)
    .where('question', '=', question)
    .where('client_id', client_id === null ? 'is' : '=', client_id)
    .where('is_answer', '=', 1)
    .where('checked_at', '>=', since)
    .where('deleted_at', 'is', null)
    .orderBy('checked_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : findRecord(db, 'coverages', practice, row.id)
}

export async function findRaw(db: Database, practice: string, id: string): Promise<{ text: string; media_type: string } | null> {
  const row = await db
    .selectFrom('coverages')
    .select(['raw', 'raw_type'])
    .where('practice_id', '=', practice)
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined || row.raw === null || row.raw_type === null ? null : { text: row.raw, media_type: row.raw_type }
}

interface AuthorisationQuery extends PageQuery {
  readonly client_id?: string | undefined
}

/** The stored fields. Used visits are counted on every read. */
export type KeptAuthorisation = Omit<Authorisation, 'visits_used' | 'visits_left'>

export const getAuthorisation = (db: Database, practice: string, id: string): Promise<KeptAuthorisation> =>
  getRecord(db, 'authorisations', practice, id)

export function listAuthorisations(
  db: Database,
  practice: string,
  query: AuthorisationQuery,
  within: readonly Condition[] = [],
): Promise<Page<KeptAuthorisation>> {
  return pageOfRecords(db, 'authorisations', practice, query, [...within, ...having('client_id', query.client_id)])
}

export async function insertAuthorisation(
  db: Write,
  practice: string,
  authorisation: KeptAuthorisation,
  author_id: string,
): Promise<void> {
  if (await isTaken(db, 'authorisations', authorisation.id)) throw new AppError('already-exists')
  const { client_id } = authorisation
  await db
    .insertInto('authorisations')
    .values({ ...rowOf(practice, authorisation), client_id, author_id })
    .execute()
}

export async function updateAuthorisation(db: Write, practice: string, authorisation: KeptAuthorisation): Promise<void> {
  await db
    .updateTable('authorisations')
    .set(changesOf(authorisation))
    .where('practice_id', '=', practice)
    .where('id', '=', authorisation.id)
    .execute()
}

export function completedSessions(db: Database, practice: string, client_id: string): Promise<Session[]> {
  return everyPage((cursor) => listSessions(db, practice, { limit: 200, cursor, client_id, status: 'completed' }))
}

export function withVisits(authorisation: KeptAuthorisation, completed: readonly Session[]): Authorisation {
  const counted = completed.filter((session) => fallsUnder(authorisation, dayOf(session), session.cpt_code)).length
  const visits_used = authorisation.visits_used_before + counted
  const { visits_approved } = authorisation
  return {
    ...authorisation,
    visits_used,
    visits_left: visits_approved === null ? null : Math.max(0, visits_approved - visits_used),
  }
}

export async function countedOne(db: Database, practice: string, kept: KeptAuthorisation): Promise<Authorisation> {
  return withVisits(kept, await completedSessions(db, practice, kept.client_id))
}

/** A session without a CPT code counts only toward authorizations for any code. */
export function fallsUnder(
  { starts_on, ends_on, cpt_codes, cancelled }: Pick<KeptAuthorisation, 'starts_on' | 'ends_on' | 'cpt_codes' | 'cancelled'>,
  day: string,
  cpt_code: string | null,
): boolean {
  if (cancelled || day < starts_on || (ends_on !== null && day > ends_on)) return false
  return cpt_codes.length === 0 || (cpt_code !== null && cpt_codes.some((code) => code.toUpperCase() === cpt_code.toUpperCase()))
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The date on which a session began in its own time zone, because payers count by date. */
function dayOf({ starts_at, time_zone }: Pick<Session, 'starts_at' | 'time_zone'>): string {
  let format = formats.get(time_zone)
  if (format === undefined) {
    // en-CA formats dates as ISO 8601.
    format = new Intl.DateTimeFormat('en-CA', { timeZone: time_zone, year: 'numeric', month: '2-digit', day: '2-digit' })
    if (formats.size < 1000) formats.set(time_zone, format)
  }
  return format.format(new Date(starts_at))
}
