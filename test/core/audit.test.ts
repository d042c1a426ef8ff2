import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { migrate } from '#base/migrate.ts'
import { openEncrypted, type Sqlite } from '#base/sqlite.ts'
import { type Audit, createAudit } from '#core/audit/audit.ts'
import { createChange } from '#core/records/change.ts'
import { createOutbox } from '#core/outbox/outbox.ts'
import { migrations } from '#core/vault/migrations.ts'

let folder: string
let db: Sqlite
let audit: Audit

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'afterword-audit-'))
  db = openEncrypted(join(folder, 'vault.db'), randomBytes(32))
  migrate(db, migrations)
  audit = createAudit(db, systemClock)
  for (let number = 1; number <= 20; number += 1) audit.append({ action: 'client.changed', subject_id: `client-${number}` })
})
afterEach(() => {
  db.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a chain nobody touched is whole', () => {
  expect(audit.verify()).toBeNull()
})

test.each([
  ['altered', "update audit set subject_id = 'somebody else' where sequence = 7", 7],
  [
    'altered with its hash',
    "update audit set action = 'x', hash = (select hash from audit where sequence = 3) where sequence = 7",
    7,
  ],
  ['taken out', 'delete from audit where sequence = 7', 8],
  ['swapped', 'update audit set at = (select at from audit where sequence = 1), previous_hash = hash where sequence = 12', 12],
])('an entry that was %s is found', (_, tampering, found) => {
  db.exec(tampering)
  expect(audit.verify()).toBe(found)
})

test('a change that fails leaves neither row, nor intent, nor entry', () => {
  const outbox = createOutbox(db, systemClock)
  const events: string[] = []
  const change = createChange({ db, clock: systemClock, audit, outbox, emit: (name) => void events.push(name) })
  const count = () =>
    db
      .prepare('select (select count(*) from audit) + (select count(*) from outbox) + (select count(*) from settings)')
      .pluck()
      .get()
  const before = count()
  expect(() =>
    change(['clients'], (within) => {
      db.prepare("insert into settings (name, value) values ('a', '1')").run()
      within.audit({ action: 'client.created', subject_id: 'a' })
      within.intend({ kind: 'put-note', client_id: 'a', session_id: null, subject_id: 'a', body: {} })
      throw new Error('halfway')
    }),
  ).toThrow('halfway')
  expect(count()).toBe(before)
  expect(events).toEqual([])
  expect(audit.verify()).toBeNull()
})
