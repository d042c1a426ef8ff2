/** What the settings say of the engines: core reads them from there, the service works by them. */

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
      /** Folder of the optional install that runs it; null: this app runs no model files. */
      readonly home: string | null
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
