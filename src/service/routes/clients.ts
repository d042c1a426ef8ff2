import { newId } from '#base/ids.ts'
import type { Client } from '#contract/model/client.ts'
import { assignedTo, requireMayAssign } from '../authority/assign.ts'
import { requireReach, rowsWithin } from '../authority/reach.ts'
import type { Call, HandlersOf, Services } from '../handler.ts'
import { requireVersion } from '../stale.ts'
import { getClient, insertClient, listClients, updateClient } from '../store/clients.ts'
import { changed, newRecord } from '../store/records.ts'
import type { Database } from '../store/tables.ts'

export function clientHandlers({ clock }: Services): HandlersOf<'listClients' | 'getClient' | 'createClient' | 'updateClient'> {
  return {
    listClients:
      ({ practice, query, scope }) =>
      async (db) => {
        const data = await listClients(db, practice, query, rowsWithin('clients', scope))
        return { status: 200, data, touched: data.data.map(({ id }) => id) }
      },
    getClient: (call) => async (db) => ({ status: 200, data: await clientFor(db, call), touched: [call.params.id] }),
    createClient: (call) => async (db) => {
      const { id = newId(clock), ...draft } = call.body
      const clinician_id = assignedTo(call, draft.clinician_id, null)
      const client: Client = { ...draft, clinician_id, ...newRecord(id, call.now) }
      await insertClient(db, call.practice, client)
      return { status: 201, data: client, record: { kind: 'client', id, version: 1 }, touched: [id] }
    },
    updateClient: (call) => async (db) => {
      const current = await clientFor(db, call)
      requireVersion(call.ifMatch, current)
      const client = changed({ ...current, ...named(call.body) }, call.now)
      if (client.clinician_id !== current.clinician_id) requireMayAssign(call, client.clinician_id)
      await updateClient(db, call.practice, client)
      return { status: 200, data: client, touched: [client.id] }
    },
  }
}

async function clientFor(db: Database, call: Call<'getClient'> | Call<'updateClient'>): Promise<Client> {
  await requireReach(db, call, 'clients', call.params.id)
  return getClient(db, call.practice, call.params.id)
}

/** A member that is undefined was not named. */
export function named<Patch extends object>(patch: Patch): { [Key in keyof Patch]: Exclude<Patch[Key], undefined> } {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Patch]: Exclude<Patch[Key], undefined>
  }
}
