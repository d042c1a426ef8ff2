import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newKey } from '#base/aead.ts'
import { newId } from '#base/ids.ts'
import { appendAudit } from '#service/store/audit.ts'
import { verifyAudit } from '#service/store/read-audit.ts'
import { findKey, insertKey } from '#service/store/api-keys.ts'
import { getClient, insertClient } from '#service/store/clients.ts'
import { inPractice } from '#service/store/in-practice.ts'
import { migrations } from '#service/store/migrations.ts'
import { openStore } from '#service/store/open-store.ts'
import { insertOperation } from '#service/store/operations.ts'
import { keepPiece } from '#service/store/transcripts.ts'
import { ensurePractice } from '#service/store/practices.ts'
import { insertSession } from '#service/store/sessions.ts'
import type { Database } from '#service/store/tables.ts'
import { insertUpload } from '#service/store/uploads.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import type { Postgres } from '#test/support/postgres.ts'
import { blankStore, freshStore, postgresHere } from '../store-kit.ts'
import type { TestStore } from '../store-kit.ts'
import { canaries, insertRecords } from '../access/records-of-a-client.ts'
import { aClientRecord, aSessionRecord, now } from './records-kit.ts'

/** What only a database at the other end of a connection, with rows of several practices in it, must promise. */

describe.skipIf(leftOut('what PostgreSQL is shown and keeps apart', await unmet('postgres')))('PostgreSQL', () => {
  const canary = `never shown ${newId()}`
  const secret = [canary, ...Object.values(canaries)]
  const [mine, theirs] = [newId(), newId()]
  const key = { id: 'k'.repeat(16), practice_id: theirs, person_id: newId(), roles: ['owner'] as const, digest: 'd', name: 'k' }
  const client = aClientRecord({ display_name: canary, phone: canary })
  const operation = newId()
  let server: Postgres
  let own: TestStore
  let db: Database
  let url: string
  let connection: pg.Client

  beforeAll(async () => {
    server = await postgresHere()
    own = await freshStore('postgres')
    url = own.options.kind === 'postgres' ? own.options.url : ''
    db = await openStore(own.options)
    connection = new pg.Client({ connectionString: url })
    await connection.connect()
    for (const id of [mine, theirs]) await inPractice(db, id, (write) => ensurePractice(write, id, 'Practice', 'free', now))
    await inPractice(db, theirs, async (write) => {
      await insertClient(write, theirs, client)
      await insertSession(write, theirs, aSessionRecord(client.id, now, { presenting_concerns: [canary] }))
      const bytes = Buffer.from(canary)
      const upload = { id: newId(), session_id: null, recording_id: null, media_type: 'audio/wav', bytes: bytes.length }
      await insertUpload(write, theirs, upload, bytes, now)
      const asked = { kind: 'transcribe', route: 'transcribe', payload: `{"said":"${canary}"}`, agent: '{}' } as const
      await insertOperation(write, { id: operation, practice_id: theirs, ...asked }, now)
      await insertKey(write, key, now)
      await insertRecords(write, theirs, null)
    })
    await keepPiece(db, { id: operation, practice_id: theirs }, 0, canary)
  })
  afterAll(async () => {
    await connection.end()
    await db.destroy()
    await own.remove()
  })

  /** As the service's own role, with whatever query. */
  async function raw(practice: string, text: string): Promise<Record<string, unknown>[]> {
    await connection.query('begin')
    try {
      await connection.query("select set_config('afterword.practice', $1, true)", [practice])
      const { rows } = await connection.query<Record<string, unknown>>(text)
      await connection.query('commit')
      return rows
    } catch (error) {
      await connection.query('rollback')
      throw error
    }
  }

  const isolated = async (): Promise<string[]> =>
    (
      await own.ask<{ name: string }>(
        "select relname as name from pg_class where relkind = 'r' and relrowsecurity and relforcerowsecurity and relnamespace = 'public'::regnamespace",
      )
    ).map(({ name }) => name)

  test('a value that only pretends to be sealed is refused as what it is, and stores nothing', async () => {
    const pretending = { ...key, id: 'p'.repeat(16), name: `sealed1:${theirs}:AAAA` }
    await expect(inPractice(db, theirs, (write) => insertKey(write, pretending, now))).rejects.toMatchObject({
      code: 'bad-request',
    })
    expect(await findKey(db, pretending.id)).toBeNull()
  })
  test('shows a practice nothing of another one, whatever the query', async () => {
    const tables = await isolated()
    expect(tables).toContain('clients')
    for (const table of tables) {
      const seen = await raw(mine, `select * from ${table}`)
      expect(
        seen.filter(({ practice_id }) => practice_id !== mine),
        table,
      ).toEqual([])
      expect(await raw('', `select * from ${table}`), table).toEqual([])
    }
    expect(await raw(theirs, 'select id from clients')).toContainEqual({ id: client.id })
  })

  test('lets a practice change nothing of another one, and add nothing to it', async () => {
    await raw(mine, "update clients set status = 'archived'")
    await raw(mine, 'delete from sessions')
    expect(await raw(theirs, 'select distinct status from clients')).toEqual([{ status: 'active' }])
    expect(await raw(theirs, 'select count(*)::int as n from sessions')).toEqual([{ n: 2 }])
    const foreign = `insert into consents values ('${newId()}', '${theirs}', 'x', '${now}', '${now}', 1, null, '${client.id}')`
    await expect(raw(mine, foreign)).rejects.toThrow('row-level security')
  })

  test('keeps every table that says whose a row is apart', async () => {
    const rows = await own.ask<{ name: string }>(
      "select table_name as name from information_schema.columns where column_name = 'practice_id' and table_schema = 'public'",
    )
    const kept = await isolated()
    // How many days transcripts stay is asked for all practices at once, and tells nothing of anybody.
    expect(rows.map(({ name }) => name).filter((name) => !kept.includes(name))).toEqual(['retention_policies'])
  })

  test('shows a key, before it is known whose it is, to whoever names it', async () => {
    expect(await findKey(db, key.id)).toMatchObject({ practice_id: theirs })
    expect(await findKey(db, 'x'.repeat(16))).toBeNull()
    expect(await raw(mine, 'select id from api_keys')).toEqual([])
  })

  test('holds no word of a client, neither in a row nor in a file', async () => {
    const tables = await own.ask<{ name: string }>(
      "select table_schema || '.' || table_name as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema in ('public', 'afterword_jobs')",
    )
    for (const { name } of tables) {
      const text = JSON.stringify(await own.ask(`select t::text as row from ${name} t`))
      for (const word of secret) {
        expect(text, name).not.toContain(word)
        expect(text, name).not.toContain(Buffer.from(word).toString('hex'))
      }
    }
    const folder = (await own.ask<{ folder: string }>("select current_setting('data_directory') as folder"))[0]!.folder
    await own.ask('checkpoint')
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const telling = files
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((file) => {
        const bytes = readFileSync(file)
        return secret.some((word) => bytes.includes(word))
      })
    expect(telling).toEqual([])
  })

  test('says that a row is damaged where a byte of it was changed, or it was sealed for another practice', async () => {
    const [row] = await own.ask<{ body: string }>(`select body from clients where id = '${client.id}'`)
    const read = () => inPractice(db, theirs, (write) => getClient(write, theirs, client.id))
    const put = (body: string) => own.ask(`update clients set body = '${body}' where id = '${client.id}'`)
    const at = row!.body.length - 30
    await put(row!.body.slice(0, at) + (row!.body[at] === 'A' ? 'B' : 'A') + row!.body.slice(at + 1))
    await expect(read()).rejects.toMatchObject({ code: 'database-damaged' })
    await put(row!.body.replace(theirs, mine))
    await expect(read()).rejects.toMatchObject({ code: 'database-damaged' })
    await put(row!.body)
    expect(await read()).toEqual(client)
  })

  test('opens nothing with another key', async () => {
    const another = await openStore({ kind: 'postgres', url, key: newKey() })
    const read = inPractice(another, theirs, (write) => getClient(write, theirs, client.id))
    await expect(read).rejects.toMatchObject({ code: 'database-damaged' })
    await another.destroy()
  })

  test('refuses a role that policies do not hold for', async () => {
    const anybody = url.replace('afterword:afterword', 'keeper:keeper')
    await expect(openStore({ kind: 'postgres', url: anybody, key: newKey() })).rejects.toMatchObject({ code: 'not-encrypted' })
  })

  test('lets two processes write one practice as one does: no number twice, no gap', async () => {
    const second = await openStore(own.options)
    const event = (at: number) => ({
      recorded: now,
      operation: 'getClient',
      action: 'R' as const,
      outcome: '200',
      agent: { person: 'p', key: null, roles: [] },
      source: 'http',
      entities: [String(at)],
      consent: null,
      purpose: null,
      request_id: 'r',
    })
    const writes = Array.from({ length: 40 }, (_, at) =>
      inPractice(at % 2 === 0 ? db : second, mine, (write) => appendAudit(write, mine, event(at))),
    )
    await Promise.all(writes)
    expect(await inPractice(second, mine, (read) => verifyAudit(read, mine))).toMatchObject({ events: 40, broken_at: null })
    await second.destroy()
  })

  test('cut off says that it cannot be reached, and goes on as soon as it can', async () => {
    const line = await server.line(url)
    const far = await openStore({ ...own.options, kind: 'postgres', url: line.url })
    const read = () => inPractice(far, theirs, (write) => getClient(write, theirs, client.id))
    const held = inPractice(far, theirs, async (write) => {
      await line.cut()
      return getClient(write, theirs, client.id)
    })
    await expect(held).rejects.toMatchObject({ code: 'service-unreachable' })
    await expect(read()).rejects.toMatchObject({ code: 'service-unreachable' })
    await expect(openStore({ ...own.options, kind: 'postgres', url: line.url })).rejects.toMatchObject({
      code: 'service-unreachable',
    })
    await line.mend()
    expect(await read()).toEqual(client)
    await far.destroy()
    await line.cut()
  })

  test('is brought to this release by one of those that start at once', async () => {
    const old = await blankStore('postgres')
    await old.bringTo(migrations.slice(0, 3))
    const opened = await Promise.all(Array.from({ length: 3 }, () => openStore(old.options)))
    for (const one of opened) await one.destroy()
    expect(await old.ask('select version from schema_state')).toEqual([{ version: migrations.at(-1)!.version }])
    await old.remove()
  })
})
