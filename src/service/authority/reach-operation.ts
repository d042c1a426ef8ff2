import { AppError } from '#contract/errors.ts'
import type { Call } from '../handler.ts'
import type { OperationRow } from '../store/operations.ts'
import { askerOf, getOperation } from '../store/operations.ts'
import type { Database } from '../store/tables.ts'
import type { ReachedTable } from './reach.ts'
import { idsWithin, requireReach } from './reach.ts'

/** Results that belong to a client; others, such as a model, are of who asked. */
const tables: Readonly<Record<string, ReachedTable>> = {
  transcript: 'transcripts',
  note: 'notes',
  analysis: 'analyses',
  coverage: 'coverages',
}

/**
 * Long work is for who asked for it and for those who reach its session; what came of it only for those who reach that.
 *
 * @throws AppError `not-found`
 */
export async function operationFor(
  db: Database,
  call: Call<'getOperation'> | Call<'cancelOperation'> | Call<'followOperation'>,
): Promise<OperationRow> {
  const row = await getOperation(db, call.practice, call.params.id)
  if (await requireResult(db, call, row)) return row
  if (askerOf(row) !== call.caller.person_id && !(await reachesSession(db, call, row))) throw new AppError('not-found')
  return row
}

/** False where there is none, or none that belongs to a client. */
export async function requireResult(db: Database, call: Pick<Call, 'practice' | 'scope'>, row: OperationRow): Promise<boolean> {
  const table = row.result_kind === null ? undefined : tables[row.result_kind]
  if (table === undefined || row.result_id === null) return false
  await requireReach(db, call, table, row.result_id)
  return true
}

/** Once it is over without a result, nothing says any more what it was about. */
async function reachesSession(db: Database, { practice, scope }: Pick<Call, 'practice' | 'scope'>, row: OperationRow) {
  const { session_id } = JSON.parse(row.payload ?? '{}') as { session_id?: string | null }
  return typeof session_id === 'string' && (await idsWithin(db, practice, scope, 'sessions', [session_id])).has(session_id)
}
