import type { Services } from '#service/routes/services.ts'
import { analyzeWorker } from '#service/jobs/analyze.ts'
import { draftWorker } from '#service/jobs/draft.ts'
import type { Jobs } from '#service/jobs/jobs.ts'
import { startJobs } from '#service/jobs/jobs.ts'
import type { JobPort } from '#service/jobs/port.ts'
import { sqliteLeases } from '#service/jobs/sqlite-leases.ts'
import { dropUnrecorded, installModelWorker } from '#service/jobs/install-model.ts'
import { verifyInsurance } from '#service/jobs/verify-insurance.ts'
import { dropHeldAudio, transcribeWorker } from '#service/jobs/transcribe.ts'
import { voicesToKnow } from '#service/routes/voices.ts'
import { openAiCompatible } from '#engines/speech/openai-compatible.ts'
import type { OperationKind } from '#service/store/operations.ts'
import type { Database } from '#service/store/tables.ts'
import type { ServiceOptions } from './open-service.ts'

/** Drafts and analyses: one of a practice at a time, and of two practices at once. */
const inTurns = { width: 2, isOnePerPractice: true } as const

type Parts = Pick<Services, 'db' | 'watch' | 'blobs' | 'language' | 'texts' | 'payer' | 'models' | 'installed' | 'voiceKey'>

/** Long work, each kind by its worker. */
export async function startWork(
  options: ServiceOptions,
  { db, watch, blobs, language, texts, payer, models, installed, voiceKey }: Parts,
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
  const draft = draftWorker({ db, clock, language, consentPolicy, texts })
  const analysis = analyzeWorker({ db, clock, consentPolicy, texts })
  const nothing = async (): Promise<void> => {}
  const port = await openJobPort(options, db, ['transcribe', 'generate-note', 'analyze', 'install-model', 'verify-insurance'])
  return startJobs({ db, clock, log, watch }, port, [
    { kind: 'transcribe', worker: transcribe, cleanUp: dropHeldAudio },
    { kind: 'generate-note', worker: draft, cleanUp: nothing, ...inTurns },
    { kind: 'analyze', worker: analysis, cleanUp: nothing, ...inTurns },
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
  const { pgBossJobs } = await import('#service/jobs/pg-boss-jobs.ts')
  return pgBossJobs({ db, clock, log }, store.url, kinds)
}
