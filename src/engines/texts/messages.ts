import type { AnalysisBody } from '#contract/model/analysis.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { NoteBody } from '#contract/model/note.ts'
import type { Question, TextModel, Told } from '#engines/language/writer/text-model.ts'
import type { TextWork } from './text-work.ts'

export type ToEngine =
  /** `model` describes the model that writes, or is null for the rules. Prompts for it come back as `ask`. */
  | { readonly kind: 'work'; readonly work: TextWork; readonly model: Pick<TextModel, 'engine' | 'context_tokens'> | null }
  | { readonly kind: 'piece'; readonly piece: string }
  | { readonly kind: 'told'; readonly told: Told }

export type FromEngine =
  | { readonly kind: 'share'; readonly share: number }
  | { readonly kind: 'ask'; readonly question: Question }
  | { readonly kind: 'done'; readonly result: TextResult }
  | { readonly kind: 'failed'; readonly code: ErrorCode | null; readonly detail: string | undefined; readonly error: string }

export type TextResult = NoteBody | AnalysisBody
