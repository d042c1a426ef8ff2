import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { ServiceClient } from '#client/client.ts'
import { AppError } from '#contract/errors.ts'
import { createAnswered } from '#core/recovery/answered.ts'

test('a lost record is found behind many that have changed again since they were acknowledged', async () => {
  const db = new Database(':memory:')
  db.exec('create table answered (kind text, id text, version integer, primary key (kind, id)) without rowid')
  db.exec('create table consents (id text primary key, client_id text)')
  const insert = db.prepare(`insert into answered values ('client', ?, 1)`)
  for (let number = 100; number < 160; number += 1) insert.run(`changed ${number}`)
  insert.run('lost')
  const known = { has: () => true, version: ({ id }: { id: string }) => (id === 'lost' ? 1 : 2) }
  // Only `ask` is called.
  const client = { ask: () => Promise.reject(new AppError('not-found')) } as unknown as ServiceClient
  const answered = createAnswered(db, known)
  expect(await answered.isLost({ client, signal: AbortSignal.timeout(1000) })).toBe(true)
  db.close()
})
