export type LanguageSettings =
  | { readonly kind: 'rules' }
  | {
      readonly kind: 'server'
      readonly address: string | null
      readonly model: string | null
      readonly key: string | null
      readonly context_tokens: number | null
    }
  | {
      readonly kind: 'model'
      readonly file: string | null
      readonly home: string | null
      readonly context_tokens: number | null
    }

export interface SpeechSettings {
  readonly engine?: 'server' | 'local' | 'none'
  readonly address: string
  readonly model: string | null
  readonly key: string | null
  readonly language: string | null
}
