import { type ErrorCode, AppError, isErrorCode } from '#contract/errors.ts'
import { operationSchema } from '#contract/model/operation.ts'
import { failedWith } from '#core/outbox/sending.ts'
import type { Step } from '../sync-loop.ts'

/**
 * Services without `operations` cannot be polled, so the same request is sent again under the same key after one of these
 * times: while the work runs, or while the service is still answering an earlier request.
 */
const WHILE_WORKING_MS = 15_000
const WHILE_ANSWERING_MS = 5000

export type Answered = { readonly result: unknown } | { readonly step: Step }

export type Begun = Map<string, string>

/**
 * Throws AppError `engine-failed` if the same key gets another unfinished operation, because the service then restarts the work
 * each time.
 */
export async function askAgainUntilDone(begun: Begun, key: string, ask: () => Promise<unknown>): Promise<Answered> {
  const answer = await ask().then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  )
  if ('error' in answer) {
    if (failedWith(answer.error, 'still-running')) return later(WHILE_ANSWERING_MS)
    if (failedWith(answer.error, 'idempotency-mismatch')) return failed('engine-failed')
    throw answer.error
  }
  const operation = operationSchema.safeParse(answer.result)
  if (!operation.success) return answer
  const { id, status, result, problem } = operation.data
  const before = begun.get(key)
  begun.delete(key)
  if (status === 'queued' || status === 'running') {
    if (before !== undefined && before !== id) throw new AppError('engine-failed')
    begun.set(key, id)
    return later(WHILE_WORKING_MS)
  }
  if (status === 'succeeded') return { result }
  if (status === 'cancelled') return failed('cancelled')
  return failed(isErrorCode(problem?.code) ? problem.code : 'engine-failed')
}

export async function withoutWhomIfUnknown<Whom extends object>(
  whom: Whom,
  ask: (whom: Whom | Record<string, never>, suffix: string) => Promise<unknown>,
): Promise<unknown> {
  try {
    return await ask(whom, '')
  } catch (error) {
    if (Object.keys(whom).length === 0 || !failedWith(error, 'not-found')) throw error
    return ask({}, '.alone')
  }
}

const later = (after_ms: number): Answered => ({ step: { state: 'later', after_ms, code: null } })
const failed = (code: ErrorCode): Answered => ({ step: { state: 'failed', code } })
