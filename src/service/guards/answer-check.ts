import { commonFailures } from '#contract/rest/route.ts'
import type { Route } from '#contract/rest/route.ts'
import type { AppError } from '#contract/errors.ts'
import type { Log } from '#base/log.ts'
import { pointerTo } from './validation.ts'

/** A bug of ours: an answer the contract does not declare. Tests see it thrown; callers in production do not. */
export class ContractBreach extends Error {
  override readonly name = 'ContractBreach'
}

interface Checking {
  readonly strictAnswers: boolean
  readonly log: Log
}

/** The answer with undeclared fields left out. */
export function checkAnswer(
  operation: string,
  route: Route,
  status: number,
  data: unknown,
  { strictAnswers, log }: Checking,
): unknown {
  const schema = route.answers[status]
  if (schema === undefined) return breach(`${operation} answers ${status}, which is not declared`, data)
  if (schema === null) return undefined
  const result = schema.safeParse(data)
  if (result.success) return result.data
  return breach(
    `${operation} ${status} does not fit at ${result.error.issues.map(({ path }) => pointerTo(path)).join(' ')}`,
    data,
  )

  function breach(message: string, unchanged: unknown): unknown {
    if (strictAnswers) throw new ContractBreach(message)
    log.error('contract.answer', { operation, status })
    return unchanged
  }
}

/** True where the operation may fail like that; else it is a bug of ours, answered as `internal`. */
export function isDeclaredFailure(route: Route, error: AppError): boolean {
  return [...route.failures, ...commonFailures].some((code) => code === error.code)
}
