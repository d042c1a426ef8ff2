import { AppError } from '#contract/errors.ts'
import { Busy, LetGoFirst, TookTooLong } from '../in-practice.ts'

/** Classes and codes of PostgreSQL (appendix A of its manual) and of the connection to it. */
const unreachable =
  /^(?:08|57P0[1-5]$|53300$|25P0[34]$|ECONN|EPIPE$|ETIMEDOUT$|EHOSTUNREACH$|ENETUNREACH$|ENOTFOUND$|EAI_AGAIN$|ENOENT$)/
/** A newer release changed a table that this connection had a plan for; another connection makes its own. */
export const changedUnderPlan = '0A000'
const letGoFirst = new Set(['40001', '40P01', changedUnderPlan])
/** lock_not_available */
const lockTimeout = '55P03'
/** query_canceled */
const statementTimeout = '57014'
const damaged = /^(?:XX00[12]|58030)$/
/** Said by the driver without a code. */
const goneSilently =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

/** What the database refused as the failure a person can act on; anything else is a bug and stays as it is. */
export function convertPostgres(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error
  const { code = '', constraint = '' } = error as { code?: string; constraint?: string }
  const because = { cause: error }
  if (letGoFirst.has(code)) return new LetGoFirst(error)
  if (code === lockTimeout) return new Busy(error)
  if (code === statementTimeout || error.message.startsWith('Query read timeout')) return new TookTooLong(error)
  if (code === '23P01' && constraint.startsWith('sessions_')) return new AppError('double-booking', undefined, [], because)
  if (code === '23505') return new AppError('already-exists', undefined, [], because)
  if (code === '53100') return new AppError('disk-full', undefined, [], because)
  if (damaged.test(code)) return new AppError('database-damaged', undefined, [], because)
  const isGone = unreachable.test(code) || goneSilently.test(error.message)
  return isGone ? new AppError('service-unreachable', 'The records cannot be reached. Try again.', [], because) : error
}
