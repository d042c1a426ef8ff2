import { newId } from '#base/ids.ts'
import type { Client } from '#contract/model/client.ts'
import { assignedTo, requireMayReassign } from '#service/access/assign.ts'
import { requireMayWrite } from '#service/access/limited-fields.ts'
import { fieldsSeenBy } from '#service/access/limits.ts'
import { requirePeople } from '#service/access/people.ts'
import { requireReach, rowsWithin } from '#service/access/reach.ts'
import type { Scope, Within } from '#service/access/scope.ts'
import type { Call, HandlersOf } from '#service/access/call.ts'
import type { Services } from './services.ts'
import { requireVersion } from '#service/kernel/stale.ts'
import { getClient, insertClient, listClients, updateClient } from '../store/clients.ts'
import { changed, newRecord } from '../store/records.ts'
import type { Database } from '../store/tables.ts'
import { noticeReassignment } from './reassignments.ts'

export function clientHandlers({ clock }: Services): HandlersOf<'listClients' | 'getClient' | 'createClient' | 'updateClient'> {
  return {
    listClients:
      ({ practice, query, scope }) =>
      async (db) => {
        const within = query.q === undefined ? scope : namedWithin(scope)
        const data = await listClients(db, practice, query, rowsWithin('clients', within))
        return { status: 200, data, touched: data.data.map(({ id }) => id) }
      },
    getClient: (call) => async (db) => ({ status: 200, data: await clientFor(db, call), touched: [call.params.id] }),
    createClient: (call) => async (db) => {
      const { id = newId(clock), ...draft } = call.body
      const clinician_id = assignedTo(call, draft.clinician_id, null)
      await requirePeople(db, call.caller, [{ pointer: '/clinician_id', id: draft.clinician_id }])
      const client: Client = { ...draft, clinician_id, ...newRecord(id, call.now) }
      await requireMayWrite(db, call, 'client', { id: null, clinician_id, fields: filledIn(draft) })
      await insertClient(db, call.practice, client)
      return { status: 201, data: client, record: { kind: 'client', id, version: 1 }, touched: [id] }
    },
    updateClient: (call) => async (db) => {
      const current = await clientFor(db, call)
      requireVersion(call.ifMatch, current)
      const client = changed({ ...current, ...named(call.body) }, call.now)
      await requireMayWrite(db, call, 'client', { ...current, fields: Object.keys(named(call.body)) })
      if (client.clinician_id !== current.clinician_id) {
        requireMayReassign(call, current.clinician_id, client.clinician_id)
        await requirePeople(db, call.caller, [{ pointer: '/clinician_id', id: client.clinician_id }])
      }
      await updateClient(db, call.practice, client)
      const isReassigned = client.clinician_id !== current.clinician_id
      const notices = isReassigned ? await noticeReassignment(db, clock, call, client, current.clinician_id) : []
      return { status: 200, data: client, touched: [client.id, ...notices] }
    },
  }
}

/** A name finds only those whose names the caller sees. */
function namedWithin(scope: Scope): Within {
  const { limited } = scope
  return limited === null || fieldsSeenBy('client', limited.roles).includes('display_name') ? scope : limited.whole
}

/** Fields of a new record that say anything. */
const filledIn = (draft: object): string[] =>
  Object.entries(draft).flatMap(([field, value]) =>
    value === null || (Array.isArray(value) && value.length === 0) ? [] : [field],
  )

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
