import { type Clock, timestamp } from '#base/clock.ts'
import type { SpeechSettings } from '#base/engine-settings.ts'
import { newId } from '#base/ids.ts'
import { errorKind, type Log } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import type { LanguageEngines } from '#engines/language/engines.ts'
import type { Texts } from '#engines/texts/texts.ts'
import type { Asked } from '#service/access/call.ts'
import type { ConsentPolicy } from '#service/access/consent.ts'
import type { Blobs } from '../blobs/blobs.ts'
import type { ModelsNow } from '../models/installed.ts'
import type { PayerDesk } from '../payer/desk.ts'
import { appendAudit } from '../store/audit.ts'
import { Busy, inPractice } from '../store/in-practice.ts'
import type { Ending, OperationKind, OperationRow, ResultKind } from '../store/operations.ts'
import { claimOperation, endOperation, freeLeases, handBack, isHopeless, isTakenUp, LEASE_MS } from '../store/operations.ts'
import { renewLease, setProgress } from '../store/operations.ts'
import type { Database, Write } from '../store/tables.ts'

export interface JobNews {
  work(): void
  over(operation: string): void
}

export interface ClaimLimits {
  readonly busy: ReadonlySet<string>
  readonly except: ReadonlySet<string>
  readonly isOnePerPractice: boolean
}

export interface JobPort {
  readonly lookAgainMs: number | null
  claim(kind: OperationKind, limits: ClaimLimits): Promise<OperationRow | null>
  renew(operation: OperationRow): Promise<boolean>
  readonly owner: string
  listen(news: JobNews): void
  close(): Promise<void>
}

export interface RecordingAudioPort {
  stat(recordingId: string): Promise<{ bytes: number; sha256: string | null; session_id: string } | null>
  read(recordingId: string, start?: number, end?: number): AsyncIterable<Uint8Array>
}

export interface JobServices {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly blobs: Blobs
  readonly audio: RecordingAudioPort | null
  readonly speech: () => SpeechSettings | null
  readonly installed: ModelsNow | null
  readonly language: LanguageEngines
  readonly texts: Texts
  readonly payer: PayerDesk
  readonly consentPolicy: ConsentPolicy
}

export interface Work {
  readonly signal: AbortSignal
  progress(share: number): Promise<void>
}
export type Finish = (write: Write) => Promise<{ kind: ResultKind; id: string; touched: readonly string[] }>
export type Worker = (operation: OperationRow, work: Work) => Promise<Finish>
export type CleanUp = (write: Write, operation: OperationRow) => Promise<void>

export type JobPorts = Pick<JobServices, 'db' | 'clock' | 'log'>

/** This process no longer holds the lease: the operation has ended, or another process released or claimed it. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

export async function runOperation(
  ports: JobPorts,
  operation: OperationRow,
  { worker, cleanUp }: { worker: Worker; cleanUp: CleanUp },
  { control, closing, port }: { control: AbortController; closing: AbortSignal; port: JobPort },
): Promise<void> {
  const { db, clock } = ports
  const store = (change: (write: Write) => Promise<void>): Promise<void> => inPractice(db, operation.practice_id, change)
  const { owner } = port
  const renew = async (): Promise<void> => {
    if (!(await port.renew(operation))) control.abort(new LeaseLost())
  }
  const heartbeat = setInterval(() => void renew().catch(() => {}), LEASE_MS / 4)
  try {
    if (isHopeless(operation))
      throw new AppError('engine-failed', 'This brought the service down several times and is not tried again.')
    const finish = await worker(operation, {
      signal: AbortSignal.any([control.signal, closing]),
      progress: (share) => store((write) => setProgress(write, operation.id, owner, share, timestamp(clock))),
    })
    await succeed(ports, operation, finish, owner)
  } catch (error) {
    if (closing.aborted || error instanceof Busy) await store((write) => handBack(write, operation, owner))
    else if (!(control.signal.reason instanceof LeaseLost)) await fail(ports, operation, error, cleanUp, owner)
  } finally {
    clearInterval(heartbeat)
  }
}

async function succeed({ db, clock }: JobPorts, operation: OperationRow, finish: Finish, owner: string): Promise<void> {
  await inPractice(db, operation.practice_id, async (write) => {
    const result = await finish(write)
    const ending: Ending = { status: 'succeeded', result_kind: result.kind, result_id: result.id }
    if (!(await endOperation(write, operation, ending, timestamp(clock), owner))) throw new AppError('cancelled')
    await record(write, clock, operation, 'succeeded', result.touched)
  })
}

async function fail({ db, clock, log }: JobPorts, operation: OperationRow, error: unknown, cleanUp: CleanUp, owner: string) {
  const failure = error instanceof AppError ? error : new AppError('internal')
  if (failure !== error) log.error('job.failed', { kind: operation.kind, operation: operation.id, error: errorKind(error) })
  await inPractice(db, operation.practice_id, async (write) => {
    if (await isTakenUp(write, operation.id, owner)) return
    await cleanUp(write, operation)
    const ending: Ending = { status: 'failed', code: failure.code, detail: failure.detail ?? null }
    const isFirst = await endOperation(write, operation, ending, timestamp(clock), owner)
    if (isFirst) await record(write, clock, operation, `failed ${failure.code}`, [])
  })
}

function record(write: Write, clock: Clock, operation: OperationRow, outcome: string, touched: readonly string[]): Promise<void> {
  const asked = { consent: null, purpose: null, ...(JSON.parse(operation.agent) as Omit<Asked, 'consent' | 'purpose'>) }
  return appendAudit(write, operation.practice_id, {
    ...asked,
    recorded: timestamp(clock),
    operation: operation.route,
    action: 'E',
    outcome,
    entities: [operation.id, ...touched],
  })
}

export async function sqliteLeases(db: Database, clock: Clock): Promise<JobPort> {
  const owner = newId(clock)
  await freeLeases(db)
  return {
    owner,
    lookAgainMs: null,
    claim: (kind, limits) => db.transaction().execute((write) => claimOperation(write, kind, owner, clock.now(), limits)),
    renew: ({ id, practice_id }) => inPractice(db, practice_id, (write) => renewLease(write, id, owner, clock.now() + LEASE_MS)),
    listen: () => {},
    close: async () => {},
  }
}
