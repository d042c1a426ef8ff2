import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { createServiceClient } from '#client/client.ts'
import { openService } from '#service/compose/open-service.ts'
import { aClient, agree, aSession } from '#test/service/service-kit.ts'
import { laptop } from './laptop-kit.ts'
import { clientAt } from './open-laptop.ts'
import { heard, practiceOverHttp } from './pull-kit.ts'

const words = {
  language: 'en',
  duration_ms: null,
  speakers: [],
  segments: [{ id: 'g1', speaker_id: null, start_ms: null, end_ms: null, text: 'I slept well.', confidence: null }],
  engine: { name: 'test', version: '1', model: null },
}
const isFeed = (request: Request): boolean => new URL(request.url).pathname.endsWith('/events')
const isFollowing = (request: Request): boolean =>
  isFeed(request) && (request.headers.get('accept')?.includes('event-stream') ?? false)
const problem = (status: number, code: string): Response =>
  Response.json({ type: 'about:blank', title: code, status, code }, { status, headers: { 'retry-after': '0' } })

test('a cursor that is too old: all is read anew and compared, and following goes on from where the feed stands', async () => {
  const practice = await practiceOverHttp()
  const { client, address } = practice
  const ana = await aClient(client)
  const mine = laptop({ address, client: clientAt(address, practice.ownerKey) })
  await mine.until(() => mine.taken.length === 1)
  let isExpired = true
  practice.between = (request) => {
    if (!isExpired || !isFeed(request) || !request.url.includes('since')) return null
    isExpired = false
    return problem(410, 'cursor-expired')
  }
  mine.pause(true)
  practice.cut()
  await client.call('updateClient', { params: { id: ana.id }, body: { phone: '5550100' }, ifMatch: 1 })
  mine.pause(false)
  await mine.until(() => mine.records.clients.find(ana.id)?.phone === '5550100')
  await client.call('updateClient', { params: { id: ana.id }, body: { phone: null }, ifMatch: 2 })
  await mine.until(() => mine.records.clients.find(ana.id)?.phone === null)
})

/** The practice, with a copy of its store from before what was done last; what it was put back to, once that is served. */
async function toBePutBack() {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-put-back-'))
  const key = randomBytes(32)
  const practice = await practiceOverHttp({ folder, key })
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return {
    practice,
    copy() {
      for (const end of ['', '-wal']) copyFileSync(join(folder, `practice.db${end}`), join(folder, `copy.db${end}`))
    },
    async putBack() {
      const copy = await openService({
        store: { kind: 'sqlite', file: join(folder, 'copy.db'), key },
        audio: null,
        speech: () => null,
        clock: systemClock,
        log: silentLog,
        consentPolicy: 'enforced',
        caller: 'api-keys',
        plan: 'enterprise',
      })
      onTestFinished(() => copy.close())
      return {
        client: createServiceClient({
          base_url: practice.address,
          token: practice.ownerKey,
          fetch: (request) => copy.fetch(request),
        }),
        serve() {
          practice.between = (request) => copy.fetch(request)
          practice.cut()
        },
      }
    },
  }
}

test('a service that was put back to an older copy takes nothing back here, and is told again what it lost', async () => {
  const { practice, copy, putBack } = await toBePutBack()
  const { client, address } = practice
  const ana = await aClient(client)
  const consent = await agree(client, ana.id)
  const first = await aSession(client, ana.id)
  const put = { params: { id: newId() }, body: { ...words, session_id: first.id } }
  const transcript = (await client.call('putTranscript', put)).data
  copy()
  const segments = [{ ...words.segments[0]!, text: 'I slept badly.', edited: true }]
  await client.call('putTranscript', { ...put, body: { ...put.body, segments }, ifMatch: 1 })
  await client.call('updateClient', { params: { id: ana.id }, body: { phone: '5550100' }, ifMatch: 1 })
  await client.call('revokeConsent', { params: { id: consent.id }, body: { revoked_at: '2026-02-01T10:00:00.000Z' } })
  const bo = await aClient(client, 'Bo Lindqvist')
  await aSession(client, bo.id)
  const log = heard()
  const mine = laptop({ address, client: clientAt(address, practice.ownerKey), log })
  await mine.until(() => mine.records.transcripts.find(transcript.id)?.segments[0]?.edited === true)
  await mine.until(() => practice.asked.some((call) => call.includes('/events?since')))
  // Of records that were erased here since.
  const erased = mine.db.prepare('insert into pull_unlisted (kind, id, is_sure) values (?, ?, 0)')
  for (const kind of ['session', 'consent', 'transcript', 'note', 'client']) erased.run(kind, newId())

  const older = await putBack()
  older.serve()
  await mine.until(() => log.lines.some(({ event }) => event === 'pull.service-put-back'))
  expect(mine.records.clients.find(ana.id)).toMatchObject({ phone: '5550100' })
  expect(mine.records.clients.find(bo.id)).toMatchObject({ display_name: 'Bo Lindqvist' })
  expect(mine.records.consents.find(consent.id)).toMatchObject({ revoked_at: '2026-02-01T10:00:00.000Z' })
  expect(mine.records.transcripts.find(transcript.id)?.segments).toMatchObject(segments)
  const told = mine.outbox.list().map(({ kind }) => kind)
  expect(told.toSorted()).toEqual(['create-client', 'create-session', 'put-transcript', 'revoke-consent', 'update-client'])
  // Lost once more it would be told once more.
  expect(mine.count('pull_unlisted')).toBe(0)
  // From here on it is that copy that is followed.
  await older.client.call('updateClient', { params: { id: ana.id }, body: { email: 'ana@client.example' }, ifMatch: 1 })
  await mine.until(() => mine.records.clients.find(ana.id)?.email === 'ana@client.example')
  expect(mine.records.clients.find(ana.id)).toMatchObject({ phone: '5550100' })
})

test('so it is where that copy has been worked with and its feed has come further than the one before', async () => {
  const { practice, copy, putBack } = await toBePutBack()
  const { client, address } = practice
  const [ana, kim] = [await aClient(client), await aClient(client, 'Kim Osei')]
  copy()
  const log = heard()
  const mine = laptop({ address, client: clientAt(address, practice.ownerKey), log })
  await mine.until(() => practice.asked.some((call) => call.includes('/events?since')))
  await client.call('updateClient', { params: { id: ana.id }, body: { phone: '5550100' }, ifMatch: 1 })
  await client.call('updateClient', { params: { id: kim.id }, body: { phone: '5550111' }, ifMatch: 1 })
  const lost = await aClient(client, 'Bo Lindqvist')
  await mine.until(() => mine.records.clients.find(lost.id) !== null)

  const older = await putBack()
  const other = { phone: '5550199', email: 'kim@client.example' }
  await older.client.call('updateClient', { params: { id: kim.id }, body: other, ifMatch: 1 })
  for (const name of ['Cleo Adeyemi', 'Dana Fox', 'Eli Moreno']) await aClient(older.client, name)
  older.serve()
  await mine.until(() => log.lines.some(({ event }) => event === 'pull.service-put-back'))
  expect(mine.records.clients.list({}).map(({ display_name }) => display_name)).toEqual([
    'Ana Lopez',
    'Bo Lindqvist',
    'Cleo Adeyemi',
    'Dana Fox',
    'Eli Moreno',
    'Kim Osei',
  ])
  // What was changed on both sides of it is asked about.
  expect(mine.records.clients.find(kim.id)).toMatchObject({ phone: '5550111', email: 'kim@client.example' })
  const open = mine.db.prepare('select record_id, body from conflicts where resolved_at is null').all()
  expect(open).toMatchObject([{ record_id: kim.id, body: expect.stringContaining('"names":["phone"]') }])
  const told = mine.outbox.list().map(({ kind }) => kind)
  expect(told.toSorted()).toEqual(['create-client', 'update-client', 'update-client'])
})

test('without a feed the lists tell what changed, also with an earlier time, and what was erased', async () => {
  let there = Date.UTC(2026, 0, 5)
  const practice = await practiceOverHttp({ clock: { now: () => there, elapsed: () => performance.now() } })
  const { client, address } = practice
  const ana = await aClient(client)
  let now = Date.UTC(2026, 0, 5)
  const mine = laptop({
    address,
    client: clientAt(address, practice.ownerKey),
    offers: async () => ({ has: (capability) => capability !== 'events', is_plain: false }),
    clock: { now: () => now, elapsed: () => performance.now() },
  })
  const later = (): void => void (now += 31 * 60_000)
  await mine.until(() => mine.records.clients.find(ana.id) !== null)
  // Another instance of the service, whose clock is behind.
  there -= 5 * 60_000
  const session = await aSession(client, ana.id)
  const bo = await aClient(client, 'Bo Lindqvist')
  later()
  await mine.until(() => mine.records.sessions.find(session.id) !== null)
  await mine.until(() => mine.records.clients.find(bo.id) !== null)
  const transcript = (await client.call('putTranscript', { params: { id: newId() }, body: { ...words, session_id: session.id } }))
    .data
  later()
  await mine.until(() => mine.records.transcripts.find(transcript.id) !== null)
  const body = { record_kind: 'transcript', record_id: transcript.id, reason: 'asked for by the client' } as const
  await client.call('eraseRecord', { body })
  later()
  await mine.until(() => mine.records.transcripts.find(transcript.id) === null)
  expect(practice.asked.some((call) => call.includes('/events'))).toBe(false)
  expect(practice.asked.some((call) => /clients\?updated_since=2/.test(call))).toBe(true)
})

test('a line that is silent for too long, is cut, or is held back by something in between costs time and no change', async () => {
  const practice = await practiceOverHttp()
  const { address } = practice
  const ana = await aClient(practice.client)
  const hasty = createServiceClient({
    base_url: address,
    token: practice.ownerKey,
    fetch,
    // The longest silence of a line of events is shortened, and that alone.
    timer: (ms, ring) => {
      const timer = setTimeout(ring, ms === 45_000 ? 50 : ms)
      return () => clearTimeout(timer)
    },
  })
  const mine = laptop({ address, client: hasty })
  const silent = new Response(new ReadableStream({ start() {} }), { headers: { 'content-type': 'text/event-stream' } })
  const answers = [
    silent,
    new Response('[]', { headers: { 'content-type': 'application/json' } }),
    problem(429, 'too-many-streams'),
  ]
  practice.between = (request) => (isFollowing(request) ? (answers.shift() ?? null) : null)
  await mine.until(() => answers.length === 0)
  await practice.client.call('updateClient', { params: { id: ana.id }, body: { phone: '5550100' }, ifMatch: 1 })
  await mine.until(() => mine.records.clients.find(ana.id)?.phone === '5550100')
  practice.cut()
  await practice.client.call('updateClient', { params: { id: ana.id }, body: { phone: null }, ifMatch: 2 })
  await mine.until(() => mine.records.clients.find(ana.id)?.phone === null)
})

test('a bug over there in one list or one record keeps nothing else from coming', async () => {
  const practice = await practiceOverHttp()
  const { client, address } = practice
  const ana = await aClient(client)
  const session = await aSession(client, ana.id)
  const mine = laptop({ address, client: clientAt(address, practice.ownerKey) })
  practice.between = (request) => (/\/(consents|sessions)\?/.test(request.url) ? problem(500, 'internal') : null)
  await mine.until(() => mine.records.clients.find(ana.id) !== null)
  practice.between = () => null
  await mine.until(() => mine.records.sessions.find(session.id) !== null)

  practice.between = (request) =>
    request.method === 'GET' && request.url.endsWith(`/clients/${ana.id}`) ? problem(500, 'internal') : null
  await client.call('updateClient', { params: { id: ana.id }, body: { phone: '5550100' }, ifMatch: 1 })
  const bo = await aClient(client, 'Bo Lindqvist')
  await mine.until(() => mine.records.clients.find(bo.id) !== null)
  // Put aside until there is another version of it.
  practice.between = () => null
  await client.call('updateClient', { params: { id: ana.id }, body: { email: 'ana@client.example' }, ifMatch: 2 })
  await mine.until(() => mine.records.clients.find(ana.id)?.email === 'ana@client.example')
})

test.each([
  [500, 'internal'],
  [404, 'not-found'],
] as const)('a revocation that was told of comes, though the list of consents answered %i once', async (status, code) => {
  const practice = await practiceOverHttp()
  const { client, address } = practice
  const ana = await aClient(client)
  const consent = await agree(client, ana.id)
  const mine = laptop({ address, client: clientAt(address, practice.ownerKey) })
  await mine.until(() => mine.records.consents.find(consent.id) !== null)
  await mine.until(() => practice.asked.some((call) => call.includes('/events?since')))
  let failed = 0
  practice.between = (request) => {
    if (!/\/consents\?/.test(request.url) || failed > 0) return null
    failed += 1
    return problem(status, code)
  }
  const bo = await aClient(client, 'Bo Lindqvist')
  await client.call('revokeConsent', { params: { id: consent.id }, body: { revoked_at: '2026-02-01T10:00:00.000Z' } })
  await mine.until(() => mine.records.clients.find(bo.id) !== null)
  await mine.until(() => mine.records.consents.find(consent.id)?.revoked_at === '2026-02-01T10:00:00.000Z')
  expect(failed).toBe(1)
  expect(mine.db.prepare('select count(*) from pull_wanted').pluck().get()).toBe(0)
})

test('a feed that hands back the place that was asked for, and says there is more, keeps nobody reading it for ever', async () => {
  const practice = await practiceOverHttp()
  practice.between = (request) => {
    const since = new URL(request.url).searchParams.get('since')
    if (!isFeed(request) || isFollowing(request) || since === null) return null
    return Response.json({ data: [], next_cursor: since, more: true })
  }
  const mine = laptop({ address: practice.address, client: clientAt(practice.address, practice.ownerKey) })
  await mine.until(() => practice.asked.some((call) => call.includes('/events?since')))
  await aClient(practice.client)
  await mine.until(() => mine.count('clients') === 1)
})

test('where the day’s calls are used up, what is not counted comes all the same', async () => {
  const practice = await practiceOverHttp()
  const { client, address } = practice
  const ana = await aClient(client)
  const session = await aSession(client, ana.id)
  practice.between = (request) => (/\/clients\?/.test(request.url) ? problem(429, 'quota-exceeded') : null)
  const mine = laptop({ address, client: clientAt(address, practice.ownerKey) })
  // Its client is asked for by itself.
  await mine.until(() => mine.records.sessions.find(session.id) !== null)
  const consent = await agree(client, ana.id)
  await mine.until(() => mine.records.consents.find(consent.id) !== null)
  const bo = await aClient(client, 'Bo Lindqvist')
  practice.between = () => null
  await mine.until(() => mine.records.clients.find(bo.id) !== null)
})
