/** What the service needs from outside; structurally equal to what the core offers, which it never imports. */
import type { InstalledModels } from './speech/local/models-port.ts'
import type { Database } from './store/tables.ts'

export interface RecordingAudioPort {
  stat(recordingId: string): Promise<{ bytes: number; sha256: string | null; session_id: string } | null>
  /** Ogg bytes, made as they are read. */
  read(recordingId: string, start?: number, end?: number): AsyncIterable<Uint8Array>
}

/** What drafts are written with. */
export type LanguageSettings =
  | { readonly kind: 'rules' }
  | {
      readonly kind: 'server'
      /** Ends in `/v1`; null: none was given yet. */
      readonly address: string | null
      readonly model: string | null
      readonly key: string | null
      /** Tokens it reads and writes at once; null: as it says itself. */
      readonly context_tokens: number | null
    }
  | {
      readonly kind: 'model'
      /** A GGUF file; null: none was chosen yet. */
      readonly file: string | null
      /** Folder of the optional install that runs it. */
      readonly home: string
      readonly context_tokens: number | null
    }

/** Where an OpenAI-compatible server listens. */
export interface SpeechSettings {
  /** `local`: the models on this machine hear the words, whatever the address; `none`: nobody does. */
  readonly engine?: 'server' | 'local' | 'none'
  /** Ends in `/v1`. */
  readonly address: string
  readonly model: string | null
  readonly key: string | null
  readonly language: string | null
}

/** Taken once for a piece of work, also inside a write. */
export type ModelsNow = (db: Database) => Promise<InstalledModels>
