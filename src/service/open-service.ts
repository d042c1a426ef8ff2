import type { Clock } from '#base/clock.ts'
import { timestamp } from '#base/clock.ts'
import { deriveKey } from '#base/aead.ts'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { keyAuthentication, mintKey } from './api-key.ts'
import { createApp } from './app.ts'
import { embeddedCaller } from './caller.ts'
import type { ConsentPolicy, Handlers, Services } from './handler.ts'
import { draftWorker } from './jobs/draft.ts'
import { startJobs } from './jobs/jobs.ts'
import { dropHeldAudio, transcribeWorker } from './jobs/transcribe.ts'
import type { LanguagePort } from './language/port.ts'
import { rulesLanguage } from './language/rules/engine.ts'
import type { RecordingAudioPort, SpeechSettings } from './ports.ts'
import { clientHandlers } from './routes/clients.ts'
import { consentHandlers } from './routes/consents.ts'
import { draftHandlers } from './routes/drafts.ts'
import { noteHandlers } from './routes/notes.ts'
import { notYetHandlers } from './routes/not-yet.ts'
import { operationHandlers } from './routes/operations.ts'
import { serviceDocumentHandlers } from './routes/service-document.ts'
import { sessionHandlers } from './routes/sessions.ts'
import { transcribeHandlers } from './routes/transcribe.ts'
import { transcriptHandlers } from './routes/transcripts.ts'
import { uploadHandlers } from './routes/uploads.ts'
import type { Tuning } from './speech/openai-compatible.ts'
import { openAiCompatible } from './speech/openai-compatible.ts'
import { hasKeys, insertKey } from './store/api-keys.ts'
import { openSqliteStore } from './store/open-store.ts'
import type { Plan } from './store/practices.ts'
import { ensurePractice, onlyPractice } from './store/practices.ts'
import type { Database } from './store/tables.ts'

export interface ServiceOptions {
  readonly store: { readonly kind: 'sqlite'; readonly file: string; readonly key: Uint8Array }
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
  readonly language?: LanguagePort
  readonly strictAnswers?: boolean
  readonly waitMs?: number
  readonly speechTuning?: Tuning
  readonly pieceSeconds?: number
}

export interface Service {
  fetch(request: Request): Promise<Response>
  /** Calls under way are answered; work under way is taken up again at the next start. */
  close(): Promise<void>
  /** Minted when this store was new, and never to be had again; null later and where nobody needs one. */
  readonly ownerKey: string | null
}

/** The Clinical Documentation Service, as one function from request to answer. */
export async function openService(options: ServiceOptions): Promise<Service> {
  const { clock, log } = options
  const language = options.language ?? rulesLanguage()
  const pepper = deriveKey(options.store.key, 'api keys')
  const db = openSqliteStore(options.store.file, options.store.key)
  const ownerKey = await prepare(db, options, pepper)
  const transcribe = transcribeWorker({
    db,
    clock,
    audio: options.audio,
    speech: options.speech,
    consentPolicy: options.consentPolicy,
    engineFor: (settings) => openAiCompatible(settings, options.speechTuning),
    ...(options.pieceSeconds === undefined ? {} : { pieceSeconds: options.pieceSeconds }),
  })
  const jobs = await startJobs({ db, clock, log }, [
    { kind: 'transcribe', worker: transcribe, cleanUp: dropHeldAudio },
    {
      kind: 'generate-note',
      worker: draftWorker({ db, clock, language, consentPolicy: options.consentPolicy }),
      cleanUp: async () => {},
    },
  ])
  const services: Services = {
    db,
    clock,
    log,
    jobs,
    language,
    audio: options.audio,
    speech: options.speech,
    consentPolicy: options.consentPolicy,
    strictAnswers: options.strictAnswers ?? process.env.NODE_ENV === 'test',
    waitMs: options.waitMs ?? 60_000,
  }
  const authenticate = options.caller === 'embedded' ? async () => embeddedCaller : keyAuthentication(db, pepper, clock)
  const app = createApp(handlersFor(services), authenticate, services)
  const calls = new Set<Promise<unknown>>()
  return {
    fetch: async (request) => {
      const call = Promise.resolve(app.fetch(request))
      calls.add(call)
      return call.finally(() => calls.delete(call))
    },
    close: async () => {
      await jobs.close()
      await Promise.allSettled(calls)
      await db.destroy()
      pepper.fill(0)
    },
    ownerKey,
  }
}

function handlersFor(services: Services): Handlers {
  return {
    ...serviceDocumentHandlers(services),
    ...clientHandlers(services),
    ...sessionHandlers(services),
    ...consentHandlers(services),
    ...uploadHandlers(services),
    ...transcribeHandlers(services),
    ...transcriptHandlers(),
    ...draftHandlers(services),
    ...noteHandlers(),
    ...operationHandlers(services),
    ...notYetHandlers(),
  }
}

/** The practice, and in a new store the one key that lets its owner in. */
async function prepare(db: Database, { caller, clock, plan }: ServiceOptions, pepper: Uint8Array): Promise<string | null> {
  const now = timestamp(clock)
  return db.transaction().execute(async (write) => {
    if (caller === 'embedded') {
      await ensurePractice(write, embeddedCaller.practice_id, 'This laptop', 'enterprise', now)
      return null
    }
    const practice = (await onlyPractice(write)) ?? newId(clock)
    await ensurePractice(write, practice, 'Practice', plan ?? 'free', now)
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
