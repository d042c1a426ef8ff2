import { AppError } from '#contract/errors.ts'
import { Busy, SerializationFailure, StatementTimeout } from '../in-practice.ts'

/** PostgreSQL error classes and codes (manual, appendix A) and socket errors reported as an unreachable database. */
const unreachable =
  /^(?:08|57P0[1-5]$|53300$|25P0[34]$|ECONN|EPIPE$|ETIMEDOUT$|EHOSTUNREACH$|ENETUNREACH$|ENOTFOUND$|EAI_AGAIN$|ENOENT$)/
/** feature_not_supported: a newer release changed a table, so this connection's cached plan is invalid. */
export const changedUnderPlan = '0A000'
const serializationFailures = new Set(['40001', '40P01', changedUnderPlan])
const lockTimeout = '55P03'
const statementTimeout = '57014'
const damaged = /^(?:XX00[12]|58030)$/
const goneSilently =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

export function convertPostgres(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error
  const { code = '', constraint = '' } = error as { code?: string; constraint?: string }
  const because = { cause: error }
  if (serializationFailures.has(code)) return new SerializationFailure(error)
  if (code === lockTimeout) return new Busy(error)
  if (code === statementTimeout || error.message.startsWith('Query read timeout')) return new StatementTimeout(error)
  if (code === '23P01' && constraint.startsWith('sessions_')) return new AppError('double-booking', undefined, [], because)
  if (code === '23505') return new AppError('already-exists', undefined, [], because)
  if (code === '53100') return new AppError('disk-full', undefined, [], because)
  if (damaged.test(code)) return new AppError('database-damaged', undefined, [], because)
  const isGone = unreachable.test(code) || goneSilently.test(error.message)
  return isGone ? new AppError('service-unreachable', 'The records cannot be reached. Try again.', [], because) : error
}
