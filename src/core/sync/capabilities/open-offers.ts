import type { Handlers } from '#contract/bridge/methods.ts'
import { type RecordSort, recordSorts } from '#contract/bridge/moving.ts'
import { errorKind } from '#base/log.ts'
import { type ServiceClient, type CallInput, type CallResult, NothingThere } from '#client/client.ts'
import { AppError } from '#contract/errors.ts'
import type { Repositories, RecordParts } from '#core/records/repositories.ts'
import { createKeptAnswers } from '#core/records/kept-answers.ts'
import { capabilityOf, type OperationId } from '#contract/rest/routes.ts'
import { failedWith, type Sending } from '#core/outbox/sending.ts'
import { isWork, type IntentKind, type WorkIntent } from '#core/outbox/intents.ts'
import { hasFeed, kindsOf } from '../pull/change-feed.ts'
import { recordKinds } from '#core/sync/record-kinds.ts'
import { unlistedHere } from '../pull/pull-state.ts'
import type { Senders } from '../sync.ts'
import { type Capabilities, createCapabilities, type Offers } from './capabilities.ts'
import { createKeptHere, type LocalOnly, pushLocalOnly, recordOf } from './local-only.ts'
import { recordedRequest } from '../recorded-request.ts'
import { requireDecided } from '../merge/conflict-repository.ts'
import type { Merge } from '../merge/merge.ts'
import { replaced } from '../send-documents.ts'
import type { Step } from '../sync-loop.ts'

interface Parts extends Repositories, Pick<RecordParts, 'db' | 'clock' | 'log' | 'outbox' | 'settings' | 'isRemote'> {
  readonly connection: () => ServiceClient
}

export type Offering = ReturnType<typeof openOffers>

export function openOffers(parts: Parts) {
  const { db, clock, log, settings, isRemote, connection } = parts
  const localOnly = createKeptHere(db)
  const keptAnswers = createKeptAnswers(db, clock)
  const address = (): string | null => settings().service_address
  const capabilities = createCapabilities({ connection, address, keptAnswers, clock })
  const limited = new WeakMap<ServiceClient, ServiceClient>()
  capabilities.onAnswer((offers) => db.open && pushLocalOnly({ ...parts, localOnly }, offers))
  const handlers: Handlers<'service.offers'> = {
    async 'service.offers'() {
      const offers = await knownOffers(capabilities)
      return {
        service: isRemote() ? 'remote' : 'embedded',
        is_known: offers !== null,
        kept_there: recordSorts.filter((sort) => offers !== null && isKeptThere[sort](offers)),
        waiting: localOnly.counts(),
        brought_here:
          offers === null ? [] : kindsOf(offers).flatMap((kind) => (kind === 'analysis' ? [] : recordKinds[kind].plural)),
        tells_changes: offers !== null && hasFeed(offers),
        unlisted: isRemote() ? unlistedHere(db) : [],
      }
    },
  }
  return {
    capabilities,
    localOnly,
    handlers,
    isUnknownToService: (clientId: string) => localOnly.holds('create-client', clientId),
    client(): ServiceClient {
      const client = connection()
      if (!isRemote()) return client
      const known = limited.get(client) ?? offeredClient(client, capabilities)
      limited.set(client, known)
      return known
    },
    remoteSenders: (senders: Senders, plain: RemoteParts['plain'], merge: RemoteParts['merge']) =>
      remoteSenders(senders, { ...parts, capabilities, localOnly, plain, merge }),
    lookAtKept(): void {
      if (!isRemote() || localOnly.counts().length === 0) return
      capabilities.now().catch((error: unknown) => log.info('offers.not-asked', { kind: errorKind(error) }))
    },
  }
}

const isKeptThere: Readonly<Record<RecordSort, (offers: Offers) => boolean>> = {
  clients: (offers) => offers.has('clients.write'),
  sessions: () => true,
  consents: (offers) => offers.has('consents'),
  transcripts: (offers) => offers.has('transcripts'),
  notes: (offers) => offers.has('notes'),
  templates: (offers) => offers.has('templates'),
  working_hours: (offers) => offers.has('availability'),
}

const knownOffers = (capabilities: Capabilities): Promise<Offers | null> =>
  capabilities.now().catch((error: unknown) => {
    if (error instanceof AppError) return null
    throw error
  })

/** Calls to operations that aren't offered fail with `not-offered`, because a 404 would read like a missing record. */
function offeredClient(client: ServiceClient, capabilities: Capabilities): ServiceClient {
  const isPlain = async (signal: AbortSignal | undefined): Promise<boolean> =>
    (await capabilities.now(signal).catch(() => null))?.is_plain === true

  async function asked<Result>(
    needed: string | null,
    signal: AbortSignal | undefined,
    ask: () => Promise<Result>,
  ): Promise<Result> {
    if (needed !== null && !(await capabilities.now(signal)).has(needed)) throw new AppError('not-offered')
    try {
      return await ask()
    } catch (error) {
      const isNothing = error instanceof NothingThere && !(await isPlain(signal))
      if (!isNothing && (needed === null || !failedWith(error, 'not-found', 'method-not-allowed'))) throw error
      const offers = await capabilities.lookAgain(signal, isNothing).catch(() => null)
      signal?.throwIfAborted()
      if (offers === null ? isNothing : offers.is_old) throw new AppError('service-unreachable', undefined, [], { cause: error })
      throw needed !== null && offers?.has(needed) === false
        ? new AppError('not-offered', undefined, [], { cause: error })
        : error
    }
  }

  return {
    ...client,
    call: <Id extends OperationId>(operation: Id, input: CallInput<Id>): Promise<CallResult<Id>> =>
      asked(capabilityOf(operation), input.signal, () => client.call(operation, input)),
    ask: (operation, input, accept) => asked(capabilityOf(operation), input.signal, () => client.ask(operation, input, accept)),
    upload: (source, progress) => asked('uploads', progress.signal, () => client.upload(source, progress)),
  }
}

interface RemoteParts extends Pick<Repositories, 'transcripts' | 'notes'> {
  readonly capabilities: Capabilities
  readonly localOnly: LocalOnly
  readonly plain: Pick<Senders, WorkIntent>
  readonly merge: Pick<Merge, 'isGone' | 'isAsked'>
}

const workNeeds: Readonly<Record<WorkIntent, readonly string[]>> = {
  transcribe: ['uploads', 'operations'],
  'draft-note': ['transcripts', 'operations'],
  analyze: ['transcripts', 'operations'],
}

const isOfWork = (sending: Sending<IntentKind>): sending is Sending<WorkIntent> => isWork(sending.intent)

type Send = (sending: Sending<IntentKind>) => Promise<Step>

function remoteSenders(senders: Senders, parts: RemoteParts): Senders {
  const all = Object.entries(senders).map(([kind, send]) => [
    kind,
    (sending: Sending<IntentKind>) => sendOrKeep(send as Send, sending, parts),
  ])
  return Object.fromEntries(all) as Senders
}

async function sendOrKeep(send: Send, sending: Sending<IntentKind>, parts: RemoteParts): Promise<Step> {
  const { intent, options } = sending
  const { capabilities, localOnly } = parts
  const offers = await capabilities.now(options.signal)
  if (isOfWork(sending)) return sendWork(send, sending, parts, offers)
  const kept: Step = { state: 'done', apply: () => localOnly.keep(intent) }
  if (localOnly.isLocalOnly(intent, offers)) return kept
  if (isGone(parts, intent)) return replaced
  try {
    return await send(sending)
  } catch (error) {
    // The service doesn't know the client and can't store clients.
    const isOfUnknown = intent.kind === 'create-session' && failedWith(error, 'not-found') && !offers.has('clients.write')
    if (isOfUnknown || failedWith(error, 'not-offered')) return kept
    throw error
  }
}

/** True if the service deleted the document. Throws if a conflict about a local copy must be resolved first. */
function isGone({ merge, ...records }: RemoteParts, { kind, subject_id: id }: Sending<IntentKind>['intent']): boolean {
  const record = recordOf(kind)
  if ((record !== 'transcript' && record !== 'note') || !merge.isGone(record, id)) return false
  if (records[`${record}s`].find(id) !== null) requireDecided(merge, record, id)
  return true
}

/** A recorded request is replayed as it was sent, even if capabilities have changed since. */
async function sendWork(send: Send, sending: Sending<WorkIntent>, parts: RemoteParts, offers: Offers): Promise<Step> {
  const { intent } = sending
  const isUsual = workNeeds[intent.kind].every((name) => offers.has(name)) && !parts.localOnly.isUnknownToService(intent)
  const before = recordedRequest(intent)
  if (before?.is_plain ?? !isUsual) return (parts.plain[intent.kind] as Send)(sending)
  return isUsual ? send(sending) : sendAsBefore(send, sending, offers)
}

/** The work may have finished before the service lost a capability. A replay under the same key may return the result. */
async function sendAsBefore(send: Send, sending: Sending<WorkIntent>, offers: Offers): Promise<Step> {
  const asked = offers.has('operations') ? sending : { ...sending, intent: { ...sending.intent, operation_id: null } }
  try {
    return await send(asked as Sending<IntentKind>)
  } catch (error) {
    if (failedWith(error, 'not-offered', 'not-found', 'gone', 'validation-failed'))
      return { state: 'failed', code: 'engine-failed' }
    throw error
  }
}
