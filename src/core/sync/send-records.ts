import { AppError } from '#contract/errors.ts'
import { hasFields } from '#core/records/patch.ts'
import type { ClientRepository } from '#core/clients/client-repository.ts'
import type { ConsentRepository } from '#core/consent/consent-repository.ts'
import type { SessionRepository } from '#core/sessions/session-repository.ts'
import type { Intent } from './intents.ts'
import { etag, failedWith, type Sending } from './sending.ts'
import type { Step } from './sync-loop.ts'

interface Parts {
  readonly clients: ClientRepository
  readonly sessions: SessionRepository
  readonly consents: ConsentRepository
}

interface Versioned {
  readonly version: number
}

/** Clients, sessions and consents. What was already there under its own id was sent before and its answer lost. */
export function recordSenders({ clients, sessions, consents }: Parts) {
  return {
    async 'create-client'({ intent, client, options }: Sending<'create-client'>): Promise<Step> {
      const id = intent.subject_id
      const created = await createOnce(
        () => client.call('createClient', { ...options, body: intent.body }).then(({ data }) => data),
        () => client.call('getClient', { params: { id }, signal: options.signal }).then(({ data }) => data),
      )
      return { state: 'done', apply: () => clients.keepServiceVersion(id, created.version) }
    },
    async 'create-session'({ intent, client, options }: Sending<'create-session'>): Promise<Step> {
      const id = intent.subject_id
      const created = await createOnce(
        () => client.call('createSession', { ...options, body: intent.body }).then(({ data }) => data),
        () => client.call('getSession', { params: { id }, signal: options.signal }).then(({ data }) => data),
      )
      return { state: 'done', apply: () => sessions.keepServiceVersion(id, created.version) }
    },
    async 'update-client'({ intent, client, options }: Sending<'update-client'>): Promise<Step> {
      const params = { id: intent.subject_id }
      const updated = await patch(intent, clients.serviceVersion(params.id), {
        send: (ifMatch) =>
          client
            .call('updateClient', { ...patchOptions(options.signal, ifMatch), params, body: intent.body.patch })
            .then(({ data }) => data),
        current: () => client.call('getClient', { params, signal: options.signal }).then(({ data }) => data),
      })
      return { state: 'done', apply: () => clients.keepServiceVersion(params.id, updated.version) }
    },
    async 'update-session'({ intent, client, options }: Sending<'update-session'>): Promise<Step> {
      const params = { id: intent.subject_id }
      const updated = await patch(intent, sessions.serviceVersion(params.id), {
        send: (ifMatch) =>
          client
            .call('updateSession', { ...patchOptions(options.signal, ifMatch), params, body: intent.body.patch })
            .then(({ data }) => data),
        current: () => client.call('getSession', { params, signal: options.signal }).then(({ data }) => data),
      })
      return { state: 'done', apply: () => sessions.keepServiceVersion(params.id, updated.version) }
    },
    async 'give-consent'({ intent, client, options }: Sending<'give-consent'>): Promise<Step> {
      const given = await createOnce(
        () => client.call('giveConsent', { ...options, body: intent.body }).then(({ data }) => data),
        () => Promise.resolve({ version: 1 }),
      )
      return { state: 'done', apply: () => consents.keepServiceVersion(intent.subject_id, given.version) }
    },
    async 'revoke-consent'({ intent, client, options }: Sending<'revoke-consent'>): Promise<Step> {
      const { data } = await client.call('revokeConsent', { ...options, params: { id: intent.subject_id }, body: intent.body })
      return { state: 'done', apply: () => consents.keepServiceVersion(intent.subject_id, data.version) }
    },
  }
}

function patchOptions(signal: AbortSignal, ifMatch: string) {
  return { signal, ifMatch }
}

async function createOnce(create: () => Promise<Versioned>, current: () => Promise<Versioned>): Promise<Versioned> {
  try {
    return await create()
  } catch (error) {
    if (!failedWith(error, 'already-exists')) throw error
    return current().catch((unread: unknown) => {
      // It was made by an earlier attempt, and cannot be read there.
      if (failedWith(unread, 'not-offered')) return { version: 1 }
      throw unread
    })
  }
}

/**
 * Field by field: a change that is there already was sent before; one whose fields nobody else touched goes on top of
 * whatever else changed; only the same field changed on both sides needs somebody.
 */
async function patch<Current extends Versioned>(
  intent: Intent<'update-client' | 'update-session'>,
  known: number | null,
  service: { send: (ifMatch: string) => Promise<Versioned>; current: () => Promise<Current> },
): Promise<Versioned> {
  try {
    return await service.send(etag(known ?? (await service.current()).version))
  } catch (error) {
    if (!failedWith(error, 'stale-version')) throw error
    const current = await service.current()
    if (hasFields(current, intent.body.patch)) return current
    if (!hasFields(current, intent.body.base)) throw new AppError('stale-version')
    return service.send(etag(current.version))
  }
}
