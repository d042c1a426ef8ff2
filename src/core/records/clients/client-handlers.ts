import type { ClientRow } from '#contract/bridge/clients.ts'
import type { Handlers } from '#contract/bridge/methods.ts'
import { AppError } from '#contract/errors.ts'
import type { Client } from '#contract/model/client.ts'
import { timestamp } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import { agreedScopes, type ConsentForm } from '#domain/consent.ts'
import { changedFields, pick, existing } from '#core/records/change.ts'
import type { ClientSummary } from './client-repository.ts'
import type { RecordParts } from '#core/records/repositories.ts'

type Parts = Pick<RecordParts, 'clients' | 'consents' | 'change' | 'clock'>

const noSummary: ClientSummary = { last_session_at: null, next_session_at: null, session_count: 0, unsigned_notes: 0 }

export function clientHandlers(parts: Parts): Handlers<'clients.list' | 'clients.get' | 'clients.create' | 'clients.update'> {
  const { clients, consents, change, clock } = parts
  return {
    'clients.list'(filter) {
      const summaries = clients.summaries(timestamp(clock))
      const forms = consents.forms()
      return clients
        .list(filter)
        .map((client) => rowOf(client, clients.recordNumber(client.id), summaries.get(client.id), forms.get(client.id)))
    },
    'clients.get'({ id }) {
      const client = existing(clients.find(id))
      return rowOf(client, clients.recordNumber(id), clients.summaries(timestamp(clock), id).get(id), consents.forms(id).get(id))
    },
    'clients.create': (draft) =>
      change(['clients'], ({ at, audit, intend }) => {
        const id = newId(clock)
        const client: Client = { ...draft, id, created_at: at, updated_at: at, version: 1 }
        clients.insert(client)
        audit({ action: 'client.created', subject_id: id, client_id: id })
        intend({ kind: 'create-client', client_id: id, session_id: null, subject_id: id, body: { ...draft, id } })
        return client
      }),
    'clients.update': ({ id, version, patch, record_number }) =>
      change(['clients', 'sessions'], ({ at, audit, intend }) => {
        const before = existing(clients.find(id))
        if (before.version !== version) throw new AppError('stale-version')
        if (record_number !== undefined && record_number !== clients.recordNumber(id)) {
          clients.setRecordNumber(id, record_number)
          audit({ action: 'client.record-number-changed', subject_id: id, client_id: id })
        }
        const changed = changedFields(before, patch)
        if (Object.keys(changed).length === 0) return before
        const client: Client = { ...before, ...changed, updated_at: at, version: version + 1 }
        clients.update(client)
        audit({ action: 'client.changed', subject_id: id, client_id: id })
        const body = { patch: changed, base: pick(before, changed) }
        intend({ kind: 'update-client', client_id: id, session_id: null, subject_id: id, body })
        return client
      }),
  }
}

function rowOf(
  client: Client,
  record_number: string | null,
  summary: ClientSummary = noSummary,
  forms: readonly ConsentForm[] = [],
): ClientRow {
  const person = { name: client.display_name, role: 'client' } as const
  return { client, record_number, ...summary, consented: agreedScopes(person, [person], forms) }
}
