import type { Log } from '#base/log.ts'
import { openStore } from '../store/open-store.ts'
import { migrations } from '../store/migrations.ts'
import { lockData } from './data-lock.ts'
import { findPlace } from './place.ts'
import type { Settings } from './settings.ts'

/** Opening a store brings it to this release; starting the service does the same. */
export async function migrateStore(settings: Settings, log: Log, say: (line: string) => void): Promise<void> {
  const { data, store, key } = await findPlace(settings, log)
  const lock = store.kind === 'sqlite' ? lockData(data) : null
  const db = await openStore(store)
  key.fill(0)
  await db.destroy()
  lock?.release()
  say(`the store is at version ${migrations.at(-1)?.version}`)
}
