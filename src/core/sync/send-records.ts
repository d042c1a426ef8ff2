import type { Client } from '#contract/model/client.ts'
import type { Session } from '#contract/model/session.ts'
import type { CallInput, ServiceClient } from '#client/client.ts'
import type { Repositories } from '#core/records/repositories.ts'
import { dataIn, failedWith, type knownClinicians, type Sending } from '#core/outbox/sending.ts'
import { fieldsOf } from '#core/outbox/three-way.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import type { BookingRefused } from './merge/booking.ts'
import { requireDecided } from './merge/conflict-repository.ts'
import type { Answer, Merge } from './merge/merge.ts'
import { recordKinds } from './record-kinds.ts'
import type { Step } from './sync-loop.ts'

interface Parts extends Pick<Repositories, 'clients' | 'sessions' | 'consents'> {
  readonly outbox: Pick<Outbox, 'find'>
  readonly merge: Pick<Merge, 'take' | 'answered' | 'refused' | 'isAsked'>
  readonly bookingRefused: BookingRefused
  readonly withKnownClinician: ReturnType<typeof knownClinicians>
}

type Versioned = Pick<Session, 'version'>

export function recordSenders(parts: Parts) {
  const [client, session] = [fieldSenders(parts, 'client'), fieldSenders(parts, 'session')]
  return {
    'create-client': client.create,
    'update-client': client.update,
    'create-session': session.create,
    'update-session': session.update,
    ...consentSenders(parts),
  }
}

type Created = Sending<'create-client' | 'create-session'>
type Updated = Sending<'update-client' | 'update-session'>

const calls = {
  client: { create: 'createClient', update: 'updateClient' },
  session: { create: 'createSession', update: 'updateSession' },
} as const

function fieldSenders(parts: Parts, kind: 'client' | 'session') {
  const { outbox, merge, bookingRefused, withKnownClinician } = parts
  const of = parts[`${kind}s`]
  const { get } = recordKinds[kind]
  const { create, update } = calls[kind]
  const read = (client: ServiceClient, id: string, signal: AbortSignal): Promise<Client | Session> =>
    dataIn(client.call(get as 'getClient', { params: { id }, signal }))
  const answered = (intent: (Created | Updated)['intent'], fields: object, record: Client | Session): Step => ({
    state: 'done',
    apply: () => merge.answered(intent, fieldsOf(fields), { kind, record } as Answer),
  })
  return {
    async create({ intent, client, options }: Created): Promise<Step> {
      const id = intent.subject_id
      const send = (body: object): Promise<Client | Session> =>
        dataIn(client.call(create as 'createClient', { ...options, body } as CallInput<'createClient'>))
      const created = await createOnce(
        () => (kind === 'session' ? withKnownClinician(intent.body, send) : send(intent.body)),
        () => read(client, id, options.signal),
      ).catch((error: unknown) => bookingRefused(error, { session_id: id, client, signal: options.signal }))
      if ('id' in created) return answered(intent, intent.body, created)
      return { state: 'done', apply: () => of.keepServiceVersion(id, created.version) }
    },
    /** If the service has another version, merges that version. This can replace or drop the intent. */
    async update({ intent, client, options: { signal } }: Updated): Promise<Step> {
      const id = intent.subject_id
      const body = intent.body.patch
      requireDecided(merge, kind, id)
      const version = of.serviceVersion(id) ?? (await read(client, id, signal)).version
      const isLeft = (): boolean => outbox.find(intent.id) !== null
      // The intent was dropped while the record was read, e.g. because a conflict was resolved.
      if (!isLeft()) return { state: 'done', apply: () => {} }
      try {
        const input = { signal, ifMatch: version, params: { id }, body }
        return answered(intent, body, await dataIn(client.call(update as 'updateClient', input as CallInput<'updateClient'>)))
      } catch (error) {
        if (!failedWith(error, 'stale-version')) return bookingRefused(error, { session_id: id, client, signal })
        const current = await read(client, id, signal)
        // The version is the same, so a retry would be rejected again.
        if (current.version === version) throw error
        merge.refused({ kind, record: current } as Answer)
        if (isLeft()) throw error
        return { state: 'done', apply: () => {} }
      }
    },
  }
}

function consentSenders({ consents, merge }: Parts) {
  return {
    async 'give-consent'({ intent, client, options }: Sending<'give-consent'>): Promise<Step> {
      const given = await createOnce(
        () => dataIn(client.call('giveConsent', { ...options, body: intent.body })),
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
      // An earlier attempt created the record, but the service has no read operation.
      if (failedWith(unread, 'not-offered')) return { version: 1 }
      throw unread
    })
  }
}
