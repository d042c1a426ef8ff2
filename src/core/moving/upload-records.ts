import type { ClientPatch } from '#contract/model/client.ts'
import type { Consent } from '#contract/model/consent.ts'
import type { SessionPatch } from '#contract/model/session.ts'
import { AppError } from '#contract/errors.ts'
import { pick } from '#core/records/change.ts'
import { etag, failedWith } from '#core/outbox/sending.ts'
import { clientThere, consentThere, differing, type Fields, sessionThere, clinicianThere } from './content.ts'
import type { MovingRecord } from './moving-repository.ts'
import type { Uploading, Uploaded, Compared, Target } from './content.ts'
import type { ServiceClient } from '#client/client.ts'
import type { Availability } from '#contract/model/availability.ts'

interface Versioned {
  readonly version: number
}

/** A record compared and changed field by field. */
interface InFields {
  readonly wanted: Fields
  readonly local_version: number
  readonly create: () => Promise<Versioned>
  readonly current: () => Promise<Versioned>
  readonly patch: (fields: Fields, ifMatch: string) => Promise<Versioned>
  readonly made: Fields
  readonly isChangeable: (name: string) => boolean
}

export async function uploadClient(bringing: Uploading): Promise<Uploaded | null> {
  const kind = clientIn(bringing)
  return kind && uploadFields(bringing, kind)
}

export async function uploadSession(bringing: Uploading): Promise<Uploaded | null> {
  const kind = sessionIn(bringing)
  return kind && uploadFields(bringing, kind)
}

export const compareClient = (bringing: Uploading): Promise<Compared> => compareFields(clientIn(bringing))
export const compareSession = (bringing: Uploading): Promise<Compared> => compareFields(sessionIn(bringing))

function clientIn({ own, target: { client, who, signal }, record: { id } }: Uploading): InFields | null {
  const here = own.clients.find(id)
  if (here === null) return null
  const wanted = clientThere(here, who)
  const params = { id }
  return {
    wanted,
    local_version: here.version,
    made: wanted,
    isChangeable: () => true,
    create: () => client.call('createClient', { body: { ...wanted, id }, signal }).then(({ data }) => data),
    current: () => client.call('getClient', { params, signal }).then(({ data }) => data),
    patch: (fields, ifMatch) =>
      client.call('updateClient', { params, body: fields as ClientPatch, ifMatch, signal }).then(({ data }) => data),
  }
}

function sessionIn({ own, target: { client, who, signal }, record: { id } }: Uploading): InFields | null {
  const here = own.sessions.find(id)
  if (here === null) return null
  const wanted = sessionThere(here, own.clients.find(here.client_id), who)
  const { started_at: _began, finished_at: _ended, ...draft } = wanted
  const params = { id }
  return {
    wanted,
    local_version: here.version,
    made: { ...wanted, started_at: null, finished_at: null },
    isChangeable: (name) => !['client_id', 'clinician_id', 'recurrence'].includes(name),
    create: () => client.call('createSession', { body: { ...draft, id }, signal }).then(({ data }) => data),
    current: () => client.call('getSession', { params, signal }).then(({ data }) => data),
    patch: (fields, ifMatch) =>
      client.call('updateSession', { params, body: fields as SessionPatch, ifMatch, signal }).then(({ data }) => data),
  }
}

/**
 * Creates the record or updates it by field. A field changed on the target (neither the local nor a sent value) is kept and
 * reported.
 */
async function uploadFields({ target, record, remember }: Uploading, kind: InFields): Promise<Uploaded> {
  const { wanted, made, local_version } = kind
  const before = Array.isArray(record.sent) ? (record.sent as Fields[]) : []
  remember([...before, made, wanted].slice(-MAX_REMEMBERED))
  const { current, isMade } = await madeOrCurrent(record, kind)
  const changed = differing(current, wanted)
  const isOwn = (name: string): boolean =>
    isMade || target.over || before.some((sent) => name in sent && differing(current, { [name]: sent[name] }).length === 0)
  const left = changed.filter((name) => !kind.isChangeable(name) || !isOwn(name))
  const own = changed.filter((name) => !left.includes(name))
  const after = own.length === 0 ? current : await kind.patch(pick(wanted, namesOf(own)), etag(current.version))
  const last = before.at(-1)
  const sent = left.length === 0 || last === undefined ? wanted : { ...wanted, ...pick(last, namesOf(left)) }
  return { local_version, version: after.version, sent: [sent], differing: left }
}

/** Number of sent versions to remember, in case responses are lost. */
const MAX_REMEMBERED = 8
const namesOf = (names: readonly string[]): Fields => Object.fromEntries(names.map((name) => [name, null]))

/** If it may exist, read first: a refused create counts against the quota. */
async function madeOrCurrent(
  record: MovingRecord,
  { create, current }: InFields,
): Promise<{ readonly current: Versioned; readonly isMade: boolean }> {
  if (record.there_version !== null) return { current: await current(), isMade: false }
  const there = record.sent === undefined ? null : await orNull(current())
  if (there !== null) return { current: there, isMade: false }
  try {
    return { current: await create(), isMade: true }
  } catch (error) {
    if (failedWith(error, 'already-exists')) return { current: await current(), isMade: false }
    throw error
  }
}

async function compareFields(kind: InFields | null): Promise<Compared> {
  const there = kind && (await orNull(kind.current()))
  return kind && there && { version: there.version, differing: differing(there, kind.wanted) }
}

/** Consents are never changed, only revoked. A revocation on the target stays. */
export async function uploadConsent({
  own,
  target: { client, signal },
  record: { id },
  remember,
}: Uploading): Promise<Uploaded | null> {
  const here = own.consents.find(id)
  if (here === null) return null
  const wanted = consentThere(here)
  remember(wanted)
  const { revoked_at, ...draft } = wanted
  const given = await client
    .call('giveConsent', { body: { ...draft, id }, signal })
    .then(({ data }) => data)
    .catch(async (error: unknown) => {
      if (!failedWith(error, 'already-exists')) throw error
      const found = await findConsent({ client, signal }, here)
      if (found === null) throw new AppError('already-exists')
      return found
    })
  const isToRevoke = revoked_at !== null && given.revoked_at === null
  const params = { id }
  const after = isToRevoke ? (await client.call('revokeConsent', { params, body: { revoked_at }, signal })).data : given
  return { local_version: here.version, version: after.version, sent: wanted, differing: differing(after, wanted) }
}

export async function compareConsent({ own, target, record: { id } }: Uploading): Promise<Compared> {
  const here = own.consents.find(id)
  const there = here && (await findConsent(target, here))
  return here && there && { version: there.version, differing: differing(there, consentThere(here)) }
}

async function findConsent(
  { client, signal }: Pick<Uploading['target'], 'client' | 'signal'>,
  { id, client_id }: Consent,
): Promise<Consent | null> {
  let cursor: string | null = null
  do {
    const query = { client_id, limit: 200, ...(cursor === null ? {} : { cursor }) }
    const page: { data: Consent[]; next_cursor: string | null } = (await client.call('listConsents', { query, signal })).data
    const found = page.data.find((consent) => consent.id === id)
    if (found !== undefined) return found
    cursor = page.next_cursor
  } while (cursor !== null)
  return null
}

export async function orNull<Found>(asked: Promise<Found>): Promise<Found | null> {
  try {
    return await asked
  } catch (error) {
    if (failedWith(error, 'not-found', 'gone')) return null
    throw error
  }
}

interface From {
  readonly client: ServiceClient
  /** True for the embedded service, which may be absent. */
  readonly isInside: boolean
}

/** Migrates working hours and time off, which only services store. Existing hours on the target stay. */
export async function uploadHours(from: From, { client, who, signal }: Target): Promise<void> {
  const here = await mineHere(from, who.therapist_id, signal)
  if (here.length === 0) return
  const there = await mine(client, who.person_id, signal)
  for (const one of here) {
    if (one.kind !== 'hours' && one.kind !== 'time_off') continue
    const { id, created_at: _made, updated_at: _changed, version: _version, ...kept } = one
    if (one.kind === 'hours' && there.some((other) => other.kind === 'hours' && other.id !== id)) continue
    const body = { ...kept, clinician_id: clinicianThere(who, one.clinician_id) ?? who.person_id }
    const current = await orNull(client.call('getAvailability', { params: { id }, signal }).then(({ data }) => data))
    if (current !== null && differing(current, body).length === 0) continue
    await client.call('putAvailability', { params: { id }, body, signal, ...(current ? { ifMatch: etag(current.version) } : {}) })
  }
}

export async function keepsHours(client: ServiceClient, person: string): Promise<boolean> {
  return (await mine(client, person)).some(({ kind }) => kind === 'hours')
}

async function mineHere({ client, isInside }: From, clinician_id: string, signal: AbortSignal): Promise<Availability[]> {
  try {
    return await mine(client, clinician_id, signal)
  } catch (error) {
    if (isInside && failedWith(error, 'service-unreachable')) return []
    throw error
  }
}

async function mine(client: ServiceClient, clinician_id: string, signal?: AbortSignal): Promise<Availability[]> {
  try {
    const found: Availability[] = []
    let cursor: string | null = null
    do {
      const query = { clinician_id, limit: 200, ...(cursor === null ? {} : { cursor }) }
      const sent = { query, ...(signal ? { signal } : {}) }
      const page: { data: Availability[]; next_cursor: string | null } = (await client.call('listAvailability', sent)).data
      found.push(...page.data)
      cursor = page.next_cursor
    } while (cursor !== null)
    return found.filter(({ status, ...one }) => status === 'active' && 'clinician_id' in one && one.clinician_id === clinician_id)
  } catch (error) {
    if (failedWith(error, 'not-found', 'forbidden')) return []
    throw error
  }
}
