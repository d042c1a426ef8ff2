import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Participant } from '#contract/model/session.ts'
import { clientWithSession, coreKit, createProfile, noService, type OpenCore } from './core-kit.ts'

const kit = coreKit()
let open: OpenCore

beforeAll(async () => {
  open = await kit.open({ openService: noService })
  await createProfile(open)
})
afterAll(async () => {
  await open.core.close()
  kit.remove()
})

describe('clients', () => {
  test('are found as one types, by the start of any word, without case or accents', async () => {
    for (const display_name of ['José Álvarez', 'Anna Josefsson', 'Maria del Mar Ruiz'])
      await open.call('clients.create', { display_name })
    const found = async (q: string) => (await open.call('clients.list', { q })).map(({ client }) => client.display_name)
    expect(await found('jos')).toEqual(['Anna Josefsson', 'José Álvarez'])
    expect(await found('alvarez JOS')).toEqual(['José Álvarez'])
    expect(await found('mar r')).toEqual(['Maria del Mar Ruiz'])
    expect(await found('ose')).toEqual([])
    expect(await found('%')).toHaveLength(3)
  })

  test('saved twice from the same version, the second save is refused and nothing of it is kept', async () => {
    const client = await open.call('clients.create', { display_name: 'Two Saves' })
    const first = await open.call('clients.update', { id: client.id, version: 1, patch: { pronouns: 'they/them' } })
    expect(first).toMatchObject({ version: 2, pronouns: 'they/them' })
    await expect(
      open.call('clients.update', { id: client.id, version: 1, patch: { pronouns: 'she/her' } }),
    ).rejects.toMatchObject({ code: 'stale-version' })
    expect((await open.call('clients.get', { id: client.id })).client).toEqual(first)
    expect(await open.call('clients.update', { id: client.id, version: 2, patch: { pronouns: 'they/them' } })).toEqual(first)
  })

  test('what is wrong in a call is named by field, without the value', async () => {
    await expect(open.call('clients.create', { display_name: ' ', email: 'x'.repeat(300) })).rejects.toMatchObject({
      code: 'validation-failed',
      fields: [{ pointer: '/display_name' }, { pointer: '/email' }],
    })
    await expect(open.call('clients.get', { id: '0198f000-0000-7000-8000-000000000000' })).rejects.toMatchObject({
      code: 'not-found',
    })
  })
})

describe('sessions', () => {
  test('are numbered by time and not by when they were entered', async () => {
    const client = await open.call('clients.create', { display_name: 'Numbered' })
    const add = (starts_at: string) =>
      open.call('sessions.create', { client_id: client.id, session_type: 'individual', starts_at, duration_minutes: 50 })
    const later = await add('2027-03-09T15:00:00Z')
    const first = await add('2027-03-02T15:00:00.5Z')
    expect((await open.call('sessions.list', { client_id: client.id })).map((row) => [row.session.id, row.number])).toEqual([
      [first.id, 1],
      [later.id, 2],
    ])
    expect((await open.call('sessions.get', { id: later.id })).number).toBe(2)
    const day = { from: '2027-03-09T00:00:00Z', to: '2027-03-10T00:00:00Z' }
    expect((await open.call('sessions.list', { ...day, client_id: client.id })).map((row) => row.number)).toEqual([2])
    expect(later.ends_at).toBe('2027-03-09T15:50:00.000Z')
  })

  test('do not overlap, and a cancelled one takes no time', async () => {
    const { client, session } = await clientWithSession(open, 'Booked', Date.UTC(2028, 0, 1, 9))
    const add = (starts_at: string) =>
      open.call('sessions.create', { client_id: client.id, session_type: 'individual', starts_at, duration_minutes: 50 })
    await expect(add('2028-01-01T09:49:00Z')).rejects.toMatchObject({ code: 'double-booking' })
    const next = await add('2028-01-01T09:50:00Z')
    const patch = { starts_at: '2028-01-01T09:30:00Z' }
    await expect(open.call('sessions.update', { id: next.id, version: 1, patch })).rejects.toMatchObject({
      code: 'double-booking',
    })
    expect((await open.call('sessions.get', { id: next.id })).session).toEqual(next)
    await open.call('sessions.update', { id: session.id, version: 1, patch: { status: 'cancelled' } })
    expect((await open.call('sessions.update', { id: next.id, version: 1, patch })).starts_at).toBe('2028-01-01T09:30:00.000Z')
  })

  test('those held without a signed note are unfinished, even before their booked end', async () => {
    const { session } = await clientWithSession(open, 'Unfinished Business', Date.now() + 86_400_000)
    const ids = async () => (await open.call('sessions.unfinished', { limit: 100 })).rows.map((row) => row.session.id)
    expect(await ids()).not.toContain(session.id)
    await open.call('sessions.update', { id: session.id, version: 1, patch: { status: 'completed' } })
    expect(await ids()).toContain(session.id)
  })
})

describe('consent', () => {
  const anna: Participant = { name: 'Anna Holm', role: 'client' }
  const per: Participant = { name: 'Per Holm', role: 'partner' }
  const give = (client_id: string, participant: Participant, scopes: ('record' | 'transcribe' | 'draft')[]) =>
    open.call('consents.give', { client_id, participant, scopes, text_version: '1', method: 'spoken' })

  test('counts for what everyone present has agreed to, by name, and not for those who are not there', async () => {
    const client = await open.call('clients.create', { display_name: 'Anna Holm' })
    const base = { client_id: client.id, duration_minutes: 50 }
    const alone = await open.call('sessions.create', { ...base, starts_at: '2027-04-01T15:00:00Z', session_type: 'individual' })
    const couple = { ...base, starts_at: '2027-04-02T15:00:00Z', session_type: 'couple' as const }
    const both = await open.call('sessions.create', { ...couple, participants: [anna, per] })
    const gate = (id: string) => open.call('consents.gate', { session_id: id })

    expect((await gate(alone.id)).missing).toEqual([{ participant: anna, scopes: ['record', 'transcribe', 'draft'] }])
    const consent = await give(client.id, { name: '  anna HOLM ', role: 'client' }, ['record', 'transcribe', 'draft'])
    expect(await gate(alone.id)).toEqual({ granted: ['record', 'transcribe', 'draft'], missing: [] })
    expect(await gate(both.id)).toEqual({
      granted: [],
      missing: [{ participant: per, scopes: ['record', 'transcribe', 'draft'] }],
    })

    await give(client.id, per, ['record'])
    expect(await gate(both.id)).toEqual({ granted: ['record'], missing: [{ participant: per, scopes: ['transcribe', 'draft'] }] })
    expect((await open.call('clients.get', { id: client.id })).consented).toEqual(['record', 'transcribe', 'draft'])

    await open.call('consents.revoke', { id: consent.id })
    expect((await gate(both.id)).granted).toEqual([])
    expect(
      (await open.call('consents.list', { client_id: client.id })).find(({ id }) => id === consent.id)?.revoked_at,
    ).not.toBeNull()
    expect((await open.call('sessions.get', { id: both.id })).consent).toEqual(await gate(both.id))
  })

  test('revoked while recording, the recording stops at once and what was said stays', async () => {
    const { consent, session } = await clientWithSession(open, 'Revoked Midway')
    const format = { codec: 'opus', input_sample_rate: 48_000, channels: 1, bitrate: 28_000, pre_skip: 312 } as const
    const { recording_id } = await open.call('recordings.start', {
      session_id: session.id,
      window_id: 'window-1',
      format,
      device_label: 'Mic',
    })
    expect(open.core.state().recording_id).toBe(recording_id)
    expect((await open.call('sessions.get', { id: session.id })).session).toMatchObject({ status: 'in_progress' })
    await open.call('consents.revoke', { id: consent.id })
    expect(kit.append.status()).toEqual([])
    expect(open.core.state().recording_id).toBeNull()
    expect(await open.call('recordings.get', { session_id: session.id })).toMatchObject({ state: 'interrupted' })
  })
})

describe('search', () => {
  test('finds words also where the year of the session was mistyped, and after it was put right', async () => {
    const { session } = await clientWithSession(open, 'Far Away')
    const content = new TextEncoder().encode('Client: The comet comes back.\nTherapist: When?')
    await open.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content })
    let { version } = (await open.call('sessions.get', { id: session.id })).session
    for (const starts_at of ['2195-04-06T15:00:00Z', '2025-04-06T15:00:00Z']) {
      version = (await open.call('sessions.update', { id: session.id, version, patch: { starts_at } })).version
      expect((await open.call('search.find', { q: 'comet' })).words).toMatchObject([
        { session_id: session.id, starts_at: expect.stringContaining(starts_at.slice(0, 10)) },
      ])
    }
  })
  test('finds words said by their start, newest session first, with the words around them', async () => {
    const { client, session } = await clientWithSession(open, 'Searched Person')
    const later = await open.call('sessions.create', {
      client_id: client.id,
      session_type: 'individual',
      starts_at: '2027-05-02T15:00:00Z',
      duration_minutes: 50,
    })
    const file = (text: string) => ({ file_name: 'a.txt', content: new TextEncoder().encode(text) })
    await open.call('transcripts.import', {
      session_id: later.id,
      ...file('Client: The Übernachtung in Bergen went well.\nTherapist: Good.'),
    })
    await open.call('transcripts.import', {
      session_id: session.id,
      ...file('Client: I dreamt of the ubernachtung again.\nTherapist: "Go" on.'),
    })

    const { words, clients } = await open.call('search.find', { q: 'uberna' })
    expect(words.map((hit) => hit.session_id)).toEqual([later.id, session.id])
    expect(words[0]).toMatchObject({
      client_name: 'Searched Person',
      excerpt: [{ text: 'The ', matched: false }, { text: 'Übernachtung', matched: true }, { matched: false }],
    })
    expect(clients).toEqual([])
    expect((await open.call('search.find', { q: 'search' })).clients.map((found) => found.id)).toEqual([client.id])
    for (const q of ['"go" on', 'go AND', 'NEAR(', '*', "o'brien"]) await open.call('search.find', { q })
    expect((await open.call('search.find', { q: 'ubernachtung bergen' })).words).toHaveLength(1)

    const { version } = (await open.call('sessions.get', { id: session.id })).session
    await open.call('sessions.update', { id: session.id, version, patch: { starts_at: '2027-06-02T15:00:00Z' } })
    expect((await open.call('search.find', { q: 'uberna' })).words.map((hit) => hit.session_id)).toEqual([session.id, later.id])
  })

  test('finds what was corrected and no longer what was wrong', async () => {
    const { session } = await clientWithSession(open, 'Corrected Person')
    const content = new TextEncoder().encode('Client: We went to the zebrafish.')
    const { version, speakers, segments } = await open.call('transcripts.import', {
      session_id: session.id,
      file_name: 'a.txt',
      content,
    })
    const corrected = segments.map((segment) => ({ ...segment, text: 'We went to the quagmire.' }))
    const saved = await open.call('transcripts.save', { session_id: session.id, version, speakers, segments: corrected })
    expect(saved.segments[0]).toMatchObject({ edited: true })
    expect((await open.call('search.find', { q: 'zebrafish' })).words).toEqual([])
    expect((await open.call('search.find', { q: 'quagmire' })).words).toHaveLength(1)
    await expect(open.call('transcripts.save', { session_id: session.id, version, speakers, segments })).rejects.toMatchObject({
      code: 'stale-version',
    })
  })
})

describe('the outbox', () => {
  test('holds every change in order, in words a person can read, and says the service is away', async () => {
    const { client } = await clientWithSession(open, 'Outboxed')
    await open.call('clients.update', { id: client.id, version: 1, patch: { phone: '123' } })
    const items = (await open.call('outbox.list', {})).filter((item) => item.client_name === 'Outboxed')
    // The edit is part of the new client, unless that one was tried already.
    const kinds = items.map((item) => item.kind).filter((kind) => kind !== 'update-client')
    expect(kinds).toEqual(['create-client', 'give-consent', 'create-session'])
    await open.until(async () => !(await open.call('outbox.status', {})).reachable)
    expect(await open.call('outbox.status', {})).toMatchObject({ service: 'embedded', needs_you: 0 })
  })

  test('sends a transcript that was corrected many times once', async () => {
    const { session } = await clientWithSession(open, 'Many Edits')
    const speakers = [{ id: 'c', label: 'Client', role: 'client' as const }]
    const segment = { id: 'g1', speaker_id: 'c', start_ms: null, end_ms: null, text: 'a', confidence: null }
    let version: number | null = null
    for (const text of ['a', 'ab', 'abc'])
      ({ version } = await open.call('transcripts.save', {
        session_id: session.id,
        version,
        speakers,
        segments: [{ ...segment, text }],
      }))
    const items = (await open.call('outbox.list', {})).filter(
      (item) => item.client_name === 'Many Edits' && item.kind === 'put-transcript',
    )
    expect(items).toHaveLength(1)
  })
})

test('what is told about a client is kept, sent to the service, and there after a restart', async () => {
  const kit = coreKit()
  const opened = await kit.open()
  await createProfile(opened)
  const client = await opened.call('clients.create', { display_name: 'Ada Brook' })
  const patch = {
    diagnoses: [{ code: 'F43.22', description: 'Adjustment disorder' }],
    goals: ['Sleep through the night'],
    vocabulary: ['Quetzalina', 'Brno'],
  }
  await opened.call('clients.update', { id: client.id, version: client.version, patch })
  await opened.settled()
  expect((await opened.call('outbox.status', {})).needs_you).toBe(0)
  await opened.core.close()
  const again = await kit.open()
  expect((await again.call('clients.get', { id: client.id })).client).toMatchObject(patch)
  await again.core.close()
  kit.remove()
})
