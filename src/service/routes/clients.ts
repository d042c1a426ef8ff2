import { newId } from '#base/ids.ts'
import type { Client } from '#contract/model/client.ts'
import type { HandlersOf, Services } from '../handler.ts'
import { requireVersion } from '../stale.ts'
import { getClient, insertClient, listClients, updateClient } from '../store/clients.ts'
import { changed, newRecord } from '../store/records.ts'

export function clientHandlers({ clock }: Services): HandlersOf<'listClients' | 'getClient' | 'createClient' | 'updateClient'> {
  return {
    listClients:
      ({ practice, query }) =>
      async (db) => {
        const data = await listClients(db, practice, query)
        return { status: 200, data, touched: data.data.map(({ id }) => id) }
      },
    getClient:
      ({ practice, params }) =>
      async (db) => ({
        status: 200,
        data: await getClient(db, practice, params.id),
        touched: [params.id],
      }),
    createClient:
      ({ practice, body, now }) =>
      async (db) => {
        const { id = newId(clock), ...draft } = body
        const client: Client = { ...draft, ...newRecord(id, now) }
        await insertClient(db, practice, client)
        return { status: 201, data: client, record: { kind: 'client', id, version: 1 }, touched: [id] }
      },
    updateClient:
      ({ practice, params, body, ifMatch, now }) =>
      async (db) => {
        const current = await getClient(db, practice, params.id)
        requireVersion(ifMatch, current)
        const client = changed({ ...current, ...named(body) }, now)
        await updateClient(db, practice, client)
        return { status: 200, data: client, touched: [params.id] }
      },
  }
}

/** A member that is undefined was not named. */
export function named<Patch extends object>(patch: Patch): { [Key in keyof Patch]: Exclude<Patch[Key], undefined> } {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Patch]: Exclude<Patch[Key], undefined>
  }
}
