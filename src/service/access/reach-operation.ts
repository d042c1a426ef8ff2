import { AppError } from '#contract/errors.ts'
import type { Analysis } from '#contract/model/analysis.ts'
import type { Route } from '#contract/rest/route.ts'
import { routes } from '#contract/rest/routes.ts'
import { readableAnalysis } from './consent.ts'
import type { Call } from './call.ts'
import type { ConsentPolicy } from './consent.ts'
import type { OperationRow } from '#service/store/operations.ts'
import { askerOf, getOperation } from '#service/store/operations.ts'
import type { Database } from '#service/store/tables.ts'
import { scopeFor } from './facts.ts'
import type { ReachedTable } from './reach.ts'
import { idsWithin, requireReach } from './reach.ts'
import type { Scope } from './scope.ts'
import { NotFound } from '#service/kernel/problem.ts'

/** Results with client data, and the route and table that control access. Other results belong to the requester. */
const reads: Readonly<Record<string, { route: Route; table: ReachedTable }>> = {
  transcript: { route: routes.getTranscript, table: 'transcripts' },
  note: { route: routes.getNote, table: 'notes' },
  analysis: { route: routes.getAnalysis, table: 'analyses' },
  coverage: { route: routes.getCoverage, table: 'coverages' },
}

type Reader = Pick<Call, 'practice' | 'caller' | 'purpose' | 'now'>

/**
 * If its result has client data, only readers of the result may see it; otherwise its requester and readers of its session may.
 */
export async function operationFor(
  db: Database,
  call: Call<'getOperation'> | Call<'cancelOperation'> | Call<'followOperation'>,
): Promise<OperationRow> {
  const row = await getOperation(db, call.practice, call.params.id)
  if (await requireResult(db, call, row)) return row
  if (askerOf(row) !== call.caller.person_id && !(await reachesSession(db, call, row))) throw new NotFound(row.id)
  return row
}

/** Requires access to a result with client data; false if there is none. @throws AppError `not-found`, `purpose-missing` */
export async function requireResult(db: Database, call: Reader, row: OperationRow): Promise<boolean> {
  const read = row.result_kind === null ? undefined : reads[row.result_kind]
  if (read === undefined || row.result_id === null) return false
  const scope = wholeIn(await scopeFor(db, call.caller, read.route, call.purpose, call.now))
  await requireReach(db, { practice: call.practice, scope }, read.table, row.result_id)
  return true
}

/** Results are not filtered by field, so records that the caller sees only with limited fields are not accessible. */
const wholeIn = (scope: Scope): Scope => (scope.limited === null ? scope : { ...scope, ...scope.limited.whole, limited: null })

/** The result as a direct read would return it now. @throws AppError `consent-missing` */
export async function resultSeen(
  db: Database,
  call: Pick<Call, 'practice' | 'scope'>,
  policy: ConsentPolicy,
  { result_kind }: OperationRow,
  result: unknown,
): Promise<unknown> {
  if (result_kind !== 'analysis' || result === null) return result
  const seen = await readableAnalysis(db, call, policy, result as Analysis)
  if (seen === null) throw new AppError('consent-missing')
  return seen
}

/** False without a payload, which is erased when most operations end. */
async function reachesSession(db: Database, { practice, scope }: Pick<Call, 'practice' | 'scope'>, row: OperationRow) {
  const { session_id } = JSON.parse(row.payload ?? '{}') as { session_id?: string | null }
  return typeof session_id === 'string' && (await idsWithin(db, practice, scope, 'sessions', [session_id])).has(session_id)
}
