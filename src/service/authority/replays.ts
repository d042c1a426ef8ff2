import type { Route } from '#contract/rest/route.ts'
import { routes } from '#contract/rest/routes.ts'
import type { Call } from '../handler.ts'
import type { RecordKind } from '../store/idempotency.ts'
import { getOperation } from '../store/operations.ts'
import type { Database } from '../store/tables.ts'
import { scopeFor } from './facts.ts'
import { limited } from './limited-fields.ts'
import type { LimitedKind } from './limits.ts'
import type { ReachedTable } from './reach.ts'
import { requireReach } from './reach.ts'
import { requireResult } from './reach-operation.ts'

/** How each kind of record is read, and in which table it stands. */
const reads: Partial<Record<RecordKind, { route: Route; table: ReachedTable; kind?: LimitedKind }>> = {
  client: { route: routes.getClient, table: 'clients', kind: 'client' },
  session: { route: routes.getSession, table: 'sessions', kind: 'session' },
  note: { route: routes.getNote, table: 'notes', kind: 'note' },
  consent: { route: routes.listConsents, table: 'consents' },
  transcript: { route: routes.getTranscript, table: 'transcripts' },
  analysis: { route: routes.getAnalysis, table: 'analyses' },
}

/**
 * A replay is made of the record as it is now: it says no more than reading it now would.
 *
 * @throws AppError `not-found` where it has since become another's
 */
export async function replayedTo(db: Database, call: Call, kind: RecordKind, id: string, data: unknown): Promise<unknown> {
  if (kind === 'operation') await requireResult(db, call, await getOperation(db, call.practice, id))
  const read = reads[kind]
  if (read === undefined) return data
  const { caller, practice, now } = call
  const scope = await scopeFor(db, caller, read.route, call.purpose, now)
  await requireReach(db, { practice, scope }, read.table, id)
  return read.kind === undefined ? data : limited(db, { practice, scope }, read.kind, data)
}
