import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import type { Change } from '#contract/model/change.ts'
import { canonicalNote } from '#domain/canonical-note.ts'
import type { Role } from '#contract/rest/route.ts'
import { startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import { aClient, agree, anId, aSession, openKit } from '../service-kit.ts'
import type { ServiceKit } from '../service-kit.ts'
import { wavOf } from '../sound.ts'
import { overHttp } from '../uploads/upload-kit.ts'
import { take, told } from './sse.ts'

const tables = {
  client: 'clients',
  session: 'sessions',
  consent: 'consents',
  transcript: 'transcripts',
  note: 'notes',
  analysis: 'analyses',
  template: 'templates',
  staff: 'staff',
  room: 'rooms',
  availability: 'availability',
  coverage: 'coverages',
  authorisation: 'authorisations',
  payer: 'payers',
} as const
/** Records that are nobody's to follow: the practice's own bookkeeping, and what is its author's alone. */
const untold = [
  'break_glass',
  'reassignments',
  'legal_holds',
  'erasures',
  'psychotherapy_notes',
  'retention_policies',
  'note_versions',
  'changes',
]

const closers: (() => Promise<void>)[] = []
let kit: ServiceKit
beforeEach(async () => {
  kit = await openKit()
})
afterEach(async () => {
  await kit.close()
  for (const close of closers.splice(0)) await close()
})

interface Page {
  readonly data: readonly Change[]
  readonly next_cursor: string
  readonly more: boolean
}

async function since(cursor: string | null, more = '', headers: Record<string, string> = {}): Promise<Page> {
  const query = cursor === null ? '' : `?since=${cursor}${more}`
  return (await (await kit.fetch('GET', `/v1/events${query}`, undefined, headers)).json()) as Page
}

async function work(): Promise<void> {
  const client = await aClient(kit.client)
  await kit.client.call('updateClient', { params: { id: client.id }, body: { phone: '1' }, ifMatch: 1 })
  const session = await aSession(kit.client, client.id)
  await kit.client.call('updateSession', { params: { id: session.id }, body: { status: 'completed' }, ifMatch: 1 })
  const consent = await agree(kit.client, client.id)
  const { data: transcript } = await kit.client.call('transcribe', {
    body: { audio: { content: wavOf(1), media_type: 'audio/wav' }, session_id: session.id },
  })
  await kit.client.call('generateNote', {
    body: { session_id: session.id, client_id: client.id, transcript_id: transcript.id, template: 'soap' },
  })
  await kit.client.call('analyze', { body: { transcript_id: transcript.id, session_id: session.id } })
  const data = {
    session_type: 'individual',
    duration_minutes: 50,
    presenting_concerns: ['Work'],
    interventions: [],
    client_response: '',
  }
  const { data: note } = await kit.client.call('generateNoteFromData', { body: { ...data, session_id: session.id } })
  const signature = { by: 'Dr. M. Weber', credential: 'LPC', at: '2026-03-01T10:00:00Z', method: 'click' as const }
  const content_hash = createHash('sha256').update(canonicalNote(note)).digest('hex')
  await kit.client.call('signNote', { params: { id: note.id }, body: { ...signature, content_hash }, ifMatch: note.version })
  await kit.client.call('revokeConsent', { params: { id: consent.id }, body: { revoked_at: new Date().toISOString() } })
}

describe('the change feed', () => {
  beforeEach(async () => {
    const speech = await startScriptedSpeech([{ status: 200, body: '{"text":"I slept badly. Work is hard."}' }])
    closers.push(() => speech.close())
    await kit.reopen({ speech: () => ({ address: speech.address, model: null, key: null, language: null }) })
  })

  test('has the last word on every record there is, whichever way it was written, without a gap', async () => {
    await work()
    const { data, more } = await since('0')
    expect(more).toBe(false)
    expect(data.map(({ cursor }) => cursor)).toEqual(data.map((_, index) => String(index + 1)))
    const last = new Map(data.map(({ kind, id, version, deleted }) => [`${kind} ${id}`, `${version} ${deleted}`]))
    const stored = new Map<string, string>()
    for (const [kind, table] of Object.entries(tables)) {
      for (const row of await kit.ask<{ id: string; version: number; deleted_at: string | null }>(
        `select id, version, deleted_at from ${table}`,
      ))
        stored.set(`${kind} ${row.id}`, `${row.version} ${row.deleted_at !== null}`)
    }
    expect(new Set([...stored.keys()].map((name) => name.split(' ')[0]))).toEqual(
      new Set(['client', 'session', 'consent', 'transcript', 'note', 'analysis']),
    )
    expect(last).toEqual(stored)
    // Each version was told, not the last alone.
    const versions = data.filter(({ kind }) => kind === 'client').map(({ version }) => version)
    expect(versions).toEqual([1, 2])
    expect(JSON.stringify(data)).not.toContain('Ana')
  })
})

test('each table of records is told of, or is known to be nobody’s to follow', async () => {
  const isSqlite = kit.store.kind === 'sqlite'
  const rows = await kit.ask<{ name: string }>(
    isSqlite
      ? `select m.name from sqlite_master m where m.type = 'table' and exists (select 1 from pragma_table_info(m.name) c where c.name = 'version')
         and exists (select 1 from pragma_table_info(m.name) c where c.name = 'practice_id')`
      : `select c.table_name as name from information_schema.columns c where c.column_name = 'version' and c.table_schema = 'public'
         and exists (select 1 from information_schema.columns p where p.table_name = c.table_name and p.column_name = 'practice_id')`,
  )
  const triggers = await kit.ask<{ name: string }>(
    isSqlite
      ? `select distinct tbl_name as name from sqlite_master where type = 'trigger' and name like '%~_told~_%' escape '~'`
      : `select distinct event_object_table as name from information_schema.triggers where trigger_name like '%~_told' escape '~'`,
  )
  const named = (found: readonly { name: string }[]): string[] => found.map(({ name }) => name).toSorted()
  expect(named(triggers)).toEqual(Object.values(tables).toSorted())
  expect(named(rows).filter((name) => !untold.includes(name))).toEqual(named(triggers))
})

test('without a cursor it says where now is, and a page goes on from there', async () => {
  const client = await aClient(kit.client)
  const now = await since(null)
  expect(now).toEqual({ data: [], next_cursor: '1', more: false })
  for (const phone of ['1', '2', '3'])
    await kit.client.call('updateClient', { params: { id: client.id }, body: { phone }, ifMatch: Number(phone) })
  const first = await since(now.next_cursor, '&limit=2')
  expect(first).toMatchObject({ data: [{ version: 2 }, { version: 3 }], next_cursor: '3', more: true })
  expect(await since(first.next_cursor)).toMatchObject({ data: [{ kind: 'client', id: client.id, version: 4 }], more: false })
})

test('a change is told as it happens, and a line that was lost is taken up behind the last event read', async () => {
  const service = await overHttp((request) => kit.handle(request))
  const follow = async (last?: string) =>
    told(
      await fetch(`http://127.0.0.1:${service.port}/v1/events`, {
        headers: { Accept: 'text/event-stream', ...(last === undefined ? {} : { 'Last-Event-ID': last }) },
      }),
    )
  const events = await follow()
  expect(await take(events, 1)).toMatchObject([{ event: 'here', id: '0' }])
  const one = await aClient(kit.client)
  expect(await take(events, 1)).toMatchObject([{ event: 'change', id: '1', data: { kind: 'client', id: one.id, version: 1 } }])
  await events.return(undefined)
  const two = await aClient(kit.client)
  const again = await follow('1')
  expect(await take(again, 2)).toMatchObject([{ event: 'here' }, { event: 'change', id: '2', data: { id: two.id } }])
  await again.return(undefined)
  await service.close()
})

test('a cursor that is too old, or of another store, is said to be so', async () => {
  const days = 24 * 3_600_000
  const clock = { ...systemClock, now: () => systemClock.now() - 40 * days }
  await kit.reopen({ clock })
  for (let count = 0; count < 3; count += 1) await aClient(kit.client)
  await kit.reopen({})
  await aClient(kit.client)
  await expect.poll(async () => (await kit.fetch('GET', '/v1/events?since=1')).status, { timeout: 30_000 }).toBe(410)
  const response = await kit.fetch('GET', '/v1/events?since=99', undefined, { Accept: 'text/event-stream' })
  expect([response.status, await response.json()]).toMatchObject([410, { code: 'cursor-expired' }])
  expect((await since('3')).data).toHaveLength(1)
  expect((await kit.fetch('GET', '/v1/events?since=abc')).status).toBe(422)
})

test('everybody is told of what they may read, and of nothing else', async () => {
  await kit.close()
  kit = await openKit({ caller: 'api-keys' })
  const owner = { Authorization: `Bearer ${kit.ownerKey}` }
  const keyFor = async (role: Role, person_id: string) => {
    await kit.employ([role], person_id)
    const made = await kit.fetch('POST', '/v1/api-keys', { name: role, roles: [role], person_id }, owner)
    return { Authorization: `Bearer ${((await made.json()) as { secret: string }).secret}` }
  }
  const [mine, other] = [anId(), await kit.employ(['clinician'])]
  const clinician = await keyFor('clinician', mine)
  const desk = await keyFor('front_desk', anId())
  const client = async (clinician_id: string): Promise<string> => {
    const response = await kit.fetch('POST', '/v1/clients', { display_name: 'Ana', clinician_id }, owner)
    return ((await response.json()) as { id: string }).id
  }
  const [own, foreign] = [await client(mine), await client(other)]
  const notes = {
    session_type: 'individual',
    duration_minutes: 50,
    presenting_concerns: ['Work'],
    interventions: [],
    client_response: '',
  }
  await kit.fetch('POST', '/v1/notes/generate', { ...notes, client_id: own }, clinician)
  const told = async (headers: Record<string, string>) =>
    (await since('0', '', headers)).data
      .filter(({ kind }) => kind !== 'staff')
      .map(({ kind, id }) => `${kind} ${kind === 'note' ? '' : id}`)
  expect(await told(clinician)).toEqual([`client ${own}`, 'note '])
  expect(await told(desk)).toEqual([`client ${own}`, `client ${foreign}`])
  expect((await kit.fetch('GET', '/v1/events')).status).toBe(401)
})

test('a key that is revoked is told of nothing more', async () => {
  await kit.close()
  kit = await openKit({ caller: 'api-keys' })
  const owner = { Authorization: `Bearer ${kit.ownerKey}` }
  const body = { name: 'Sync', roles: ['owner'], person_id: await kit.employ(['owner']) }
  const made = (await (await kit.fetch('POST', '/v1/api-keys', body, owner)).json()) as { id: string; secret: string }
  const headers = { Authorization: `Bearer ${made.secret}`, Accept: 'text/event-stream' }
  const events = told(await kit.fetch('GET', '/v1/events', undefined, headers))
  expect(await take(events, 1)).toMatchObject([{ event: 'here' }])
  await kit.fetch('POST', '/v1/clients', { display_name: 'Ana' }, owner)
  expect(await take(events, 1)).toMatchObject([{ event: 'change' }])
  expect((await kit.fetch('DELETE', `/v1/api-keys/${made.id}`, undefined, owner)).ok).toBe(true)
  await kit.fetch('POST', '/v1/clients', { display_name: 'Ben' }, owner)
  expect(await take(events, 9)).toEqual([])
})

test('so many streams are followed by one person at once and no more; one that ended makes room', async () => {
  await kit.close()
  kit = await openKit({ caller: 'api-keys' })
  const headers = { Authorization: `Bearer ${kit.ownerKey}`, Accept: 'text/event-stream' }
  const follow = (method = 'GET') => kit.fetch(method, '/v1/events', undefined, headers)
  // Nobody reads on behind an answer to HEAD: it holds no place.
  for (let count = 0; count < 7; count += 1) expect((await follow('HEAD')).status).toBe(200)
  const six = await Promise.all(Array.from({ length: 6 }, () => follow()))
  expect(six.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  const seventh = await follow()
  expect([seventh.status, await seventh.json()]).toMatchObject([429, { code: 'too-many-streams', retryable: true }])
  await six[0]!.body!.cancel()
  const again = await follow()
  expect(again.status).toBe(200)
  expect((await follow()).status).toBe(429)
})

test('what a stream tells of is on record like what a page does', async () => {
  const events = told(await kit.fetch('GET', '/v1/events?since=0', undefined, { Accept: 'text/event-stream' }))
  await take(events, 1)
  const { id } = await aClient(kit.client)
  await take(events, 1)
  const rows = await kit.ask<{ event: string }>('select event from audit_events order by seq')
  const entries = rows.map(({ event }) => JSON.parse(event) as { operation: string; entities: string[] })
  expect(entries.filter(({ operation }) => operation === 'listChanges').map(({ entities }) => entities)).toEqual([[], [id]])
})
