import { appendFileSync, existsSync, readFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deriveKey, newKey } from '#base/aead.ts'
import { newId } from '#base/ids.ts'
import { movingTables, stayingTables } from '#service/move/rows.ts'
import { insertOperation } from '#service/store/operations.ts'
import { enrolledVoices, putVoice } from '#service/store/voices.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { canaries, insertRecords } from '../access/records-of-a-client.ts'
import { sessionOgg } from '../service-kit.ts'
import { freshStore } from '../store-kit.ts'
import type { StoreKind } from '../store-kit.ts'
import { startNode } from './node-kit.ts'
import type { Node } from './node-kit.ts'

const noPostgres = leftOut('practices that move to or from PostgreSQL', await unmet('postgres'))
let nodes: Node[]
let here: Node
let there: Node
beforeEach(() => {
  nodes = []
})
afterEach(async () => {
  for (const node of nodes) await node.remove()
})

async function bothNodes(from: StoreKind, to: StoreKind): Promise<void> {
  here = await startNode(from)
  nodes.push(here)
  there = await startNode(to)
  nodes.push(there)
}

const found = (text: string, name: string): string => new RegExp(`^${name}: (\\S+)$`, 'm').exec(text)![1]!
const fileIn = (node: Node): string => join(dirname(node.data), 'birch.practice')
const tus = { 'Tus-Resumable': '1.0.0' }

/** A practice with something in every table that moves. */
async function aPractice(node: Node) {
  const { said } = await node.command(['practices', 'add', 'Birch Street'], ['--plan', 'professional'])
  const [id, key] = [found(said, 'practice'), found(said, 'owner key')]
  const person = (await node.ask(key, 'GET', '/me')).body['person_id'] as string
  const records = await node.write(id, (write) => insertRecords(write, id, person))
  await node.write(id, (write) =>
    putVoice(
      write,
      deriveKey(node.store.key, 'voice prints'),
      { practice: id, person },
      {
        embedding: new Float32Array([1, 2, 3]),
        model_sha256: 'ab'.repeat(32),
        heard_ms: 9000,
        enrolled_at: new Date().toISOString(),
      },
    ),
  )
  const psychotherapyNote = newId()
  await node.ask(key, 'PUT', `/psychotherapy-notes/${psychotherapyNote}`, { client_id: records.client, text: 'mine alone' })
  await node.ask(key, 'PUT', `/rooms/${newId()}`, { name: 'Blue', capacity: 2 })
  const headers = { ...tus, 'Upload-Length': String(sessionOgg.length) }
  const upload = (await node.ask(key, 'POST', '/uploads', undefined, headers)).headers.get('location')!.replace(/^.*\/v1/, '')
  const octets = { ...tus, 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' }
  expect((await node.ask(key, 'PATCH', upload, sessionOgg.subarray(0, 9000), octets)).status).toBe(204)
  return { id, key, person, records, psychotherapyNote, upload }
}

async function move(from: Node, to: Node, id: string): Promise<void> {
  const file = fileIn(from)
  expect((await from.command(['practices', 'export', id, file])).said).toMatch(/\d+ rows and 1 pieces of audio are in/)
  expect((await to.command(['practices', 'import', file])).said).toContain('the audit log is whole')
}

describe.each<[StoreKind, StoreKind]>(
  noPostgres
    ? [['sqlite', 'sqlite']]
    : [
        ['sqlite', 'postgres'],
        ['postgres', 'sqlite'],
      ],
)('a practice that moves from %s to %s', (from, to) => {
  test('goes on there with its keys, cursors, replays, uploads and records, and is not answered for here', async () => {
    await bothNodes(from, to)
    const practice = await aPractice(here)
    const { id, key, records, psychotherapyNote, upload } = practice
    const other = (await here.ask(here.ownerKey, 'POST', '/clients', { display_name: 'Of another practice' })).body.id
    const idempotent = { 'Idempotency-Key': newId() }
    const created = (await here.ask(key, 'POST', '/clients', { display_name: 'José Ibarra' }, idempotent)).body.id
    const first = (await here.ask(key, 'GET', '/clients?limit=1')).body
    const rest = (await here.ask(key, 'GET', `/clients?limit=1&cursor=${first.next_cursor}`)).body
    const note = (await here.ask(key, 'GET', `/notes/${records.signed}`)).body
    await move(here, there, id)

    expect((await there.ask(key, 'GET', `/clients?limit=1&cursor=${first.next_cursor}`)).body).toEqual(rest)
    expect((await there.ask(key, 'GET', `/notes/${records.signed}`)).body).toEqual(note)
    const replay = await there.ask(key, 'POST', '/clients', { display_name: 'José Ibarra' }, idempotent)
    expect([replay.body.id, replay.headers.get('idempotency-replayed')]).toEqual([created, 'true'])
    expect((await there.ask(key, 'GET', '/clients?q=jose')).body.data).toMatchObject([{ id: created }])
    expect((await there.ask(key, 'GET', `/psychotherapy-notes/${psychotherapyNote}`)).body).toMatchObject({ text: 'mine alone' })
    const voiceKey = deriveKey(there.store.key, 'voice prints')
    const voices = await there.write(id, (write) => enrolledVoices(write, voiceKey, id, 'ab'.repeat(32)))
    expect(voices).toEqual([{ id: practice.person, embedding: new Float32Array([1, 2, 3]) }])
    expect((await there.ask(key, 'GET', '/me')).body).toMatchObject({ plan: 'professional', practice: { name: 'Birch Street' } })
    expect((await there.ask(key, 'GET', `/clients/${other}`)).status).toBe(404)
    expect((await there.ask(there.ownerKey, 'GET', `/clients/${created}`)).status).toBe(404)

    // An upload under way goes on where it was.
    expect((await there.ask(key, 'HEAD', upload, undefined, tus)).headers.get('upload-offset')).toBe('9000')
    const octets = { ...tus, 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '9000' }
    expect((await there.ask(key, 'PATCH', upload, sessionOgg.subarray(9000), octets)).status).toBe(204)

    // Here, everything is refused with a reason, and where it is now is said once it is known.
    for (const [method, path] of [
      ['GET', '/clients'],
      ['POST', '/clients'],
      ['GET', '/events'],
      ['PATCH', upload],
    ] as const) {
      const refused = await here.ask(key, method, path, method === 'POST' ? { display_name: 'Late' } : undefined)
      expect([refused.status, refused.body['code'], refused.body['retryable']]).toEqual([421, 'practice-moved', true])
    }
    await here.command(['practices', 'close', id], ['--moved-to', 'https://birch.notes.example/v1'])
    expect((await here.ask(key, 'GET', '/clients')).body['detail']).toContain('https://birch.notes.example/v1')
    expect((await here.ask(here.ownerKey, 'GET', `/clients/${other}`)).status).toBe(200)
    const forged = key.replace(/_live_.{4}/, '_live_0000')
    expect((await here.ask(forged, 'GET', '/clients')).status).toBe(401)

    // Removed here, only its keys and its new address are left.
    await here.command(['practices', 'remove', id])
    for (const { name } of movingTables.filter(({ name: each }) => each !== 'api_keys' && each !== 'operation_pieces'))
      expect([
        name,
        await here.write(id, (write) =>
          write
            .selectFrom(name as 'clients')
            .select('practice_id')
            .where('practice_id', '=', id)
            .execute(),
        ),
      ]).toEqual([name, []])
    expect(readdirSync(join(here.data, 'blobs'))).toEqual([])
    expect((await here.ask(key, 'GET', '/clients')).body['detail']).toContain('https://birch.notes.example/v1')
    for (const node of nodes) expect((await node.command(['audit', 'verify'])).code).toBe(0)
  })
})

test('a practice that comes back answers to keys from all the stores it was in', async () => {
  await bothNodes(noPostgres ? 'sqlite' : 'postgres', 'sqlite')
  const { id, key } = await aPractice(here)
  await move(here, there, id)
  const body = { name: 'Made there', roles: ['owner', 'clinician'] }
  const made = (await there.ask(key, 'POST', '/api-keys', body)).body['secret'] as string
  await here.command(['practices', 'remove', id])
  await move(there, here, id)
  expect((await here.ask(made, 'GET', '/clients')).status).toBe(200)
  expect((await here.ask(key, 'GET', '/clients')).status).toBe(200)
  expect((await there.ask(key, 'GET', '/clients')).status).toBe(421)
  expect((await here.command(['audit', 'verify'])).code).toBe(0)
})

test.skipIf(noPostgres)(
  'PostgreSQL holds a practice that arrived as it holds its own: clinical columns sealed with its key',
  async () => {
    await bothNodes('sqlite', 'postgres')
    const { id } = await aPractice(here)
    await move(here, there, id)
    for (const { name, sealed } of movingTables) {
      const rows = await there.look<Record<string, unknown>>(`select * from ${name}`)
      for (const row of rows) {
        for (const value of sealed.map((column) => row[column]).filter((each) => each !== null))
          expect(Buffer.isBuffer(value) ? value.toString('latin1') : value).toMatch(/^sealed1:/)
        for (const canary of Object.values(canaries)) expect(JSON.stringify(row)).not.toContain(canary)
      }
    }
  },
)

describe('an export', () => {
  beforeEach(() => bothNodes('sqlite', 'sqlite'))

  test('holds nothing that can be read without its key', async () => {
    const { id, key } = await aPractice(here)
    await here.command(['practices', 'export', id, fileIn(here)])
    const bytes = readFileSync(fileIn(here))
    for (const word of [...Object.values(canaries), 'Birch Street', 'mine alone', id, key])
      expect(bytes.includes(word)).toBe(false)
  })

  test('waits for work under way, and the practice can be opened again', async () => {
    const { id, key, person } = await aPractice(here)
    const agent = JSON.stringify({ agent: { person } })
    const operation = newId()
    await here.stop()
    await here.write(id, (write) =>
      insertOperation(
        write,
        { id: operation, practice_id: id, kind: 'analyze', route: 'analyze', payload: '{}', agent },
        '2026-01-01',
      ),
    )
    await expect(here.command(['practices', 'export', id, fileIn(here)])).rejects.toThrow('still under way')
    expect(existsSync(fileIn(here))).toBe(false)
    expect((await here.command(['practices', 'list'])).said).toMatch(/ closed .* Birch Street$/m)
    await expect(here.command(['practices', 'plan', id, 'free'])).rejects.toThrow('not open')
    await expect(here.command(['keys'], ['--practice', id])).rejects.toThrow('not open')
    await here.command(['practices', 'open', id])
    expect((await here.command(['practices', 'list'])).said).toMatch(/ open .* Birch Street$/m)
    expect(key).toBeDefined()
  })

  test('that was damaged, cut off, or comes with another key is refused, and leaves nothing', async () => {
    const { id } = await aPractice(here)
    const file = fileIn(here)
    await here.command(['practices', 'export', id, file])
    const whole = readFileSync(file)
    const refused = async (): Promise<void> => {
      await expect(there.command(['practices', 'import', file])).rejects.toThrow(/cannot be imported/)
      expect((await there.command(['practices', 'list'])).said).not.toContain(id)
    }
    const flipped = Buffer.from(whole)
    flipped[Math.floor(whole.length / 2)]! ^= 1
    writeFileSync(file, flipped)
    await refused()
    writeFileSync(file, whole)
    truncateSync(file, whole.length - 200)
    await refused()
    writeFileSync(file, whole)
    appendFileSync(file, 'x')
    await refused()
    writeFileSync(file, whole)
    writeFileSync(`${file}.key`, `${newKey().toString('hex')}\n`)
    await refused()
  })
})

describe('an import', () => {
  beforeEach(() => bothNodes('sqlite', 'sqlite'))

  test('whose rows come out otherwise than they went in is taken back whole', async () => {
    const { id } = await aPractice(here)
    await here.command(['practices', 'export', id, fileIn(here)])
    await there.stop()
    const rewrite =
      'create trigger rewrite after insert on rooms begin update rooms set body = \'{"name":"Red"}\' where id = new.id; end'
    const { sql } = await import('kysely')
    await there.write(id, (write) => sql.raw(rewrite).execute(write))
    await expect(there.command(['practices', 'import', fileIn(here)])).rejects.toThrow('nothing of it was kept')
    expect((await there.command(['practices', 'list'])).said).not.toContain(id)
    await there.write(id, (write) => sql.raw('drop trigger rewrite').execute(write))
    expect((await there.command(['practices', 'import', fileIn(here)])).code).toBe(0)
    await expect(there.command(['practices', 'import', fileIn(here)])).rejects.toThrow('already open')
  })

  test('that stopped midway answers no calls, and begins again', async () => {
    const { id, key } = await aPractice(here)
    await here.command(['practices', 'export', id, fileIn(here)])
    await there.command(['practices', 'import', fileIn(here)])
    // As a crash leaves it: some rows, and the mark that more are to come.
    await there.write(id, async (write) => {
      await write.updateTable('practices').set({ state: 'arriving' }).where('id', '=', id).execute()
      await write.deleteFrom('quota_days').where('practice_id', '=', id).execute()
    })
    expect((await there.ask(key, 'GET', '/clients')).status).toBe(421)
    expect((await there.command(['practices', 'import', fileIn(here)])).said).toContain('begins again')
    expect((await there.ask(key, 'GET', '/clients')).status).toBe(200)
    expect((await there.command(['audit', 'verify'])).code).toBe(0)
  })

  test('of a practice that is still in the store is refused', async () => {
    const { id } = await aPractice(here)
    await here.command(['practices', 'export', id, fileIn(here)])
    await expect(here.command(['practices', 'import', fileIn(here)])).rejects.toThrow('Remove it first')
    await expect(here.command(['practices', 'import', join(here.data, 'none')])).rejects.toThrow('There is no file')
  })
})

test('every table of the store moves with its practice, or is named as one that stays', async () => {
  const store = await freshStore('sqlite')
  const { openStore } = await import('#service/store/open-store.ts')
  await (await openStore(store.options)).destroy()
  const tables = await store.ask<{ name: string }>(
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'",
  )
  expect(tables.map(({ name }) => name).toSorted()).toEqual(
    [...movingTables.map(({ name }) => name), ...stayingTables].toSorted(),
  )
  await store.remove()
})
