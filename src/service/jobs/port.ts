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

export interface JobNews {
  work(): void
  over(operation: string): void
}

export interface ClaimLimits {
  readonly busy: ReadonlySet<string>
  readonly except: ReadonlySet<string>
  /** Skip practices in which another process is running an operation of this kind. */
  readonly isOnePerPractice: boolean
}

/** Assigns operations across all processes of one store. The operation row holds their true state. */
export interface JobPort {
  /** Poll interval in milliseconds if notifications can be lost; null if they cannot. */
  readonly lookAgainMs: number | null
  claim(kind: OperationKind, limits: ClaimLimits): Promise<OperationRow | null>
  renew(operation: OperationRow): Promise<boolean>
  readonly owner: string
  listen(news: JobNews): void
  close(): Promise<void>
}

/** Only one process uses a SQLite store, so leases of an earlier process are released on opening. */
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
