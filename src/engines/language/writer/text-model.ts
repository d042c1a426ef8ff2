import type { Engine } from '#contract/model/transcript.ts'

/** One self-contained prompt; the model keeps no state between prompts. */
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
      /** The answer was cut off at the length limit. */
      readonly is_cut: boolean
      /** Prompt tokens as the model counted them; null if unknown. */
      readonly read_tokens: number | null
    }
  | { readonly kind: 'refused' }
  /** The prompt exceeds the model's context. */
  | { readonly kind: 'too-long' }

/** A model that writes schema-bound text. Adapters decide where it runs. */
export interface TextModel {
  readonly engine: Engine
  /** Context size for prompt and answer together, in tokens. */
  readonly context_tokens: number
  /** @throws AppError `engine-not-ready`, `engine-failed`; the abort reason of `signal` */
  tell(question: Question, signal: AbortSignal, onText: (piece: string) => void): Promise<Told>
}
