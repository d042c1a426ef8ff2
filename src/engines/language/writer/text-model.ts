import type { Engine } from '#contract/model/transcript.ts'

/** One question to a model: everything it needs stands in it, nothing is remembered from the one before. */
export interface Question {
  readonly instructions: string
  readonly prompt: string
  /** JSON Schema (draft 7) the answer is bound to. */
  readonly form: Readonly<Record<string, unknown>>
  readonly most_tokens: number
}

export type Told =
  | {
      readonly kind: 'text'
      readonly text: string
      /** It stopped because there was no room for more. */
      readonly is_cut: boolean
      /** Tokens of the question as the model counted them; null where it does not say. */
      readonly read_tokens: number | null
    }
  | { readonly kind: 'refused' }
  /** The question does not fit in what the model can read at once. */
  | { readonly kind: 'too-long' }

/** A model that writes text bound to a form. Where it runs and how it is reached is the adapter's matter. */
export interface TextModel {
  readonly engine: Engine
  /** Room for question and answer together, in tokens. */
  readonly context_tokens: number
  /** @throws AppError `engine-not-ready`, `engine-failed`; whatever `signal` was aborted with */
  tell(question: Question, signal: AbortSignal, onText: (piece: string) => void): Promise<Told>
}
