import type { Clock } from '#base/clock.ts'
import type { SpeechSettings } from '#base/engine-settings.ts'
import type { Log } from '#base/log.ts'
import type { Blobs } from '../blobs/blobs.ts'
import type { ConsentPolicy } from '#service/access/consent.ts'
import type { LanguageEngines } from '#engines/language/engines.ts'
import type { ModelsNow } from '../models/installed.ts'
import type { PayerDesk } from '../payer/desk.ts'
import type { Database } from '../store/tables.ts'
import type { Texts } from '#engines/texts/texts.ts'

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
