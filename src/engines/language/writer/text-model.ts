import type { Engine } from '#contract/model/transcript.ts'

export interface Question {
  readonly instructions: string
  readonly prompt: string
  /** JSON Schema (draft 7) of the answer. */
  readonly form: Readonly<Record<string, unknown>>
  readonly most_tokens: number
}

export type Told =
  | {
      readonly kind: 'text'
      readonly text: string
      readonly is_cut: boolean
      /** Prompt tokens as the model counted them; null if unknown. */
      readonly read_tokens: number | null
    }
  | { readonly kind: 'refused' }
  | { readonly kind: 'too-long' }

/** A model that answers with JSON for a given schema, wherever it runs. */
export interface TextModel {
  readonly engine: Engine
  readonly context_tokens: number
  /** @throws AppError `engine-not-ready`, `engine-failed`; the abort reason of `signal` */
  tell(question: Question, signal: AbortSignal, onText: (piece: string) => void): Promise<Told>
}
