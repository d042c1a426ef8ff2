import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { deriveKey } from '#base/aead.ts'
import { systemClock, timestamp } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { mintKey } from '../api-key.ts'
import { insertKey } from '../store/api-keys.ts'
import { appendAudit } from '../store/audit.ts'
import { inPractice } from '../store/in-practice.ts'
import { openStore } from '../store/open-store.ts'
import { onlyPractice } from '../store/practices.ts'
import { Mistake } from './mistake.ts'
import { findPlace } from './place.ts'
import type { Settings } from './settings.ts'
import { writeKey } from './store-key.ts'

/** Who holds the key of the store may let an owner in again. Recorded as the operator's doing. */
export async function newOwnerKey(settings: Settings, log: Log, say: (line: string) => void): Promise<void> {
  const { store, key } = await findPlace(settings, log)
  const pepper = deriveKey(key, 'api keys')
  const db = await openStore(store)
  key.fill(0)
  try {
    const practice = await onlyPractice(db)
    if (practice === null) throw new Mistake('There is no practice yet: the first start prints its owner key.')
    const now = timestamp(systemClock)
    const person_id = newId(systemClock)
    const { id, secret, digest } = mintKey(pepper)
    await inPractice(db, practice, async (write) => {
      const roles = ['owner', 'clinician'] as const
      await insertKey(write, { id, practice_id: practice, person_id, roles, digest, name: 'Owner, made by the operator' }, now)
      await appendAudit(write, practice, {
        recorded: now,
        operation: 'createApiKey',
        action: 'C',
        outcome: '201',
        agent: { person: 'operator', key: null, roles: [] },
        source: 'command line',
        entities: [id],
        consent: null,
        purpose: null,
        request_id: newId(systemClock),
      })
    })
    say(`owner key: ${secret}`)
  } finally {
    pepper.fill(0)
    await db.destroy()
  }
}

/** The key of the store as a file, to be kept away from the data: a backup opens with nothing else. */
export async function exportKey(settings: Settings, log: Log, say: (line: string) => void, file: string): Promise<number> {
  const path = resolve(file)
  if (existsSync(path)) throw new Mistake(`${path} is there already; name a new file.`)
  const { key } = await findPlace(settings, log)
  writeKey(path, key)
  key.fill(0)
  say(`the key is in ${path}; keep it away from the data and its backups`)
  return 0
}
