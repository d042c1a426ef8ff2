import { sql, type SqlBool } from 'kysely'
import type { Client } from '#contract/model/client.ts'
import type { Consent } from '#contract/model/consent.ts'
import { type Condition, type Filtered, having, recordsIn, selectIn } from './records.ts'
import { beginsWith, type Guarded, searchWords, wordsOf } from './sealed.ts'
import type { Database, Write } from './tables.ts'

export const {
  get: getClient,
  list: listClients,
  insert: insertClient,
  update: updateClient,
} = recordsIn('clients', {
  hasOwnId: true,
  columns: (client) => ({ search_name: searchNameOf(client), status: client.status, clinician_id: client.clinician_id }),
  narrow: ({ q = '', status }: Filtered<'q' | 'status'>) => [
    ...having('status', status),
    ...wordsOf(searchable(q)).map((word) => sql<SqlBool>`(' ' || search_name) like ${beginsWith(word)} escape '~'`),
  ],
})

export function searchNameOf(client: Partial<Pick<Client, 'display_name' | 'given_name' | 'family_name'>>): Guarded {
  const names = [client.display_name, client.given_name, client.family_name]
  return searchWords(searchable(names.filter((name) => typeof name === 'string').join(' ')))
}

function searchable(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

export const {
  list: listConsents,
  insert: insertConsent,
  update: updateConsent,
} = recordsIn('consents', {
  hasOwnId: true,
  columnsOfNew: ({ client_id }) => ({ client_id }),
  narrow: ({ client_id }: Filtered<'client_id'>) => having('client_id', client_id),
})

export async function consentsOf(db: Database, practice: string, clients: readonly string[]): Promise<Consent[]> {
  const select = selectIn(db, 'consents', practice).select(['id', 'body', 'created_at', 'updated_at', 'version'])
  const rows = await select.where('client_id', 'in', clients).where('deleted_at', 'is', null).execute()
  return rows.map(({ body, ...fields }) => ({ ...JSON.parse(body), ...fields }) as Consent)
}

export async function othersAt(db: Database, practice: string, session: string): Promise<string[]> {
  const rows = selectIn(db, 'session_clients', practice).select('client_id').where('session_id', '=', session)
  return (await rows.orderBy('client_id').execute()).map(({ client_id }) => client_id)
}

export async function insertOthers(db: Write, practice: string, session: string, clients: readonly string[]): Promise<void> {
  if (clients.length === 0) return
  const rows = clients.map((client_id) => ({ session_id: session, client_id, practice_id: practice }))
  await db.insertInto('session_clients').values(rows).execute()
}

export const ofClient = (client: string): Condition =>
  sql<SqlBool>`(sessions.client_id = ${client} or sessions.id in
    (select session_clients.session_id from session_clients where session_clients.client_id = ${client}))`
