import type { OperationKind, OperationRow } from '../store/operations.ts'
import type { Clock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import { inPractice } from '../store/in-practice.ts'
import { claimOperation, freeLeases, LEASE_MS, renewLease } from '../store/operations.ts'
import type { Database } from '../store/tables.ts'
import type { SpeechSettings } from '#base/engine-settings.ts'
import type { Log } from '#base/log.ts'
import type { Blobs } from '../blobs/blobs.ts'
import type { ConsentPolicy } from '#service/access/consent.ts'
import type { LanguageEngines } from '#engines/language/engines.ts'
import type { ModelsNow } from '../models/installed.ts'
import type { PayerDesk } from '../payer/desk.ts'
import type { Texts } from '#engines/texts/texts.ts'

/** What other processes, or this one, did. */
export interface JobNews {
  /** There may be work to take up. */
  work(): void
  /** An operation ended, whoever ended it: by its work, or cancelled. */
  over(operation: string): void
}

export interface ClaimLimits {
  /** What this process works on. */
  readonly busy: ReadonlySet<string>
  /** Practices that are not due. */
  readonly except: ReadonlySet<string>
  /** Not of a practice that has one of this kind running in another process. */
  readonly isOnePerPractice: boolean
}

/** Who works on what, over all processes of one store. The row of the operation stays the truth. */
export interface JobPort {
  /** Milliseconds between two looks where news may get lost on the way; null where none can. */
  readonly lookAgainMs: number | null
  /** The oldest of this kind that waits, or whose worker is gone; leased to this process. */
  claim(kind: OperationKind, limits: ClaimLimits): Promise<OperationRow | null>
  /** It is still worked on here. False where another process has taken it up meanwhile. */
  renew(operation: OperationRow): Promise<boolean>
  /** The name under which this process holds what it claimed. */
  readonly owner: string
  listen(news: JobNews): void
  close(): Promise<void>
}

/** Leases on the rows themselves. The store has one process, so whatever another one held is free when it opens. */
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

/** Recordings of this laptop, which the service reads where they are. */
export interface RecordingAudioPort {
  stat(recordingId: string): Promise<{ bytes: number; sha256: string | null; session_id: string } | null>
  /** Ogg bytes, made as they are read. */
  read(recordingId: string, start?: number, end?: number): AsyncIterable<Uint8Array>
}

/** What long work needs of the service. */
export interface JobServices {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  /** Where audio stands that was sent. */
  readonly blobs: Blobs
  readonly audio: RecordingAudioPort | null
  readonly speech: () => SpeechSettings | null
  /** Null where nothing here can run a model. */
  readonly installed: ModelsNow | null
  readonly language: LanguageEngines
  readonly texts: Texts
  readonly payer: PayerDesk
  readonly consentPolicy: ConsentPolicy
}
