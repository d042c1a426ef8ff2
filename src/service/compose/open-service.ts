import { dirname, join } from 'node:path'
import type { Clock } from '#base/clock.ts'
import { deriveKey } from '#base/aead.ts'
import type { Log } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import { rememberCallers } from '#service/access/authorization.ts'
import { bearerAuthentication } from '#service/http/admission.ts'
import { createApp } from '#service/http/app.ts'
import { embeddedCaller, type Plan } from '#service/kernel/caller.ts'
import { type BlobOptions, openBlobs } from '#service/blobs/blobs.ts'
import { type EngineHost, forkedEngines } from '#engines/engine-host.ts'
import { watchPractices, type WatchTuning } from '#service/events/practice-watch.ts'
import type { Observe } from '#service/http/request.ts'
import { openByteBudget } from '#service/access/byte-budget.ts'
import { openRefusals } from '#service/access/refusals.ts'
import type { Services } from '#service/routes/services.ts'
import type { ConsentPolicy } from '#service/access/consent.ts'
import { languageEngines, onlyEngine } from '#engines/language/engines.ts'
import type { LanguagePort } from '#engines/language/port.ts'
import type { ChatTuning } from '#engines/language/chat/chat-model.ts'
import { type ModelOptions, openModels } from '#service/models/open-models.ts'
import { type ModelsNow, readInstalledModels } from '#service/models/installed.ts'
import type { LanguageSettings, SpeechSettings } from '#base/engine-settings.ts'
import { createHear, type Hear } from '#service/jobs/dictation.ts'
import type { RecordingAudioPort } from '#service/jobs/run.ts'
import { type TokenTuning, tokenVerifier, type VerifyToken } from '#service/oauth/access-token.ts'
import { type Issuer, type IssuerInput, issuersSchema, resourceMetadata } from '#service/oauth/issuer.ts'
import { type DeskOptions, openDesk } from '#service/payer/desk.ts'
import type { PayerSettings } from '#service/payer/port.ts'
import { tryModels } from '#engines/speech/local/listening.ts'
import type { Tuning } from '#engines/speech/openai-compatible.ts'
import { keepSweeping, sweep } from '#service/retention/sweep.ts'
import { logHeads } from '#service/store/audit.ts'
import { openStore, type StoreOptions } from '#service/store/open-store.ts'
import { isReachable } from '#service/store/practices.ts'
import type { Database } from '#service/store/tables.ts'
import { type UploadLimits, usualLimits } from '#service/uploads/upload-services.ts'
import { type Connections, connectionsOf, type WorkCount, workCounts } from '#service/store/gauges.ts'
import type { Analysing } from '#engines/texts/text-work.ts'
import type { TextLimits } from '#engines/texts/text-engines.ts'
import { openTexts } from '#engines/texts/texts.ts'
import { handlersFor } from './handlers-for.ts'
import { startWork, runMaintenance, prepare } from './start-work.ts'

export interface ServiceOptions {
  readonly store: StoreOptions
  readonly audio: RecordingAudioPort | null
  readonly speech: () => SpeechSettings | null
  readonly clock: Clock
  readonly log: Log
  readonly consentPolicy: ConsentPolicy
  readonly caller: 'embedded' | 'api-keys'
  readonly plan?: Plan
  readonly oauth?: { readonly issuers: readonly IssuerInput[]; readonly tuning?: TokenTuning }
  readonly language?: () => LanguageSettings
  readonly payer?: () => PayerSettings | null
  readonly payerTuning?: DeskOptions['tuning']
  readonly writer?: LanguagePort
  readonly analyse?: Analysing['analyse']
  readonly texts?: Partial<TextLimits>
  readonly chatTuning?: ChatTuning
  /** Options for local models. The default `folder` is next to the SQLite file; with PostgreSQL, `folder` is required. */
  readonly models?: ModelOptions
  readonly engines?: EngineHost
  readonly installed?: ModelsNow
  readonly streams?: Partial<WatchTuning>
  readonly waitMs?: number
  readonly speechTuning?: Tuning
  readonly pieceSeconds?: number
  readonly blobs?: BlobOptions
  readonly uploads?: Partial<UploadLimits>
  readonly observe?: Observe
}

export interface Service {
  fetch(request: Request, from?: string): Promise<Response>
  readonly hear: Hear
  beginClose(): void
  /** Calls `beginClose`, answers calls that wait for jobs, and returns unfinished jobs to the queue. */
  drain(): Promise<void>
  isReady(): Promise<boolean>
  sweep(): Promise<number>
  work(): Promise<readonly WorkCount[]>
  connections(): Connections | null
  close(): Promise<void>
  /** Secret of the first owner key if this start created that key; otherwise null. */
  readonly ownerKey: string | null
}

export async function openService(options: ServiceOptions): Promise<Service> {
  const issuers = issuersSchema.parse(options.oauth?.issuers ?? [])
  const keys = keysOf(options.store.key)
  const db = await openStore(options.store)
  const ownerKey = await prepare(db, options, keys.pepper)
  logHeads(db, options.log)
  const closing = new AbortController()
  const services = await openParts(options, db, keys, closing.signal)
  const authenticate =
    options.caller === 'embedded'
      ? async () => embeddedCaller
      : bearerAuthentication({ ...services, pepper: keys.pepper, verifyToken: verifierOf(options, issuers) })
  const app = createApp(handlersFor(services), authenticate, services, {
    observe: options.observe,
    issuers: issuers.map(({ issuer }) => issuer),
    signIn: resourceMetadata(issuers),
  })
  const end = async (): Promise<void> => {
    await db.destroy()
    services.blobs.close()
    for (const key of Object.values(keys)) key.fill(0)
  }
  const hear = createHear({ ...services, host: services.engines, tuning: options.speechTuning })
  return { ...running(services, app, closing, end), hear, ownerKey }
}

export function keysOf(storeKey: Uint8Array) {
  return {
    pepper: deriveKey(storeKey, 'api keys'),
    voice: deriveKey(storeKey, 'voice prints'),
    psychotherapy: deriveKey(storeKey, 'psychotherapy notes'),
    blobs: deriveKey(storeKey, 'blobs'),
    payer: deriveKey(storeKey, 'payer questions'),
  }
}

async function openParts(options: ServiceOptions, db: Database, keys: ReturnType<typeof keysOf>, closing: AbortSignal) {
  const { clock, log, engines } = options
  const language = options.writer
    ? onlyEngine(options.writer)
    : languageEngines(options.language ?? (() => ({ kind: 'rules' })), { chat: options.chatTuning, host: engines })
  const { writer, analyse, texts: limits } = options
  const texts = openTexts({ host: engines ?? forkedEngines(), limits, writer, analyse })
  const models = await openModels(db, clock, {
    folder: modelsBeside(options),
    tryModels: engines === undefined ? null : (tried, sound, signal) => tryModels(engines, tried, sound, signal),
    ...options.models,
  })
  const installed = engines === undefined ? null : (options.installed ?? ((now) => readInstalledModels(now, models.folder)))
  const besideModels: BlobOptions = { kind: 'files', folder: join(dirname(modelsBeside(options)), 'blobs') }
  const blobs = await openBlobs(options.blobs ?? besideModels, keys.blobs)
  const payer = openDesk({ settings: options.payer ?? (() => null), key: keys.payer, clock, tuning: options.payerTuning })
  const watch = watchPractices(db, options.streams)
  const parts = { db, watch, blobs, language, texts, payer, models, installed, voiceKey: keys.voice }
  const { audio, speech, consentPolicy, waitMs = 60_000 } = options
  return {
    ...parts,
    clock,
    log,
    audio,
    speech,
    consentPolicy,
    waitMs,
    known: rememberCallers(clock),
    jobs: await startWork(options, parts),
    engines: engines ?? null,
    uploads: { ...usualLimits, ...options.uploads },
    bytes: openByteBudget(clock),
    psychotherapyKey: keys.psychotherapy,
    refusals: openRefusals({ db, clock, log }),
    keyPepper: options.caller === 'embedded' ? null : keys.pepper,
    closing,
  }
}

function running(
  services: Services,
  app: ReturnType<typeof createApp>,
  closing: AbortController,
  end: () => Promise<void>,
): Omit<Service, 'ownerKey' | 'hear'> {
  const { db, clock, log, jobs, language, texts, refusals } = services
  const calls = new Set<Promise<unknown>>()
  const sweeping = keepSweeping({ db, clock, log }, closing.signal)
  const housekeeping = runMaintenance(services, closing.signal)
  const beginClose = (): void => closing.abort(new AppError('cancelled', 'The service is closing.'))
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
    sweep: () => sweep({ db, clock, log }),
    work: () => workCounts(db),
    connections: () => connectionsOf(db),
    close: async () => {
      await drain()
      language.close()
      texts.close()
      await Promise.allSettled(calls)
      await jobs.disconnect()
      await refusals.close()
      await sweeping
      await housekeeping
      await end()
    },
  }
}

function modelsBeside({ store, models }: ServiceOptions): string {
  if (models?.folder !== undefined) return models.folder
  if (store.kind === 'postgres') throw new Error('with a store on PostgreSQL the folder for models is named')
  return join(dirname(store.file), 'models')
}

function verifierOf({ oauth, clock }: ServiceOptions, issuers: readonly Issuer[]): VerifyToken | null {
  return oauth === undefined ? null : tokenVerifier(issuers, clock, oauth.tuning)
}
