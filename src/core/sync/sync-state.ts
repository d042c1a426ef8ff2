import type { Sqlite } from '#base/sqlite.ts'

/** What the person decided about sending; kept over restarts. */
export interface SyncState {
  isPaused(): boolean
  setPaused(isPaused: boolean): void
}

export function createSyncState(db: Sqlite): SyncState {
  const get = db.prepare('select value from sync_state where name = ?').pluck()
  const put = db.prepare(
    'insert into sync_state (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
  )
  let isPaused = get.get('paused') === 'true'
  return {
    isPaused: () => isPaused,
    setPaused(paused) {
      put.run('paused', String(paused))
      isPaused = paused
    },
  }
}
