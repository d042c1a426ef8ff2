import type { Log } from '#base/log.ts'
import { openStore } from '../store/open-store.ts'
import { listRefused } from '../store/refused-calls.ts'
import { findPlace } from './place.ts'
import type { Settings } from './settings.ts'

const mostLines = 500

/** Calls that nobody known made, by hour and address, the newest first. */
export async function refused(settings: Settings, log: Log, say: (line: string) => void): Promise<void> {
  const { store, key } = await findPlace(settings, log)
  const db = await openStore(store)
  key.fill(0)
  try {
    const rows = await listRefused(db, mostLines)
    for (const { hour, source, reason, calls } of rows) say(`${hour}:00Z ${source} ${calls} ${meanings[reason] ?? reason}`)
    if (rows.length === 0) say('no calls were refused in the last 30 days')
  } finally {
    await db.destroy()
  }
}

const meanings: Readonly<Record<string, string>> = { none: 'without a key', wrong: 'with a wrong key or token' }
