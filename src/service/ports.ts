/** What the service needs from outside; structurally equal to what the core offers, which it never imports. */
import type { InstalledModels } from './speech/local/models-port.ts'
import type { Database } from './store/tables.ts'

export type { LanguageSettings, SpeechSettings } from '#base/engine-settings.ts'

export interface RecordingAudioPort {
  stat(recordingId: string): Promise<{ bytes: number; sha256: string | null; session_id: string } | null>
  /** Ogg bytes, made as they are read. */
  read(recordingId: string, start?: number, end?: number): AsyncIterable<Uint8Array>
}

/** Taken once for a piece of work, also inside a write. */
export type ModelsNow = (db: Database) => Promise<InstalledModels>
