import { AppError } from '#contract/errors.ts'
import type { Authorisation } from '#contract/model/payer.ts'
import type { Condition, Page, PageQuery } from './records.ts'
import { changesOf, getRecord, having, isTaken, pageOfRecords, rowOf } from './records.ts'
import type { Database, Write } from './tables.ts'

export interface AuthorisationQuery extends PageQuery {
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

/** @throws AppError `already-exists` */
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
