import type { ServiceOffers } from '#contract/bridge/moving.ts'
import { type Clock, timestamp } from '#base/clock.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { type PulledKind, pulledKinds, recordKinds, type RecordName, versionedKinds } from '#core/sync/record-kinds.ts'

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

export interface PullState {
  address(): string | null
  setService(address: string): void
  cursor(): string | null
  moveTo(cursor: string | null): void
  anchor(): { readonly after: string; readonly told: string } | null
  setAnchor(after: string | null, told: string | null): void
  behindSince(): string | null
  setBehind(isBehind: boolean): void
  walks(): Walk[]
  beginWalk(kind: PulledKind, since: string): void
  lookForClients(): void
  walkAll(): void
  walked(kind: PulledKind, cursor: string | null, newest: string | null): void
  refuse(kind: PulledKind): void
  listed(record: RecordName): void
  unlisted(): RecordName[]
}

export function createPullState(db: Sqlite, clock: Clock): PullState {
  const address = db.prepare('select address from pull_service').pluck()
  const setAddress = db.prepare('insert into pull_service (id, address) values (1, ?)')
  const cursor = db.prepare('select cursor from pull_service').pluck()
  const move = db.prepare('update pull_service set cursor = ?')
  const anchor = db.prepare('select anchor as after, told from pull_service where anchor is not null')
  const setAnchor = db.prepare('update pull_service set anchor = ?, told = ?')
  const behind = db.prepare('select behind_since from pull_service').pluck()
  const latest = `max(coalesce(json_extract(told, '$.at'), ''), (select coalesce(max(newest), '') from pull_lists))`
  const setBehind = db.prepare(`update pull_service set behind_since = iif(?, ${latest}, null)`)
  // `is_sure` 2 during a rollback: unlisted before it already, so not lost in it.
  const setOutOfReach = db.prepare('update pull_unlisted set is_sure = iif(?, 2, 1) where is_sure > 0')
  const walks = db.prepare('select kind, since, cursor, newest, pages, state, done_at from pull_lists')
  const begin = db.prepare(`
    insert into pull_lists (kind, since, state) values (?, ?, 'walking')
    on conflict (kind) do update set since = excluded.since, cursor = null, pages = 0, state = 'walking'`)
  const walked = db.prepare(`
    update pull_lists set cursor = @cursor, pages = pages + 1, newest = max(coalesce(newest, ''), coalesce(@newest, '')),
      state = iif(@cursor is null, 'done', 'walking'), done_at = iif(@cursor is null, @at, done_at) where kind = @kind`)
  const refuse = db.prepare(`update pull_lists set state = 'refused', done_at = ? where kind = ?`)
  const listing = listedRecords(db)
  const allWalks = (): Walk[] =>
    (walks.all() as Walk[]).toSorted((left, right) => pulledKinds.indexOf(left.kind) - pulledKinds.indexOf(right.kind))
  const beginWalk = (kind: PulledKind, since: string): void => {
    begin.run(kind, since)
    if (since === fromTheBeginning) listing.begin(kind)
  }
  return {
    address: () => (address.get() as string | undefined) ?? null,
    setService(now) {
      db.exec('delete from pull_service; delete from pull_lists; delete from pull_wanted; delete from pull_unlisted')
      setAddress.run(now)
    },
    cursor: () => (cursor.get() as string | null | undefined) ?? null,
    moveTo: (next): void => void move.run(next),
    anchor: () => (anchor.get() as { after: string; told: string } | undefined) ?? null,
    setAnchor: (after, told): void => void setAnchor.run(after, told),
    behindSince: () => (behind.get() as string | null | undefined) ?? null,
    setBehind(isBehind) {
      // A restarted rollback keeps its start, because records found missing before still have to be pushed.
      if (isBehind && behind.get() != null) return
      for (const statement of [setBehind, setOutOfReach]) statement.run(isBehind ? 1 : 0)
    },
    walks: allWalks,
    beginWalk,
    lookForClients() {
      if (allWalks().some(({ kind, state }) => kind === 'client' && state !== 'refused')) beginWalk('client', fromTheBeginning)
    },
    walkAll() {
      for (const { kind } of allWalks()) beginWalk(kind, fromTheBeginning)
    },
    walked(kind, next, newest) {
      walked.run({ kind, cursor: next, newest, at: timestamp(clock) })
      if (next === null) listing.end(kind)
    },
    refuse: (kind): void => void refuse.run(timestamp(clock), kind),
    listed: listing.seen,
    unlisted: listing.missing,
  }
}

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
    missing: () =>
      (missing.all() as RecordName[]).toSorted((left, right) => pulledKinds.indexOf(left.kind) - pulledKinds.indexOf(right.kind)),
  }
}

/** `all-of-client`: the client became accessible, and the feed doesn't report its older records. */
export type WantedKind = PulledKind | 'all-of-client'

export interface WantedRecord {
  readonly kind: WantedKind
  readonly id: string
  readonly version: number
  readonly changed_at: string | null
}

export interface Wanted {
  want(record: WantedRecord): void
  ready(kind: WantedKind, most: number): WantedRecord[]
  isReady(kind: WantedKind, id: string): boolean
  count(kind: WantedKind): number
  done(record: RecordName, version: number): void
  drop(record: { readonly kind: WantedKind; readonly id: string }): void
  hold(record: WantedRecord, why: 'unreadable' | 'failed'): void
  holdFor(record: WantedRecord, parent: RecordName): void
  releaseAll(): void
}

export function createWanted(db: Sqlite): Wanted {
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
    want: (record): void => void want.run(record),
    ready: (kind, most) => ready.all(kind, most) as WantedRecord[],
    isReady: (kind, id) => isReady.get(kind, id) !== undefined,
    count: (kind) => count.get(kind) as number,
    done({ kind, id }, version) {
      done.run(kind, id, version)
      free.run(kind, id)
    },
    drop: ({ kind, id }): void => void done.run(kind, id, Number.MAX_SAFE_INTEGER),
    hold: (record, why): void => void hold.run({ ...record, why, parent_kind: null, parent_id: null }),
    holdFor: (record, parent): void =>
      void hold.run({ ...record, why: 'parent', parent_kind: parent.kind, parent_id: parent.id }),
    releaseAll: () => db.exec('update pull_wanted set held = null, parent_kind = null, parent_id = null'),
  }
}

type Statement = ReturnType<Sqlite['prepare']>

export interface Known {
  has(record: RecordName): boolean
  version(record: RecordName): number | null
}

export function createKnown(db: Sqlite): Known {
  const rows = new Map<PulledKind, Statement>(
    versionedKinds.map(([kind, table]) => [kind, db.prepare(`select 1 from ${table} where id = ?`)]),
  )
  const versions = new Map<PulledKind, Statement>(
    versionedKinds.map(([kind, table]) => [kind, db.prepare(`select service_version from ${table} where id = ?`).pluck()]),
  )
  return {
    has: ({ kind, id }) => rows.get(kind)?.get(id) !== undefined,
    version: ({ kind, id }) => (versions.get(kind)?.get(id) as number | null | undefined) ?? null,
  }
}

/** Records that the last complete list lacked. During a rollback they may be lost, so none is reported. */
export function unlistedHere(db: Sqlite): ServiceOffers['unlisted'] {
  if (db.prepare('select 1 from pull_service where behind_since is not null').get() !== undefined) return []
  return versionedKinds.flatMap(([kind, table]) => {
    const here = `select count(*) from pull_unlisted join ${table} using (id) where kind = ? and is_sure > 0`
    const count = db.prepare(here).pluck().get(kind) as number
    return count === 0 ? [] : [{ sort: recordKinds[kind].sort, count }]
  })
}
