export type LanguageSettings =
  | { readonly kind: 'rules' }
  | {
      readonly kind: 'server'
      /** Ends in `/v1`; null if not entered yet. */
      readonly address: string | null
      readonly model: string | null
      readonly key: string | null
      /** Context window in tokens; null to use what the server reports. */
      readonly context_tokens: number | null
    }
  | {
      readonly kind: 'model'
      readonly file: string | null
      /** Folder of the optional runtime for model files; null if it is not installed. */
      readonly home: string | null
      readonly context_tokens: number | null
    }

export interface SpeechSettings {
  /** `local`: models on this machine, regardless of `address`; `none`: transcription is off. */
  readonly engine?: 'server' | 'local' | 'none'
  readonly address: string
  readonly model: string | null
  readonly key: string | null
  readonly language: string | null
}
