import type { Sqlite } from '#base/sqlite.ts'
import type { PulledKind, RecordName } from '#core/sync/record-kinds.ts'

/** `all-of-client`: the client became accessible, and the feed doesn't report its older records. */
export type WantedKind = PulledKind | 'all-of-client'

export interface WantedRecord {
  readonly kind: WantedKind
  readonly id: string
  readonly version: number
  /** By the service's clock; null if no change was reported. */
  readonly changed_at: string | null
}

/** Records with a version that is not here yet. Call this in a transaction. */
export interface Wanted {
  want(record: WantedRecord): void
  ready(kind: WantedKind, most: number): WantedRecord[]
  isReady(kind: WantedKind, id: string): boolean
  count(kind: WantedKind): number
  done(record: RecordName, version: number): void
  drop(record: { readonly kind: WantedKind; readonly id: string }): void
  /** The record is not pulled again until a new version is reported. */
  hold(record: WantedRecord, why: 'unreadable' | 'failed'): void
  holdFor(record: WantedRecord, parent: RecordName): void
  /** Makes records that were set aside ready again, because a newer app may understand them. */
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
    want: (record) => void want.run(record),
    ready: (kind, most) => ready.all(kind, most) as WantedRecord[],
    isReady: (kind, id) => isReady.get(kind, id) !== undefined,
    count: (kind) => count.get(kind) as number,
    done({ kind, id }, version) {
      done.run(kind, id, version)
      free.run(kind, id)
    },
    drop: ({ kind, id }) => void done.run(kind, id, Number.MAX_SAFE_INTEGER),
    hold: (record, why) => void hold.run({ ...record, why, parent_kind: null, parent_id: null }),
    holdFor: (record, parent) => void hold.run({ ...record, why: 'parent', parent_kind: parent.kind, parent_id: parent.id }),
    releaseAll: () => db.exec('update pull_wanted set held = null, parent_kind = null, parent_id = null'),
  }
}
