import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createServiceClient } from '#client/client.ts'
import type { ServiceClient } from '#client/client.ts'
import { newKey } from '#base/aead.ts'
import { AppError } from '#contract/errors.ts'
import type { Operation } from '#contract/model/operation.ts'
import { verifyAudit } from '#service/store/read-audit.ts'
import { inPractice } from '#service/store/in-practice.ts'
import { openStore } from '#service/store/open-store.ts'
import { onlyPractice } from '#service/store/practices.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import type { ScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import { writeFileSync } from 'node:fs'
import { freshFolder, startAlone } from './alone-kit.ts'
import type { Alone } from './alone-kit.ts'
import { wavOf } from './sound.ts'
import { openKit } from './service-kit.ts'
import { postgresHere } from './store-kit.ts'

/** Two processes of the service over one database, as behind one address. */

const isFull = process.env['AFTERWORD_FAULTS'] === 'full'
const bookings = isFull ? 10_000 : 120
const body = { audio: { content: wavOf(1), media_type: 'audio/wav' } }

describe.skipIf(leftOut('two processes over one PostgreSQL', await unmet('postgres')))('two processes', () => {
  const folder = freshFolder()
  const key = newKey()
  const keyFile = `${folder.data}-shared.key`
  const services: Alone[] = []
  /** Each process has an engine of its own, which shows who works on what. */
  const engines: ScriptedSpeech[] = []
  const clients: ServiceClient[] = []
  let url: string
  let token: string

  beforeAll(async () => {
    writeFileSync(keyFile, `${Buffer.from(key).toString('hex')}\n`, { mode: 0o600 })
    url = await (await postgresHere()).database()
    // On an empty database, both at once.
    await Promise.all([start(), start()])
    token = services.map(({ ownerKey }) => ownerKey).find((owner) => owner !== null)!
    for (const { address } of services) clients.push(createServiceClient({ base_url: address, token, fetch }))
  })
  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop('SIGKILL')))
    await Promise.all(engines.map((engine) => engine.close()))
    folder.remove()
  })

  async function start(): Promise<void> {
    const engine = await startScriptedSpeech(['hang'])
    const name = engines.push(engine)
    const named = { DATABASE_URL: url, AFTERWORD_SERVICE_KEY_FILE: keyFile, AFTERWORD_SPEECH_ADDRESS: engine.address }
    const service = await startAlone(`${folder.data}-${name}`, named, ['--plan', 'enterprise'])
    services[name - 1] = service
  }

  const ask = async (): Promise<string> =>
    ((await clients[0]!.call('transcribe', { body, preferAsync: true })).data as Operation).id

  const ended = (client: ServiceClient, id: string): Promise<Operation> =>
    vi.waitUntil(
      async () => {
        const { data } = await client.call('getOperation', { params: { id } })
        return data.status === 'queued' || data.status === 'running' ? null : data
      },
      { timeout: 60_000, interval: 50 },
    )

  /** Which of the two work came to, the so-manieth there; and which is the other. */
  const whoWorks = (): Promise<[number, number]> =>
    Promise.race([
      engines[0]!.arrived(1).then((): [number, number] => [0, 1]),
      engines[1]!.arrived(1).then((): [number, number] => [1, 0]),
    ])

  async function isWhole(): Promise<void> {
    const db = await openStore({ kind: 'postgres', url, key })
    const practice = (await onlyPractice(db))!
    expect((await inPractice(db, practice, (read) => verifyAudit(read, practice))).broken_at).toBeNull()
    await db.destroy()
  }

  test('that start together on nothing make one practice with one key', () => {
    expect(services.filter(({ ownerKey }) => ownerKey !== null)).toHaveLength(1)
  })

  test(`${bookings} bookings at once in two processes: no time is taken twice`, () => bookAtOnce(clients))

  test('the same call sent to both at once is done once', async () => {
    const calls = Array.from({ length: 8 }, (_, index) =>
      clients[index % 2]!.call('createClient', { body: { display_name: 'Bea' }, idempotencyKey: 'bea' }).then(
        ({ data }) => data.id,
        (error: unknown) => (error instanceof AppError && error.code === 'still-running' ? null : Promise.reject(error)),
      ),
    )
    expect(new Set((await Promise.all(calls)).filter((answer) => answer !== null)).size).toBe(1)
    expect((await clients[1]!.call('listClients', { query: { q: 'bea' } })).data.data).toHaveLength(1)
    await isWhole()
  })

  test('of 200 calls to both at once with one left in the day, exactly one goes through', async () => {
    const client = await (await postgresHere()).look(url)
    await client.query("update practices set plan = 'free'")
    await client.query('delete from quota_days')
    // Whatever the day is by either clock, around midnight too.
    const days = [0, 1].map((ahead) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10))
    for (const day of days) await client.query('insert into quota_days select id, $1, 99 from practices', [day])
    const get = (index: number) =>
      fetch(`${services[index % 2]!.address}/clients`, { headers: { Authorization: `Bearer ${token}` } })
    const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => get(index)))
    const having = (status: number) => answers.filter((answer) => answer.status === status)
    expect([having(200).length, having(429).length]).toEqual([1, 199])
    await client.query("update practices set plan = 'enterprise'")
    await client.end()
  })

  test('a key revoked in one is refused by the other from then on', async () => {
    const made = (await clients[0]!.call('createApiKey', { body: { name: 'k', roles: ['clinician'] } })).data
    const other = createServiceClient({ base_url: services[1]!.address, token: made.secret!, fetch })
    expect((await other.call('describeService', {})).status).toBe(200)
    await clients[0]!.call('revokeApiKey', { params: { id: made.id } })
    await expect(other.call('describeService', {})).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  describe('whom one lets in by what it remembers', () => {
    const post = (secret: string, path: string, sent: object) =>
      fetch(services[1]!.address + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify(sent),
      })
    const person = async (roles: ('clinician' | 'front_desk')[]) => {
      const staff = (await clients[0]!.call('createStaff', { body: { name: 'Ada Lind', roles } })).data
      const key = (await clients[0]!.call('createApiKey', { body: { name: 'k', roles, person_id: staff.id } })).data
      const client = createServiceClient({ base_url: services[1]!.address, token: key.secret!, fetch })
      await client.call('listClients', {})
      return { staff, key: { ...key, secret: key.secret! }, client }
    }
    const refused = { code: 'unauthenticated' }

    test('reads and writes nothing more once the other revoked the key, and is told so whatever else is wrong', async () => {
      const { key, client } = await person(['clinician'])
      await clients[0]!.call('revokeApiKey', { params: { id: key.id } })
      await expect(client.call('listClients', {})).rejects.toMatchObject(refused)
      const again = await person(['clinician'])
      await clients[0]!.call('revokeApiKey', { params: { id: again.key.id } })
      await expect(again.client.call('createClient', { body: { display_name: 'Never there' } })).rejects.toMatchObject(refused)
      expect((await clients[0]!.call('listClients', { query: { q: 'never' } })).data.data).toEqual([])
      const third = await person(['clinician'])
      await clients[0]!.call('revokeApiKey', { params: { id: third.key.id } })
      expect((await post(third.key.secret, '/clients', { display_name: 7 })).status).toBe(401)
    })

    test('is let in with the secret that the other made, and no more with the one before', async () => {
      const { key, client } = await person(['clinician'])
      const body = { grace_minutes: 0 }
      const { secret } = (await clients[0]!.call('rotateApiKey', { params: { id: key.id }, body })).data
      const rotated = createServiceClient({ base_url: services[1]!.address, token: secret!, fetch })
      await expect(client.call('listClients', {})).rejects.toMatchObject(refused)
      expect((await rotated.call('listClients', {})).status).toBe(200)
    })

    test('sees a client from the moment the other shares it, and no more once that ends', async () => {
      const shared = (await clients[0]!.call('createClient', { body: { display_name: 'Shared' } })).data
      const { staff, client } = await person(['clinician'])
      const params = { id: shared.id }
      await expect(client.call('getClient', { params })).rejects.toMatchObject({ code: 'not-found' })
      const share = async (ids: string[], version: number) =>
        (await clients[0]!.call('updateStaff', { params: { id: staff.id }, ifMatch: version, body: { shared_clients: ids } }))
          .data
      const { version } = await share([shared.id], staff.version)
      expect((await client.call('getClient', { params })).data.id).toBe(shared.id)
      await share([], version)
      await expect(client.call('getClient', { params })).rejects.toMatchObject({ code: 'not-found' })
    })

    test('is refused once the other says that they left', async () => {
      const { staff, client } = await person(['clinician'])
      await clients[0]!.call('updateStaff', { params: { id: staff.id }, ifMatch: staff.version, body: { status: 'left' } })
      await expect(client.call('listClients', {})).rejects.toMatchObject(refused)
    })
  })

  test('what is cancelled in one stops in the other; what is stopped or killed is taken up by another; each is done once', async () => {
    const id = await ask()
    const [at, other] = await whoWorks()
    expect((await clients[other]!.call('cancelOperation', { params: { id } })).data.status).toBe('cancelled')
    // Both are free, so each takes one of the next two.
    const two = [await ask(), await ask()]
    await Promise.all([engines[at]!.arrived(2), engines[other]!.arrived(1)])

    expect(await services[at]!.stop('SIGTERM')).toBe(0)
    await start()
    await engines[2]!.arrived(1)
    await services[other]!.stop('SIGKILL')
    // Its caller, asking a third process, waits there for whoever does it.
    engines[2]!.letGo({ status: 200, body: '{"text":"I slept badly."}' })
    const last = createServiceClient({ base_url: services[2]!.address, token, fetch })
    for (const asked of two)
      expect(await ended(last, asked)).toMatchObject({ status: 'succeeded', result: { segments: [{ text: 'I slept badly.' }] } })
    expect((await last.call('listTranscripts', {})).data.data).toHaveLength(2)
    expect(engines.map(({ requests }) => requests.length).toSorted((left, right) => left - right)).toEqual([1, 2, 2])
    await isWhole()
  })
})

test(`${bookings} bookings at once in one process over SQLite: no time is taken twice`, async () => {
  const kit = await openKit({}, 'sqlite')
  await bookAtOnce([kit.client])
  await kit.close()
})

/** Sent in turn to each client, forty at a time, so close together that most stand in the way of another. */
async function bookAtOnce(clients: readonly ServiceClient[]): Promise<void> {
  const { id } = (await clients[0]!.call('createClient', { body: { display_name: 'Ana' } })).data
  const booked: [number, number][] = []
  let refused = 0
  const next = seeded(7)
  const book = async (index: number): Promise<void> => {
    const begins = Date.UTC(2026, 5, 1) + Math.floor(next() * bookings * 20) * 60_000
    const session = { client_id: id, session_type: 'individual', duration_minutes: 30 + Math.floor(next() * 30) } as const
    const starts_at = new Date(begins).toISOString()
    try {
      await clients[index % clients.length]!.call('createSession', { body: { ...session, starts_at } })
      booked.push([begins, begins + session.duration_minutes * 60_000])
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'double-booking') throw error
      refused += 1
    }
  }
  for (let from = 0; from < bookings; from += 40) {
    await Promise.all(Array.from({ length: Math.min(40, bookings - from) }, (_, index) => book(from + index)))
  }
  const ordered = booked.toSorted(([left], [right]) => left - right)
  for (const [index, [begins]] of ordered.entries()) if (index > 0) expect(begins).toBeGreaterThanOrEqual(ordered[index - 1]![1])
  expect(refused).toBeGreaterThan(0)
  expect(booked.length + refused).toBe(bookings)
}

/** The same numbers each time (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
