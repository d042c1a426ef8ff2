import type { ErrorCode } from '#contract/errors.ts'
import { messages } from './messages.ts'

interface ErrorSentence {
  readonly happened: string
  readonly kept: string
  readonly next: string
}

export const errorSentences: Readonly<Record<ErrorCode, ErrorSentence>> = messages.errors
