import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { AppError } from '#contract/errors.ts'
import type { Client } from '#contract/model/client.ts'
import type { Consent } from '#contract/model/consent.ts'
import type { Condition, Page, PageQuery } from './records.ts'
import { changesOf, getRecord, having, isTaken, pageOfRecords, rowOf } from './records.ts'
import type { Guarded } from './sealed.ts'
import { beginsWith, searchWords, wordsOf } from './sealed.ts'
import type { Database, Write } from './tables.ts'

interface ClientQuery extends PageQuery {
  readonly q?: string | undefined
  readonly status?: string | undefined
}

export const getClient = (db: Database, practice: string, id: string): Promise<Client> => getRecord(db, 'clients', practice, id)

export function listClients(
  db: Database,
  practice: string,
  query: ClientQuery,
  within: readonly Condition[] = [],
): Promise<Page<Client>> {
  const narrow = [...within, ...having('status', query.status)]
  for (const word of wordsOf(searchable(query.q ?? '')))
    narrow.push(sql<SqlBool>`(' ' || search_name) like ${beginsWith(word)} escape '~'`)
  return pageOfRecords(db, 'clients', practice, query, narrow)
}

export async function insertClient(db: Write, practice: string, client: Client): Promise<void> {
  if (await isTaken(db, 'clients', client.id)) throw new AppError('already-exists')
  await db
    .insertInto('clients')
    .values({ ...rowOf(practice, client), ...columnsOf(client) })
    .execute()
}

export async function updateClient(db: Write, practice: string, client: Client): Promise<void> {
  await db
    .updateTable('clients')
    .set({ ...changesOf(client), ...columnsOf(client) })
    .where('practice_id', '=', practice)
    .where('id', '=', client.id)
    .execute()
}

function columnsOf(client: Client): { search_name: Guarded; status: string; clinician_id: string | null } {
  return { search_name: searchNameOf(client), status: client.status, clinician_id: client.clinician_id }
}

export function searchNameOf(client: Partial<Pick<Client, 'display_name' | 'given_name' | 'family_name'>>): Guarded {
  const names = [client.display_name, client.given_name, client.family_name]
  return searchWords(searchable(names.filter((name) => typeof name === 'string').join(' ')))
}

function searchable(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

export const getConsent = (db: Database, practice: string, id: string): Promise<Consent> =>
  getRecord(db, 'consents', practice, id)

export function listConsents(
  db: Database,
  practice: string,
  query: PageQuery & { client_id?: string | undefined },
  within: readonly Condition[] = [],
): Promise<Page<Consent>> {
  return pageOfRecords(db, 'consents', practice, query, [...within, ...having('client_id', query.client_id)])
}

export async function consentsOf(db: Database, practice: string, clients: readonly string[]): Promise<Consent[]> {
  const rows = await db
    .selectFrom('consents')
    .select(['id', 'body', 'created_at', 'updated_at', 'version'])
    .where('practice_id', '=', practice)
    .where('client_id', 'in', clients)
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map(({ body, ...fields }) => ({ ...JSON.parse(body), ...fields }) as Consent)
}

export async function insertConsent(db: Write, practice: string, consent: Consent): Promise<void> {
  if (await isTaken(db, 'consents', consent.id)) throw new AppError('already-exists')
  const { client_id } = consent
  await db
    .insertInto('consents')
    .values({ ...rowOf(practice, consent), client_id })
    .execute()
}

export async function updateConsent(db: Write, practice: string, consent: Consent): Promise<void> {
  await db
    .updateTable('consents')
    .set(changesOf(consent))
    .where('practice_id', '=', practice)
    .where('id', '=', consent.id)
    .execute()
}
