import { dirname, join } from 'node:path'
import type { Clock } from '#base/clock.ts'
import { timestamp } from '#base/clock.ts'
import { deriveKey } from '#base/aead.ts'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import { mintKey } from './api-key.ts'
import { bearerAuthentication } from './bearer-authentication.ts'
import { renewOutdated } from './booking/renew-outdated.ts'
import { createApp } from './app.ts'
import { embeddedCaller } from './caller.ts'
import type { BlobOptions } from './blobs/open-blobs.ts'
import { openBlobs } from './blobs/open-blobs.ts'
import type { EngineHost } from './engine-host.ts'
import type { Observe } from './guards/observation.ts'
import { openRefusals } from './guards/refusals.ts'
import type { ConsentPolicy, Handlers, Services } from './handler.ts'
import { analyse } from './analysis/analyse.ts'
import type { Analyse } from './jobs/analyze.ts'
import { analyzeWorker } from './jobs/analyze.ts'
import { draftWorker } from './jobs/draft.ts'
import type { Jobs } from './jobs/jobs.ts'
import { startJobs } from './jobs/jobs.ts'
import type { JobPort } from './jobs/port.ts'
import { sqliteLeases } from './jobs/sqlite-leases.ts'
import { dropUnrecorded, installModelWorker } from './jobs/install-model.ts'
import { verifyInsurance } from './jobs/verify-insurance.ts'
import { dropHeldAudio, transcribeWorker } from './jobs/transcribe.ts'
import { languageEngines, onlyEngine } from './language/engines.ts'
import { keepHouse } from './housekeeping.ts'
import type { LanguagePort } from './language/port.ts'
import type { ChatTuning } from './language/chat/chat-model.ts'
import type { ModelOptions } from './models/open-models.ts'
import { readInstalledModels } from './models/installed.ts'
import { openModels } from './models/open-models.ts'
import type { LanguageSettings, ModelsNow, RecordingAudioPort, SpeechSettings } from './ports.ts'
import { resourceMetadata } from './oauth/metadata.ts'
import type { TokenTuning, VerifyToken } from './oauth/access-token.ts'
import { tokenVerifier } from './oauth/access-token.ts'
import type { IssuerInput } from './oauth/issuer.ts'
import { issuersSchema } from './oauth/issuer.ts'
import type { DeskOptions } from './payer/desk.ts'
import { openDesk } from './payer/desk.ts'
import type { PayerSettings } from './payer/settings.ts'
import { analysisHandlers } from './routes/analyses.ts'
import { analyticsHandlers } from './routes/analytics.ts'
import { apiKeyHandlers } from './routes/api-keys.ts'
import { auditEventHandlers } from './routes/audit-events.ts'
import { authorisationHandlers } from './routes/authorisations.ts'
import { breakGlassHandlers } from './routes/break-glass.ts'
import { clientHandlers } from './routes/clients.ts'
import { consentHandlers } from './routes/consents.ts'
import { cosignHandlers } from './routes/cosign.ts'
import { coverageHandlers } from './routes/coverage.ts'
import { draftHandlers } from './routes/drafts.ts'
import { insuranceHandlers } from './routes/insurance.ts'
import { eventHandlers } from './routes/events.ts'
import { modelHandlers } from './routes/models.ts'
import { noteHandlers } from './routes/notes.ts'
import { operationHandlers } from './routes/operations.ts'
import { payerHandlers } from './routes/payers.ts'
import { psychotherapyNoteHandlers } from './routes/psychotherapy-notes.ts'
import { retentionHandlers } from './routes/retention.ts'
import { serviceDocumentHandlers } from './routes/service-document.ts'
import { followingHandlers } from './routes/following.ts'
import { availabilityHandlers, roomHandlers } from './routes/rooms.ts'
import { scheduleHandlers } from './routes/schedule.ts'
import { sessionHandlers } from './routes/sessions.ts'
import { transcribeHandlers } from './routes/transcribe.ts'
import { transcriptHandlers } from './routes/transcripts.ts'
import { sentUploadHandlers } from './routes/sent-uploads.ts'
import { uploadHandlers } from './routes/uploads.ts'
import { staffHandlers } from './routes/staff.ts'
import { templateHandlers } from './routes/templates.ts'
import { voiceHandlers, voicesToKnow } from './routes/voices.ts'
import { tryModels } from './speech/local/try-models.ts'
import type { Tuning } from './speech/openai-compatible.ts'
import { openAiCompatible } from './speech/openai-compatible.ts'
import { keepSweeping, sweep } from './retention/sweep.ts'
import { hasKeys, insertKey } from './store/api-keys.ts'
import { inPractice } from './store/in-practice.ts'
import type { OperationKind } from './store/operations.ts'
import type { StoreOptions } from './store/open-store.ts'
import { openStore } from './store/open-store.ts'
import type { Plan } from './store/practices.ts'
import { ensurePractice, isReachable, onlyPractice } from './store/practices.ts'
import type { Database } from './store/tables.ts'
import type { UploadLimits } from './uploads/limits.ts'
import { usualLimits } from './uploads/limits.ts'
import type { Connections } from './store/postgres/open.ts'
import { connectionsOf } from './store/postgres/open.ts'
import type { WorkCount } from './store/work-counts.ts'
import { workCounts } from './store/work-counts.ts'

export interface ServiceOptions {
  readonly store: StoreOptions
  /** Audio that stands on this machine already; null where there is none. */
  readonly audio: RecordingAudioPort | null
  /** Asked anew for each piece of work, so that a change of settings needs no restart. */
  readonly speech: () => SpeechSettings | null
  readonly clock: Clock
  readonly log: Log
  readonly consentPolicy: ConsentPolicy
  /** `embedded`: every call is the therapist's at this laptop. `api-keys`: callers show who they are. */
  readonly caller: 'embedded' | 'api-keys'
  readonly plan?: Plan
  /** Sign-in services whose access tokens are taken beside keys. */
  readonly oauth?: { readonly issuers: readonly IssuerInput[]; readonly tuning?: TokenTuning }
  /** What drafts are written with, asked anew for each; the rules where it is left out. */
  readonly language?: () => LanguageSettings
  /** Who asks payers, asked anew for each question; left out: only the sandbox answers, for test keys and sample clients. */
  readonly payer?: () => PayerSettings | null
  readonly payerTuning?: DeskOptions['tuning']
  /** In place of what the settings name. */
  readonly writer?: LanguagePort
  /** In place of the rules that read a session. */
  readonly analyse?: Analyse
  readonly chatTuning?: ChatTuning
  /** Where speech models stand; beside the store's file where it is left out. */
  readonly models?: ModelOptions
  /** Runs engines in processes of their own; where it is left out, no model on this machine is used. */
  readonly engines?: EngineHost
  /** In place of the models that are installed. */
  readonly installed?: ModelsNow
  readonly strictAnswers?: boolean
  readonly waitMs?: number
  readonly speechTuning?: Tuning
  readonly pieceSeconds?: number
  /** Where audio stands that was sent; in files beside the store's file where it is left out. */
  readonly blobs?: BlobOptions
  readonly uploads?: Partial<UploadLimits>
  /** Told of every call, for logs and metrics. */
  readonly observe?: Observe
}

export interface Service {
  /** `from`: the address of the other end, where it is another one. */
  fetch(request: Request, from?: string): Promise<Response>
  /** What is about to close: calls under way that would take long give up, and say so. */
  beginClose(): void
  /** Calls that wait for work are answered, and work under way is handed back; other calls go on being answered. */
  drain(): Promise<void>
  /** The store answers and work is taken up. */
  isReady(): Promise<boolean>
  /** Erases what its time has come for by the practices' own rules, as happens by itself now and then; says how much. */
  sweep(): Promise<number>
  /** Work that is not over. */
  work(): Promise<readonly WorkCount[]>
  /** To PostgreSQL; null on SQLite. */
  connections(): Connections | null
  /** Calls under way are answered; work under way is taken up again at the next start. */
  close(): Promise<void>
  /** Minted when this store was new, and never to be had again; null later and where nobody needs one. */
  readonly ownerKey: string | null
}

/** The Clinical Documentation Service, as one function from request to answer. */
export async function openService(options: ServiceOptions): Promise<Service> {
  const { clock, log } = options
  const language = options.writer
    ? onlyEngine(options.writer)
    : languageEngines(options.language ?? (() => ({ kind: 'rules' })), { chat: options.chatTuning, host: options.engines })
  const pepper = deriveKey(options.store.key, 'api keys')
  const db = await openStore(options.store)
  const ownerKey = await prepare(db, options, pepper)
  await renewOutdated(db, clock)
  const { engines } = options
  const voiceKey = deriveKey(options.store.key, 'voice prints')
  const psychotherapyKey = deriveKey(options.store.key, 'psychotherapy notes')
  const models = await openModels(db, clock, {
    folder: modelsBeside(options),
    tryModels: engines === undefined ? null : (tried, sound, signal) => tryModels(engines, tried, sound, signal),
    ...options.models,
  })
  const installed = engines === undefined ? null : (options.installed ?? ((now) => readInstalledModels(now, models.folder)))
  const blobKey = deriveKey(options.store.key, 'blobs')
  const blobs = await openBlobs(
    options.blobs ?? { kind: 'files', folder: join(dirname(modelsBeside(options)), 'blobs') },
    blobKey,
  )
  const payerKey = deriveKey(options.store.key, 'payer questions')
  const payer = openDesk({ settings: options.payer ?? (() => null), key: payerKey, clock, tuning: options.payerTuning })
  const jobs = await startWork(options, { db, blobs, language, payer, models, installed, voiceKey })
  const closing = new AbortController()
  const beginClose = (): void => closing.abort(new AppError('cancelled', 'The service is closing.'))
  const refusals = openRefusals({ db, clock, log })
  const services: Services = {
    db,
    clock,
    log,
    jobs,
    language,
    payer,
    audio: options.audio,
    speech: options.speech,
    models,
    installed,
    engines: engines ?? null,
    blobs,
    uploads: { ...usualLimits, ...options.uploads },
    voiceKey,
    psychotherapyKey,
    refusals,
    keyPepper: options.caller === 'embedded' ? null : pepper,
    closing: closing.signal,
    consentPolicy: options.consentPolicy,
    strictAnswers: options.strictAnswers ?? process.env.NODE_ENV === 'test',
    waitMs: options.waitMs ?? 60_000,
  }
  const authenticate =
    options.caller === 'embedded'
      ? async () => embeddedCaller
      : bearerAuthentication({ db, pepper, clock, verifyToken: verifierOf(options) })
  const app = createApp(handlersFor(services), authenticate, services, {
    observe: options.observe,
    issuers: options.oauth?.issuers.map(({ issuer }) => issuer),
    signIn: resourceMetadata(issuersSchema.parse(options.oauth?.issuers ?? [])),
  })
  const calls = new Set<Promise<unknown>>()
  const sweeping = keepSweeping({ db, clock, log }, closing.signal)
  const housekeeping = keepHouse(services, closing.signal)
  let drained: Promise<void> | null = null
  const drain = (): Promise<void> => {
    beginClose()
    drained ??= jobs.close()
    return drained
  }
  return {
    fetch: async (request, from) => {
      const call = Promise.resolve(app.fetch(request, from === undefined ? {} : { from }))
      calls.add(call)
      return call.finally(() => calls.delete(call))
    },
    beginClose,
    drain,
    isReady: async () => !closing.signal.aborted && (await isReachable(db)),
    sweep: () => sweep({ db, clock }),
    work: () => workCounts(db),
    connections: () => connectionsOf(db),
    close: async () => {
      await drain()
      language.close()
      await Promise.allSettled(calls)
      await jobs.disconnect()
      await refusals.close()
      await sweeping
      await housekeeping
      await db.destroy()
      pepper.fill(0)
      voiceKey.fill(0)
      payerKey.fill(0)
      psychotherapyKey.fill(0)
      blobs.close()
      blobKey.fill(0)
    },
    ownerKey,
  }
}

type Parts = Pick<Services, 'db' | 'blobs' | 'language' | 'payer' | 'models' | 'installed' | 'voiceKey'>

/** A database at the other end of a connection has no place beside it. */
function modelsBeside({ store, models }: ServiceOptions): string {
  if (models?.folder !== undefined) return models.folder
  if (store.kind === 'postgres') throw new Error('with a store on PostgreSQL the folder for models is named')
  return join(dirname(store.file), 'models')
}

/** Long work, each kind by its worker. */
async function startWork(
  options: ServiceOptions,
  { db, blobs, language, payer, models, installed, voiceKey }: Parts,
): Promise<Jobs> {
  const { clock, log, consentPolicy, engines = null } = options
  const transcribe = transcribeWorker({
    db,
    blobs,
    clock,
    log,
    audio: options.audio,
    speech: options.speech,
    installed,
    consentPolicy,
    engineFor: (settings) => openAiCompatible(settings, options.speechTuning),
    host: engines,
    enrolled: (practice) => voicesToKnow({ db, installed, engines, voiceKey }, practice),
    pieceSeconds: options.pieceSeconds,
  })
  const draft = draftWorker({ db, clock, language, consentPolicy })
  const analysis = analyzeWorker({ db, clock, consentPolicy, analyse: options.analyse ?? analyse })
  const nothing = async (): Promise<void> => {}
  const port = await openJobPort(options, db, ['transcribe', 'generate-note', 'analyze', 'install-model', 'verify-insurance'])
  return startJobs({ db, clock, log }, port, [
    { kind: 'transcribe', worker: transcribe, cleanUp: dropHeldAudio },
    { kind: 'generate-note', worker: draft, cleanUp: nothing },
    { kind: 'analyze', worker: analysis, cleanUp: nothing },
    { kind: 'install-model', worker: installModelWorker({ db, clock, log, models }), cleanUp: dropUnrecorded(models) },
    // Payers take up to a minute each, of waiting.
    { kind: 'verify-insurance', ...verifyInsurance({ clock, payer }), width: options.payer === undefined ? 1 : 8 },
  ])
}

async function openJobPort(
  { store, clock, log }: ServiceOptions,
  db: Database,
  kinds: readonly OperationKind[],
): Promise<JobPort> {
  if (store.kind === 'sqlite') return sqliteLeases(db, clock)
  // A laptop starts without it.
  const { pgBossJobs } = await import('./jobs/pg-boss-jobs.ts')
  return pgBossJobs({ db, clock, log }, store.url, kinds)
}

function handlersFor(services: Services): Handlers {
  return {
    ...serviceDocumentHandlers(services),
    ...clientHandlers(services),
    ...staffHandlers(services),
    ...breakGlassHandlers(services),
    ...sessionHandlers(services),
    ...scheduleHandlers(services),
    ...followingHandlers(services),
    ...roomHandlers(),
    ...availabilityHandlers(),
    ...consentHandlers(services),
    ...uploadHandlers(services),
    ...sentUploadHandlers(services),
    ...transcribeHandlers(services),
    ...transcriptHandlers(),
    ...draftHandlers(services),
    ...noteHandlers(),
    ...analysisHandlers(services),
    ...modelHandlers(services),
    ...templateHandlers(),
    ...voiceHandlers(services),
    ...apiKeyHandlers(services),
    ...auditEventHandlers(services),
    ...operationHandlers(services),
    ...eventHandlers(services),
    ...psychotherapyNoteHandlers(services),
    ...cosignHandlers(),
    ...retentionHandlers(services),
    ...insuranceHandlers(services),
    ...coverageHandlers(),
    ...authorisationHandlers(services),
    ...payerHandlers(),
    ...analyticsHandlers(services),
  }
}

function verifierOf({ oauth, clock }: ServiceOptions): VerifyToken | null {
  return oauth === undefined ? null : tokenVerifier(issuersSchema.parse(oauth.issuers), clock, oauth.tuning)
}

/** The practice, and in a new store the one key that lets its owner in. */
async function prepare(db: Database, { caller, clock, plan }: ServiceOptions, pepper: Uint8Array): Promise<string | null> {
  const now = timestamp(clock)
  // Under a name that is no practice's: of processes that start together one makes it.
  const practice = await inPractice(db, 'the first practice', async (write) => {
    if (caller === 'embedded') {
      await ensurePractice(write, embeddedCaller.practice_id, 'This laptop', 'enterprise', now)
      return embeddedCaller.practice_id
    }
    const only = (await onlyPractice(write)) ?? newId(clock)
    await ensurePractice(write, only, 'Practice', plan ?? 'free', now)
    return only
  })
  if (caller === 'embedded') return null
  return inPractice(db, practice, async (write) => {
    if (await hasKeys(write)) return null
    const { id, secret, digest } = mintKey(pepper)
    const owner = {
      id,
      practice_id: practice,
      person_id: newId(clock),
      roles: ['owner', 'clinician'] as const,
      digest,
      name: 'Owner',
    }
    await insertKey(write, owner, now)
    return secret
  })
}
