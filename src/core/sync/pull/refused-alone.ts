import { AppError, type ErrorCode, errorKinds } from '#contract/errors.ts'

/** These say something of the service, of who asks, or of the whole feed. */
const ofAll: ReadonlySet<ErrorCode> = new Set(['unauthenticated', 'cursor-expired'])

/** What was asked for is refused by itself, or could not be answered for a bug over there: all else may come. */
export function isRefusedAlone(error: unknown): error is AppError {
  return error instanceof AppError && !errorKinds[error.code].retryable && !ofAll.has(error.code)
}
