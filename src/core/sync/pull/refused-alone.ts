import { AppError, type ErrorCode, errorKinds } from '#contract/errors.ts'

/** Errors that cannot be retried and concern the caller or the whole feed. */
const ofAll: ReadonlySet<ErrorCode> = new Set(['unauthenticated', 'cursor-expired'])

/** True if only this request failed: it was rejected, or hit a bug of the service. Others may succeed. */
export function isRefusedAlone(error: unknown): error is AppError {
  return error instanceof AppError && !errorKinds[error.code].retryable && !ofAll.has(error.code)
}
