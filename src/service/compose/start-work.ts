import type { Services } from '#service/routes/services.ts'
import { analyzeWorker } from '#service/jobs/analyze.ts'
import { draftWorker } from '#service/jobs/draft.ts'
import { type Jobs, startJobs } from '#service/jobs/jobs.ts'
import { sqliteLeases } from '#service/jobs/run.ts'
import { dropUnrecorded, installModelWorker } from '#service/jobs/install-model.ts'
import { verifyInsurance } from '#service/jobs/verify-insurance.ts'
import { dropHeldAudio, transcribeWorker } from '#service/jobs/transcribe.ts'
import { voicesToKnow } from '#service/routes/voices.ts'
import { openAiCompatible } from '#engines/speech/openai-compatible.ts'
import type { OperationKind } from '#service/store/operations.ts'
import type { Database } from '#service/store/tables.ts'
import type { ServiceOptions } from './open-service.ts'
import { setInterval as every } from 'node:timers/promises'
import { errorKind } from '#base/log.ts'
import { forgetChanges, practicesWithOldChanges } from '#service/store/changes.ts'
import { acrossPractices, inPractice, continueAsPractice } from '#service/store/in-practice.ts'
import { dropKeptPieces, KEPT_FOR_MS, practicesWithOldPieces } from '#service/store/transcripts.ts'
import { servedOf, countPractices, ensurePractice, onlyPractice } from '#service/store/practices.ts'
import { practicesWithOutdatedWalls } from '#service/store/sessions.ts'
import { sweepUploads, uploadsToSweep } from '#service/uploads/complete.ts'
import { timestamp } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import { mintKey } from '#service/access/api-key.ts'
import { embeddedCaller } from '#service/kernel/caller.ts'
import { hasKeys, insertKey } from '#service/store/api-keys.ts'

/** Limits for drafts, and separately for analyses: two at once in a process, one at once for a practice. */
const inTurns = { width: 2, isOnePerPractice: true } as const

type Parts = Pick<Services, 'db' | 'watch' | 'blobs' | 'language' | 'texts' | 'payer' | 'models' | 'installed' | 'voiceKey'>

export async function startWork(options: ServiceOptions, parts: Parts): Promise<Jobs> {
  const { clock, log, audio, speech, consentPolicy, engines = null, pieceSeconds } = options
  const { db, watch, payer, models } = parts
  const ports = { ...parts, clock, log, audio, speech, consentPolicy }
  const transcribe = transcribeWorker({
    ...ports,
    engineFor: (settings) => openAiCompatible(settings, options.speechTuning),
    host: engines,
    enrolled: (practice) => voicesToKnow({ ...parts, engines }, practice),
    pieceSeconds,
  })
  const draft = draftWorker(ports)
  const analysis = analyzeWorker(ports)
  const nothing = async (): Promise<void> => {}
  const port = await openJobPort(options, db, ['transcribe', 'generate-note', 'analyze', 'install-model', 'verify-insurance'])
  return startJobs({ db, clock, log, watch }, port, [
    { kind: 'transcribe', worker: transcribe, cleanUp: dropHeldAudio },
    { kind: 'generate-note', worker: draft, cleanUp: nothing, ...inTurns },
    { kind: 'analyze', worker: analysis, cleanUp: nothing, ...inTurns },
    { kind: 'install-model', worker: installModelWorker({ db, clock, log, models }), cleanUp: dropUnrecorded(models) },
    // Payers can be slow to answer, so up to 8 requests run at once if `payer` is given.
    { kind: 'verify-insurance', ...verifyInsurance({ clock, payer }), width: options.payer === undefined ? 1 : 8 },
  ])
}

async function openJobPort({ store, clock, log }: ServiceOptions, db: Database, kinds: readonly OperationKind[]) {
  if (store.kind === 'sqlite') return sqliteLeases(db, clock)
  const { pgBossJobs } = await import('#service/jobs/pg-boss-jobs.ts')
  return pgBossJobs({ db, clock, log }, store.url, kinds)
}

type ChoreParts = Pick<Services, 'db' | 'clock' | 'blobs' | 'log'>

interface Chore {
  readonly name: string
  readonly everyMs: number
  due(read: Database, now: number): Promise<readonly string[]>
  carryOut(parts: ChoreParts, practice: string): Promise<void>
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** A device that was offline for longer than this may have to download all records again. */
const CHANGES_KEPT_MS = 30 * 24 * HOUR_MS
const before = (now: number, ms: number): string => new Date(now - ms).toISOString()
const rulesNow = process.versions.tz ?? 'unknown'

const chores: readonly Chore[] = [
  {
    name: 'uploads',
    everyMs: MINUTE_MS,
    due: uploadsToSweep,
    carryOut: async (parts, practice) => void (await sweepUploads(parts, practice)),
  },
  {
    name: 'changes',
    everyMs: HOUR_MS,
    due: (read, now) => practicesWithOldChanges(read, before(now, CHANGES_KEPT_MS)),
    carryOut: ({ db, clock }, practice) =>
      inPractice(db, practice, (write) => forgetChanges(write, practice, before(clock.now(), CHANGES_KEPT_MS))),
  },
  {
    name: 'pieces',
    everyMs: HOUR_MS,
    due: (read, now) => practicesWithOldPieces(read, before(now, KEPT_FOR_MS)),
    carryOut: ({ db, clock }, practice) =>
      inPractice(db, practice, (write) => dropKeptPieces(write, before(clock.now(), KEPT_FOR_MS))),
  },
  {
    name: 'time zones',
    everyMs: HOUR_MS,
    due: (read, now) => practicesWithOutdatedWalls(read, rulesNow, new Date(now).toISOString()),
    carryOut: async ({ db, clock }, practice) => {
      const { renewPractice } = await import('#service/booking/renew-zones.ts')
      const { worldZones } = await import('#service/schedule/zone.ts')
      await renewPractice(db, clock, worldZones, practice)
    },
  },
]

export async function runMaintenance(parts: ChoreParts, closing: AbortSignal): Promise<void> {
  const next = new Map<Chore, number>()
  try {
    await carryOutDue(parts, next)
    for await (const _ of every(MINUTE_MS, undefined, { signal: closing, ref: false })) await carryOutDue(parts, next)
  } catch (error) {
    if (!closing.aborted) throw error
  }
}

async function carryOutDue(parts: ChoreParts, next: Map<Chore, number>): Promise<void> {
  const { db, clock, log } = parts
  for (const chore of chores) {
    if (clock.elapsed() < (next.get(chore) ?? -Infinity)) continue
    next.set(chore, clock.elapsed() + chore.everyMs)
    const failed = (error: unknown): void => log.error('housekeeping', { chore: chore.name, error: errorKind(error) })
    const due = await acrossPractices(db, async (read) => servedOf(read, await chore.due(read, clock.now()))).catch(
      (error: unknown) => {
        failed(error)
        return []
      },
    )
    for (const practice of due) await chore.carryOut(parts, practice).catch(failed)
  }
}

export async function prepare(db: Database, { caller, clock, plan }: ServiceOptions, pepper: Uint8Array): Promise<string | null> {
  const now = timestamp(clock)
  // Lock a fixed name, so that only one of several starting processes creates the practice.
  const practice = await inPractice(db, 'the first practice', async (write) => {
    if (caller === 'embedded') {
      await continueAsPractice(write, embeddedCaller.practice_id)
      await ensurePractice(write, embeddedCaller.practice_id, 'This laptop', 'enterprise', now)
      return embeddedCaller.practice_id
    }
    const only = (await onlyPractice(write)) ?? newId(clock)
    await continueAsPractice(write, only)
    await ensurePractice(write, only, 'Practice', (await countPractices(write)) > 1 ? undefined : plan, now)
    return only
  })
  if (caller === 'embedded') return null
  return inPractice(db, practice, async (write) => {
    if (await hasKeys(write, practice)) return null
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
