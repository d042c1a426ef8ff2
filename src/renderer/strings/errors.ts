import type { ErrorCode } from '#contract/errors.ts'
import { messages } from './messages.ts'

export const errorSentences: Readonly<Record<ErrorCode, Readonly<Record<'happened' | 'kept' | 'next', string>>>> = messages.errors
