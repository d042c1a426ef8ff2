import type { Change, ChangeKind } from '#contract/model/change.ts'
import type { Route } from '#contract/rest/route.ts'
import { routes } from '#contract/rest/routes.ts'
import { scopeFor } from '#service/access/facts.ts'
import type { ReachedTable } from '#service/access/reach.ts'
import { idsWithin } from '#service/access/reach.ts'
import { reachOf } from '#service/kernel/caller.ts'
import type { Call } from '#service/access/call.ts'
import type { ChangeRow } from '../store/changes.ts'
import { changesAfter } from '../store/changes.ts'
import type { Database } from '../store/tables.ts'

interface Kind {
  /** Whoever may read these there is told of them here. */
  readonly readBy: Route
  /** Where a record may be out of somebody's reach; null where all of them are everyone's. */
  readonly table: ReachedTable | null
}

const kinds: Readonly<Record<ChangeKind, Kind>> = {
  client: { readBy: routes.listClients, table: 'clients' },
  session: { readBy: routes.listSessions, table: 'sessions' },
  consent: { readBy: routes.listConsents, table: 'consents' },
  transcript: { readBy: routes.listTranscripts, table: 'transcripts' },
  note: { readBy: routes.listNotes, table: 'notes' },
  analysis: { readBy: routes.listAnalyses, table: 'analyses' },
  template: { readBy: routes.listTemplates, table: null },
  staff: { readBy: routes.listStaff, table: null },
  room: { readBy: routes.listRooms, table: null },
  availability: { readBy: routes.listAvailability, table: null },
  coverage: { readBy: routes.listCoverage, table: 'coverages' },
  authorisation: { readBy: routes.listAuthorisations, table: 'authorisations' },
  payer: { readBy: routes.listPayers, table: null },
}

export interface FeedPage {
  readonly changes: readonly Change[]
  /** The last that was looked at, told or not. */
  readonly last: number
  readonly more: boolean
}

/**
 * What changed after this number, as far as the caller reaches at this moment.
 *
 * @throws AppError `cursor-expired`
 */
export async function feedPage(
  db: Database,
  call: Pick<Call, 'practice' | 'caller' | 'purpose'>,
  after: number,
  limit: number,
  now: string,
): Promise<FeedPage> {
  const found = await changesAfter(db, call.practice, after, limit + 1)
  const rows = found.slice(0, limit)
  const visible = new Set<string>()
  for (const [kind, changed] of Map.groupBy(rows, (row) => row.kind))
    for (const id of await visibleOf(db, call, kind as ChangeKind, changed, now)) visible.add(`${kind} ${id}`)
  const told = rows.filter(({ kind, record_id }) => visible.has(`${kind} ${record_id}`))
  return { changes: told.map(changeOf), last: rows.at(-1)?.seq ?? after, more: found.length > limit }
}

async function visibleOf(
  db: Database,
  { practice, caller, purpose }: Pick<Call, 'practice' | 'caller' | 'purpose'>,
  kind: ChangeKind,
  rows: readonly ChangeRow[],
  now: string,
): Promise<Iterable<string>> {
  const { readBy, table } = kinds[kind]
  if (reachOf(caller, readBy) === 'none') return []
  const ids = [...new Set(rows.map(({ record_id }) => record_id))]
  return table === null ? ids : idsWithin(db, practice, await scopeFor(db, caller, readBy, purpose, now), table, ids)
}

function changeOf({ seq, kind, record_id, version, deleted, at }: ChangeRow): Change {
  return { cursor: String(seq), kind: kind as ChangeKind, id: record_id, version, deleted: deleted !== 0, at }
}
