import { createHash } from 'node:crypto'
import { serve } from '@hono/node-server'
import type { Statement } from 'better-sqlite3'
import { Hono } from 'hono'
import pg from 'pg'
import { newId } from '#base/ids.ts'
import { openEncrypted } from '#base/sqlite.ts'

/**
 * What the service is measured against: a Hono route that does the same data SQL, one audit insert and one quota
 * update in one transaction, with the bare drivers, and checks nothing at all: no key, no role, no schema, no chain.
 */
const [store, practice, body] = process.argv.slice(2) as [string, string, string]

interface Bare {
  list(): Promise<string[]> | string[]
  book(id: string, client: string, starts_at: string, ends_at: string, body: string): Promise<void> | void
  note(id: string, client: string, body: string): Promise<void> | void
}

const now = (): string => new Date().toISOString()
/** As long as a real event. */
const audit = (operation: string): string =>
  JSON.stringify({
    recorded: now(),
    operation,
    action: 'C',
    outcome: '201',
    agent: { person: newId(), key: newId(), roles: ['owner'] },
  })
const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

const sql = {
  list: 'select id, body, created_at, updated_at, version from bare_clients where practice_id = ? and deleted_at is null order by created_at, id limit 51',
  client: 'select id, body from bare_clients where practice_id = ? and id = ?',
  clash: `select id from bare_sessions where practice_id = ? and client_id = ? and status = 'scheduled' and starts_at < ? and ends_at > ? limit 1`,
  book: `insert into bare_sessions (id, practice_id, client_id, status, starts_at, ends_at, body, created_at) values (?, ?, ?, 'scheduled', ?, ?, ?, ?)`,
  note: 'insert into bare_notes (id, practice_id, client_id, body, created_at) values (?, ?, ?, ?, ?)',
  audit: 'insert into bare_audit (practice_id, recorded_at, event, hash) values (?, ?, ?, ?)',
  quota: 'update bare_quota set used = used + 1 where practice_id = ?',
} as const

const tables = `
create table bare_clients (id text primary key, practice_id text not null, body text not null, created_at text not null, updated_at text not null, version integer not null, deleted_at text);
create index bare_clients_created on bare_clients (practice_id, created_at, id);
create table bare_sessions (id text primary key, practice_id text not null, client_id text not null, status text not null, starts_at text not null, ends_at text not null, body text not null, created_at text not null);
create index bare_sessions_times on bare_sessions (practice_id, client_id, starts_at);
create table bare_notes (id text primary key, practice_id text not null, client_id text not null, body text not null, created_at text not null);
create table bare_audit (practice_id text not null, recorded_at text not null, event text not null, hash text not null);
create table bare_quota (practice_id text primary key, used integer not null);`

const clients = 200
const clientRow = (index: number): string[] => [`c${index}`, practice, body, now(), now()]
const insertClient = 'insert into bare_clients (id, practice_id, body, created_at, updated_at, version) values (?, ?, ?, ?, ?, 1)'
const insertQuota = 'insert into bare_quota (practice_id, used) values (?, 0)'

function onSqlite(file: string): Bare {
  const db = openEncrypted(file, Buffer.alloc(32, 7))
  db.exec(tables)
  db.transaction(() => {
    for (let index = 0; index < clients; index += 1) db.prepare(insertClient).run(...clientRow(index))
    db.prepare(insertQuota).run(practice)
  })()
  const prepared = Object.fromEntries(Object.entries(sql).map(([name, text]) => [name, db.prepare<unknown[]>(text)])) as Record<
    keyof typeof sql,
    Statement
  >
  const leave = (operation: string): void => {
    const event = audit(operation)
    prepared.audit.run(practice, now(), event, hash(event))
    prepared.quota.run(practice)
  }
  return {
    list: () =>
      db
        .transaction(() => {
          leave('listClients')
          return (prepared.list.all(practice) as { body: string }[]).map((row) => row.body)
        })
        .immediate(),
    book: (id, client, starts_at, ends_at, text) =>
      db
        .transaction(() => {
          prepared.client.get(practice, client)
          prepared.clash.get(practice, client, ends_at, starts_at)
          prepared.book.run(id, practice, client, starts_at, ends_at, text, now())
          leave('createSession')
        })
        .immediate(),
    note: (id, client, text) =>
      db
        .transaction(() => {
          prepared.client.get(practice, client)
          prepared.note.run(id, practice, client, text, now())
          leave('generateNoteFromData')
        })
        .immediate(),
  }
}

async function onPostgres(url: string): Promise<Bare> {
  const pool = new pg.Pool({ connectionString: url, max: 12 })
  const numbered = (text: string): string => {
    let count = 0
    return text.replaceAll('?', () => `$${(count += 1)}`)
  }
  const all = Object.fromEntries(Object.entries(sql).map(([name, text]) => [name, { name, text: numbered(text) }])) as Record<
    keyof typeof sql,
    { name: string; text: string }
  >
  // The second process finds them there.
  const isFirst = await pool.query(tables).then(
    () => true,
    () => false,
  )
  if (isFirst) {
    for (let index = 0; index < clients; index += 1) await pool.query(numbered(insertClient), clientRow(index))
    await pool.query(numbered(insertQuota), [practice])
  }
  async function within<Result>(operation: string, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const result = await work(client)
      const event = audit(operation)
      await client.query({ ...all.audit, values: [practice, now(), event, hash(event)] })
      await client.query({ ...all.quota, values: [practice] })
      await client.query('commit')
      return result
    } finally {
      client.release()
    }
  }
  return {
    list: () =>
      within('listClients', async (client) => {
        const { rows } = await client.query<{ body: string }>({ ...all.list, values: [practice] })
        return rows.map((row) => row.body)
      }),
    book: (id, who, starts_at, ends_at, text) =>
      within('createSession', async (client) => {
        await client.query({ ...all.client, values: [practice, who] })
        await client.query({ ...all.clash, values: [practice, who, ends_at, starts_at] })
        await client.query({ ...all.book, values: [id, practice, who, starts_at, ends_at, text, now()] })
      }),
    note: (id, who, text) =>
      within('generateNoteFromData', async (client) => {
        await client.query({ ...all.client, values: [practice, who] })
        await client.query({ ...all.note, values: [id, practice, who, text, now()] })
      }),
  }
}

const bare = store.startsWith('postgres') ? await onPostgres(store) : onSqlite(store)
const app = new Hono()
app.get('/v1/clients', async (c) => {
  const data = (await bare.list()).slice(0, 50).map((text) => JSON.parse(text) as unknown)
  return c.json({ data, next_cursor: null })
})
app.post('/v1/sessions', async (c) => {
  const sent = await c.req.json<{ starts_at: string; duration_minutes: number }>()
  const id = newId()
  const ends_at = new Date(Date.parse(sent.starts_at) + sent.duration_minutes * 60_000).toISOString()
  const session = { ...sent, id, ends_at, version: 1 }
  await bare.book(id, 'c1', sent.starts_at, ends_at, JSON.stringify(session))
  return c.json(session, 201)
})
app.post('/v1/notes/generate', async (c) => {
  const sent = await c.req.json<object>()
  const id = newId()
  const note = { ...sent, id, version: 1, filler: body }
  await bare.note(id, 'c1', JSON.stringify(note))
  return c.json(note, 201)
})
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  process.stdout.write(`listening on http://127.0.0.1:${port}/v1\n`),
)
