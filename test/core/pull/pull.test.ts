import { expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { aClient, agree, aSession } from '#test/service/service-kit.ts'
import { laptop } from './laptop-kit.ts'
import { clientAt } from './open-laptop.ts'
import { heard, practiceOverHttp } from './pull-kit.ts'

const engine = { name: 'test', version: '1', model: null }
const form = { name: 'Short form', sections: [{ key: 'plan', title: 'Plan', holds: [], when_empty: 'not_stated' as const }] }

async function withRecords() {
  const practice = await practiceOverHttp()
  const { client } = practice
  const ana = await aClient(client)
  const session = await aSession(client, ana.id)
  const consent = await agree(client, ana.id)
  const transcript = (
    await client.call('putTranscript', {
      params: { id: newId() },
      body: {
        session_id: session.id,
        language: 'en',
        duration_ms: null,
        speakers: [],
        segments: [{ id: 'g1', speaker_id: null, start_ms: null, end_ms: null, text: 'I slept well.', confidence: null }],
        engine,
      },
    })
  ).data
  const template = (await client.call('putTemplate', { params: { id: newId() }, body: form })).data
  return { practice, client, ana, session, consent, transcript, template }
}

const here = (practice: { address: string; ownerKey: string }) => ({
  address: practice.address,
  client: clientAt(practice.address, practice.ownerKey),
})

test('all that the practice has comes down, and from then on each change as it happens', async () => {
  const { practice, client, ana, session, consent, transcript, template } = await withRecords()
  const mine = laptop(here(practice))
  await mine.until(() => mine.taken.length === 5)
  expect(mine.taken.map((taken) => ('record' in taken ? [taken.kind, taken.record.id] : []))).toEqual([
    ['client', ana.id],
    ['session', session.id],
    ['consent', consent.id],
    ['transcript', transcript.id],
    ['template', template.id],
  ])

  await client.call('updateClient', { params: { id: ana.id }, body: { phone: '5550100' }, ifMatch: 1 })
  await client.call('revokeConsent', { params: { id: consent.id }, body: { revoked_at: '2026-02-01T10:00:00.000Z' } })
  const more = await aClient(client, 'Bo Lindqvist')
  await mine.until(() => mine.taken.length === 8)
  // Each in the order it was told of, or with others that were told of meanwhile.
  const later = mine.taken.slice(5).flatMap((taken) => ('record' in taken ? [taken.record] : []))
  expect(later.find(({ id }) => id === ana.id)).toMatchObject({ phone: '5550100', version: 2 })
  expect(later.find(({ id }) => id === consent.id)).toMatchObject({ revoked_at: '2026-02-01T10:00:00.000Z' })
  expect(later.map(({ id }) => id)).toContain(more.id)
})

test('a page that the service ends early is not taken for the last one', async () => {
  const { practice, client, session } = await withRecords()
  const segment = { speaker_id: null, start_ms: null, end_ms: null, text: 'word '.repeat(4000), confidence: null }
  const segments = Array.from({ length: 50 }, (_, index) => ({ ...segment, id: `s${index}` }))
  const body = { session_id: session.id, language: 'en', duration_ms: null, speakers: [], segments, engine }
  const large = await Promise.all(
    Array.from({ length: 5 }, async () => (await client.call('putTranscript', { params: { id: newId() }, body })).data.id),
  )
  const mine = laptop(here(practice))
  await mine.until(() => mine.taken.length === 10)
  const taken = mine.taken.flatMap((one) => ('record' in one && one.kind === 'transcript' ? [one.record.id] : []))
  expect(taken).toEqual(expect.arrayContaining(large))
  expect(practice.asked.filter((asked) => asked.startsWith('GET /v1/transcripts?')).length).toBeGreaterThan(1)
})

test('what changed while the first lists were read is told after them, and what changed while away when back', async () => {
  const { practice, client, ana } = await withRecords()
  let isChanged = false
  practice.between = async (request) => {
    if (!new URL(request.url).pathname.endsWith('/sessions') || isChanged) return null
    isChanged = true
    await client.call('updateClient', { params: { id: ana.id }, body: { email: 'ana@client.example' }, ifMatch: 1 })
    return null
  }
  const mine = laptop(here(practice))
  await mine.until(() =>
    mine.taken.some((taken) => 'record' in taken && taken.record.id === ana.id && taken.record.version === 2),
  )
  await mine.until(() => mine.taken.length === 6)
  mine.pause(true)
  practice.cut()
  await client.call('updateClient', { params: { id: ana.id }, body: { email: null }, ifMatch: 2 })
  mine.pause(false)
  await mine.until(() => mine.taken.length === 7)
  expect(mine.taken.at(-1)).toMatchObject({ record: { id: ana.id, version: 3, email: null } })
})

test('after weeks away what changed comes by lists, once each, however often it changed', async () => {
  const { practice, client } = await withRecords()
  const others = await Promise.all(Array.from({ length: 25 }, (_, index) => aClient(client, `Client ${index}`)))
  const mine = laptop(here(practice))
  await mine.until(() => mine.count('clients') === 26 && mine.count('templates') === 1)
  mine.pause(true)
  practice.cut()
  for (const ifMatch of [1, 2]) {
    const body = { phone: `555010${ifMatch}` }
    await Promise.all(others.map(({ id }) => client.call('updateClient', { params: { id }, body, ifMatch })))
  }
  const before = practice.asked.length
  mine.pause(false)
  const changed = mine.db.prepare(`select count(*) from clients where phone = '5550102'`).pluck()
  await mine.until(() => changed.get() === 25)
  expect(practice.asked.slice(before).filter((call) => call.includes('/clients/'))).toEqual([])
  expect(mine.taken.filter((taken) => 'record' in taken && taken.record.version === 3)).toHaveLength(25)
})

test('a record that cannot be read, or taken, is put aside by its id; all others come', async () => {
  const { practice, client, ana } = await withRecords()
  const bo = await aClient(client, 'Bo Lindqvist')
  practice.between = async (request) => {
    if (!new URL(request.url).pathname.endsWith('/clients')) return null
    const page = (await (await practice.fetch(request)).json()) as { data: Record<string, unknown>[] }
    page.data[0]!['display_name'] = 7
    return Response.json(page)
  }
  const log = heard()
  const mine = laptop({ ...here(practice), log })
  // Its session, consent and transcript wait for it; the one asked for by itself can be read.
  await mine.until(() => mine.count('transcripts') === 1)
  expect(log.lines).toContainEqual({ event: 'pull.unreadable', fields: { kind: 'client', id: ana.id } })
  expect(JSON.stringify(log.lines)).not.toMatch(/Ana|Lopez/)
  expect(mine.taken.map((taken) => 'record' in taken && taken.record.id)).toContain(bo.id)
  expect(mine.count('sessions')).toBe(1)
})

test('a list or a record that the service refuses, whatever it calls that, keeps nothing else from coming', async () => {
  const { practice, client, ana } = await withRecords()
  const refusing = (asked: RegExp) => {
    const body = { type: 'about:blank', title: 'Refused', status: 422, code: 'validation-failed' }
    practice.between = ({ method, url }) => (method === 'GET' && asked.test(url) ? Response.json(body, { status: 422 }) : null)
  }
  refusing(/\/consents\?/)
  const mine = laptop(here(practice))
  await mine.until(() => mine.count('transcripts') === 1 && mine.count('templates') === 1)
  expect(mine.count('consents')).toBe(0)
  refusing(new RegExp(`/clients/${ana.id}$`))
  await mine.until(() => mine.count('consents') === 1)
  await client.call('updateClient', { params: { id: ana.id }, body: { phone: '5550100' }, ifMatch: 1 })
  const bo = await aClient(client, 'Bo Lindqvist')
  await mine.until(() => mine.records.clients.find(bo.id) !== null)
})
