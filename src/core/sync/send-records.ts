import type { Client } from '#contract/model/client.ts'
import type { Session } from '#contract/model/session.ts'
import type { ClientRepository } from '#core/records/clients/client-repository.ts'
import type { ConsentRepository } from '#core/records/consent/consent-repository.ts'
import type { SessionRepository } from '#core/records/sessions/session-repository.ts'
import type { BookingRefused } from './merge/booking.ts'
import type { Answer, Merge } from './merge/merge.ts'
import { etag, failedWith, type knownClinicians, type Sending } from '#core/outbox/sending.ts'
import { fieldsOf } from '#core/outbox/three-way.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import { requireDecided } from './merge/merge.ts'
import type { Step } from './sync-loop.ts'

interface Parts {
  readonly clients: ClientRepository
  readonly sessions: SessionRepository
  readonly consents: ConsentRepository
  readonly outbox: Pick<Outbox, 'find'>
  readonly merge: Pick<Merge, 'take' | 'answered' | 'refused' | 'isAsked'>
  readonly bookingRefused: BookingRefused
  readonly withKnownClinician: ReturnType<typeof knownClinicians>
}

interface Versioned {
  readonly version: number
}

/** If the id already exists, an earlier create succeeded and its answer was lost. */
export function recordSenders(parts: Parts) {
  return { ...clientSenders(parts), ...sessionSenders(parts), ...consentSenders(parts) }
}

function clientSenders({ clients, outbox, merge }: Parts) {
  return {
    async 'create-client'({ intent, client, options }: Sending<'create-client'>): Promise<Step> {
      const id = intent.subject_id
      const created = await createOnce(
        () => client.call('createClient', { ...options, body: intent.body }).then(({ data }) => data),
        () => client.call('getClient', { params: { id }, signal: options.signal }).then(({ data }) => data),
      )
      if (!isWhole(created)) return { state: 'done', apply: () => clients.keepServiceVersion(id, created.version) }
      return { state: 'done', apply: () => merge.answered(intent, fieldsOf(intent.body), { kind: 'client', record: created }) }
    },
    async 'update-client'({ intent, client, options: { signal } }: Sending<'update-client'>): Promise<Step> {
      const params = { id: intent.subject_id }
      const body = intent.body.patch
      requireDecided(merge, 'client', params.id)
      const current = (): Promise<Client> => client.call('getClient', { params, signal }).then(({ data }) => data)
      return patch(clients.serviceVersion(params.id), {
        send: (ifMatch) => client.call('updateClient', { signal, ifMatch, params, body }).then(({ data }) => data),
        current,
        taken: (record) => merge.answered(intent, fieldsOf(body), { kind: 'client', record }),
        refused: (record) => merge.refused({ kind: 'client', record }),
        isLeft: () => outbox.find(intent.id) !== null,
      })
    },
  }
}

function sessionSenders({ sessions, outbox, merge, bookingRefused, withKnownClinician }: Parts) {
  const answered = (intent: Sending<'create-session' | 'update-session'>['intent'], fields: object, record: Session): void =>
    merge.answered(intent, fieldsOf(fields), { kind: 'session', record } satisfies Answer)
  return {
    async 'create-session'({ intent, client, options }: Sending<'create-session'>): Promise<Step> {
      const id = intent.subject_id
      const created = await createOnce(
        () =>
          withKnownClinician(intent.body, (body) => client.call('createSession', { ...options, body })).then(({ data }) => data),
        () => client.call('getSession', { params: { id }, signal: options.signal }).then(({ data }) => data),
      ).catch((error: unknown) => bookingRefused(error, { session_id: id, client, signal: options.signal }))
      if (!isWhole(created)) return { state: 'done', apply: () => sessions.keepServiceVersion(id, created.version) }
      return { state: 'done', apply: () => answered(intent, intent.body, created) }
    },
    async 'update-session'({ intent, client, options: { signal } }: Sending<'update-session'>): Promise<Step> {
      const params = { id: intent.subject_id }
      const body = intent.body.patch
      requireDecided(merge, 'session', params.id)
      const current = (): Promise<Session> => client.call('getSession', { params, signal }).then(({ data }) => data)
      return patch(sessions.serviceVersion(params.id), {
        send: (ifMatch) => client.call('updateSession', { signal, ifMatch, params, body }).then(({ data }) => data),
        current,
        taken: (record) => answered(intent, body, record),
        refused: (record) => merge.refused({ kind: 'session', record }),
        isLeft: () => outbox.find(intent.id) !== null,
      }).catch((error: unknown) => bookingRefused(error, { session_id: params.id, client, signal }))
    },
  }
}

function consentSenders({ consents, merge }: Parts) {
  return {
    async 'give-consent'({ intent, client, options }: Sending<'give-consent'>): Promise<Step> {
      const given = await createOnce(
        () => client.call('giveConsent', { ...options, body: intent.body }).then(({ data }) => data),
        () => Promise.resolve({ version: 1 }),
      )
      return { state: 'done', apply: () => consents.keepServiceVersion(intent.subject_id, given.version) }
    },
    async 'revoke-consent'({ intent, client, options }: Sending<'revoke-consent'>): Promise<Step> {
      const id = intent.subject_id
      const { data } = await client.call('revokeConsent', { ...options, params: { id }, body: intent.body })
      return {
        state: 'done',
        apply() {
          if (consents.find(id) !== null) merge.take({ kind: 'consent', record: data })
        },
      }
    },
  }
}

async function createOnce<Record extends Versioned>(
  create: () => Promise<Record>,
  current: () => Promise<Record | Versioned>,
): Promise<Record | Versioned> {
  try {
    return await create()
  } catch (error) {
    if (!failedWith(error, 'already-exists')) throw error
    return current().catch((unread: unknown) => {
      // An earlier attempt created it, but the service has no read operation.
      if (failedWith(unread, 'not-offered')) return { version: 1 }
      throw unread
    })
  }
}

function isWhole<Record extends Client | Session>(created: Record | Versioned): created is Record {
  return 'id' in created
}

interface Patching<Record> {
  readonly send: (ifMatch: string) => Promise<Record>
  readonly current: () => Promise<Record>
  readonly taken: (record: Record) => void
  readonly refused: (record: Record) => void
  readonly isLeft: () => boolean
}

/** Patches the known version. A newer one is merged first; then a new intent replaces this one, or a conflict blocks it. */
async function patch<Record extends Versioned>(known: number | null, service: Patching<Record>): Promise<Step> {
  const version = known ?? (await service.current()).version
  // The therapist chose the service's version after this intent was queued.
  if (!service.isLeft()) return { state: 'done', apply: () => {} }
  try {
    const record = await service.send(etag(version))
    return { state: 'done', apply: () => service.taken(record) }
  } catch (error) {
    if (!failedWith(error, 'stale-version')) throw error
    const current = await service.current()
    // The version is the same, so a retry would be rejected again.
    if (current.version === version) throw error
    service.refused(current)
    if (service.isLeft()) throw error
    return { state: 'done', apply: () => {} }
  }
}
