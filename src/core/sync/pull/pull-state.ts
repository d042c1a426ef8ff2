import type { ServiceOffers } from '#contract/bridge/moving.ts'
import { type Clock, timestamp } from '#base/clock.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { type PulledKind, pulledKinds, type RecordName, versionedKinds } from '#core/sync/record-kinds.ts'

export const fromTheBeginning = '1970-01-01T00:00:00.000Z'

export interface Walk {
  readonly kind: PulledKind
  readonly since: string
  readonly cursor: string | null
  readonly newest: string | null
  readonly pages: number
  readonly state: 'walking' | 'done' | 'refused'
  readonly done_at: string | null
}

export type PullState = ReturnType<typeof createPullState>

export function createPullState(db: Sqlite, clock: Clock) {
  const address = db.prepare('select address from pull_service').pluck()
  const setAddress = db.prepare('insert into pull_service (id, address) values (1, ?)')
  const cursor = db.prepare('select cursor from pull_service').pluck()
  const move = db.prepare('update pull_service set cursor = ?')
  const anchor = db.prepare('select anchor as after, told from pull_service where anchor is not null')
  const setAnchor = db.prepare('update pull_service set anchor = ?, told = ?')
  const behind = db.prepare('select behind_since from pull_service').pluck()
  const latest = `max(coalesce(json_extract(told, '$.at'), ''), (select coalesce(max(newest), '') from pull_lists))`
  const setBehind = db.prepare(`update pull_service set behind_since = iif(?, ${latest}, null)`)
  // While a service is restored from an older backup, `is_sure` = 2 means that the record was already unlisted before the restore.
  const setOutOfReach = db.prepare('update pull_unlisted set is_sure = iif(?, 2, 1) where is_sure > 0')
  const { walks, begin, walked, refuse } = walkStatements(db)
  const listing = listedRecords(db)
  const allWalks = (): Walk[] => parentsFirst(walks.all() as Walk[])
  const beginWalk = (kind: PulledKind, since: string): void => {
    begin.run(kind, since)
    if (since === fromTheBeginning) listing.begin(kind)
  }
  return {
    address: () => (address.get() as string | undefined) ?? null,
    setService(now: string): void {
      db.exec('delete from pull_service; delete from pull_lists; delete from pull_wanted; delete from pull_unlisted')
      setAddress.run(now)
    },
    cursor: () => (cursor.get() as string | null | undefined) ?? null,
    moveTo: (next: string | null): void => void move.run(next),
    anchor: () => (anchor.get() as { after: string; told: string } | undefined) ?? null,
    setAnchor: (after: string | null, told: string | null): void => void setAnchor.run(after, told),
    /** Time of the latest change known before the service was restored from backup; null if no rollback is under way. */
    behindSince: () => (behind.get() as string | null | undefined) ?? null,
    setBehind(isBehind: boolean): void {
      // If the pull restarts during a rollback, keep the start: records found missing before still have to be pushed.
      if (isBehind && behind.get() != null) return
      for (const statement of [setBehind, setOutOfReach]) statement.run(isBehind ? 1 : 0)
    },
    walks: allWalks,
    beginWalk,
    /** Lists the clients again, because access to them may have changed. */
    lookForClients(): void {
      if (allWalks().some(({ kind, state }) => kind === 'client' && state !== 'refused')) beginWalk('client', fromTheBeginning)
    },
    walkAll(): void {
      for (const { kind } of allWalks()) beginWalk(kind, fromTheBeginning)
    },
    walked(kind: PulledKind, next: string | null, newest: string | null): void {
      walked.run({ kind, cursor: next, newest, at: timestamp(clock) })
      if (next === null) listing.end(kind)
    },
    refuse: (kind: PulledKind): void => void refuse.run(timestamp(clock), kind),
    listed: listing.seen,
    unlisted: listing.missing,
  }
}

function walkStatements(db: Sqlite) {
  return {
    walks: db.prepare('select kind, since, cursor, newest, pages, state, done_at from pull_lists'),
    begin: db.prepare(`
    insert into pull_lists (kind, since, state) values (?, ?, 'walking')
    on conflict (kind) do update set since = excluded.since, cursor = null, pages = 0, state = 'walking'`),
    walked: db.prepare(`
    update pull_lists set cursor = @cursor, pages = pages + 1, newest = max(coalesce(newest, ''), coalesce(@newest, '')),
      state = iif(@cursor is null, 'done', 'walking'), done_at = iif(@cursor is null, @at, done_at) where kind = @kind`),
    refuse: db.prepare(`update pull_lists set state = 'refused', done_at = ? where kind = ?`),
  }
}

const parentsFirst = <Kept extends { readonly kind: PulledKind }>(all: readonly Kept[]): Kept[] =>
  all.toSorted((left, right) => pulledKinds.indexOf(left.kind) - pulledKinds.indexOf(right.kind))

/** A record missing from a complete list may only be inaccessible, so it stays in the vault. */
function listedRecords(db: Sqlite) {
  const begin = new Map<PulledKind, () => void>(
    versionedKinds.map(([kind, table]) => {
      const all = db.prepare(`
        insert or ignore into pull_unlisted (kind, id, is_sure) select '${kind}', id, 0 from ${table} where service_version is not null`)
      return [kind, () => void all.run()]
    }),
  )
  const end = db.prepare('update pull_unlisted set is_sure = 1 where kind = ? and is_sure = 0')
  const seen = db.prepare('delete from pull_unlisted where kind = ? and id = ?')
  const missing = db.prepare('select kind, id from pull_unlisted where is_sure = 1')
  return {
    begin: (kind: PulledKind) => begin.get(kind)?.(),
    end: (kind: PulledKind): void => void end.run(kind),
    seen: ({ kind, id }: RecordName): void => void seen.run(kind, id),
    missing: () => parentsFirst(missing.all() as RecordName[]),
  }
}

/** `all-of-client`: all records of a client, including those that the feed doesn't report. */
export type WantedKind = PulledKind | 'all-of-client'

export interface WantedRecord {
  readonly kind: WantedKind
  readonly id: string
  readonly version: number
  readonly changed_at: string | null
}

export type Wanted = ReturnType<typeof createWanted>

/** Records to pull, including those set aside (`held`). */
export function createWanted(db: Sqlite) {
  const want = db.prepare(`
    insert into pull_wanted (kind, id, version, changed_at) values (@kind, @id, @version, @changed_at)
    on conflict (kind, id) do update set version = excluded.version, held = null, parent_kind = null, parent_id = null,
      changed_at = coalesce(min(changed_at, excluded.changed_at), changed_at, excluded.changed_at)`)
  const ready = db.prepare(
    'select kind, id, version, changed_at from pull_wanted where kind = ? and held is null order by changed_at, id limit ?',
  )
  const isReady = db.prepare('select 1 from pull_wanted where kind = ? and id = ? and held is null')
  const count = db.prepare('select count(*) from pull_wanted where kind = ? and held is null').pluck()
  const done = db.prepare('delete from pull_wanted where kind = ? and id = ? and version <= ?')
  const free = db.prepare(`
    update pull_wanted set held = null, parent_kind = null, parent_id = null where parent_kind = ? and parent_id = ?`)
  const hold = db.prepare(`
    insert into pull_wanted (kind, id, version, changed_at, held, parent_kind, parent_id)
    values (@kind, @id, @version, @changed_at, @why, @parent_kind, @parent_id)
    on conflict (kind, id) do update set held = @why, parent_kind = @parent_kind, parent_id = @parent_id`)
  return {
    want: (record: WantedRecord): void => void want.run(record),
    ready: (kind: WantedKind, most: number) => ready.all(kind, most) as WantedRecord[],
    isReady: (kind: WantedKind, id: string) => isReady.get(kind, id) !== undefined,
    count: (kind: WantedKind) => count.get(kind) as number,
    done({ kind, id }: RecordName, version: number): void {
      done.run(kind, id, version)
      free.run(kind, id)
    },
    drop: ({ kind, id }: Pick<WantedRecord, 'kind' | 'id'>): void => void done.run(kind, id, Number.MAX_SAFE_INTEGER),
    /** Sets the record aside. `want` and `releaseAll` make it ready again. */
    hold: (record: WantedRecord, why: 'unreadable' | 'failed'): void =>
      void hold.run({ ...record, why, parent_kind: null, parent_id: null }),
    holdFor: (record: WantedRecord, parent: RecordName): void =>
      void hold.run({ ...record, why: 'parent', parent_kind: parent.kind, parent_id: parent.id }),
    releaseAll: (): unknown => db.exec('update pull_wanted set held = null, parent_kind = null, parent_id = null'),
  }
}

type Statement = ReturnType<Sqlite['prepare']>

export type Known = ReturnType<typeof createKnown>

export function createKnown(db: Sqlite) {
  const versions = new Map<PulledKind, Statement>(
    versionedKinds.map(([kind, table]) => [kind, db.prepare(`select service_version from ${table} where id = ?`).pluck()]),
  )
  const versionOf = ({ kind, id }: RecordName) => versions.get(kind)?.get(id) as number | null | undefined
  return {
    has: (record: RecordName) => versionOf(record) !== undefined,
    version: (record: RecordName) => versionOf(record) ?? null,
  }
}

/** Counts records that the last complete list lacked. During a rollback they may be lost, so none is reported. */
export function unlistedHere(db: Sqlite): ServiceOffers['unlisted'] {
  if (db.prepare('select 1 from pull_service where behind_since is not null').get() !== undefined) return []
  return versionedKinds.flatMap(([kind, table]) => {
    const here = `select count(*) from pull_unlisted join ${table} using (id) where kind = ? and is_sure > 0`
    const count = db.prepare(here).pluck().get(kind) as number
    return count === 0 ? [] : [{ sort: table, count }]
  })
}
