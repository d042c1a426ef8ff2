import { afterEach, expect, test } from 'vitest'
import type { ConsentScope } from '#contract/model/consent.ts'
import { analyse } from '#engines/analysis/analyse.ts'
import type { ServiceOptions } from '#service/compose/open-service.ts'
import { aClient, anId, aSession, openKit } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'

let kit: ServiceKit
afterEach(() => kit.close())

async function open(options: Partial<ServiceOptions> = {}) {
  kit = await openKit({ consentPolicy: 'enforced', ...options })
  return aClient(kit.client)
}

async function agreed(client_id: string, scopes: ConsentScope[] = ['analyze']): Promise<string> {
  const { data } = await kit.client.call('giveConsent', {
    body: {
      client_id,
      participant: { name: 'Ana Lopez', role: 'client' },
      scopes,
      text_version: '1',
      method: 'spoken',
      given_at: new Date().toISOString(),
    },
  })
  return data.id
}

/** What was said: `T:` the therapist, else the client. */
async function transcribed(session_id: string, lines: readonly string[]): Promise<string> {
  const id = anId()
  await kit.client.call('putTranscript', {
    params: { id },
    body: {
      session_id,
      language: 'en',
      duration_ms: lines.length * 5_000,
      speakers: [
        { id: 't', label: 'Therapist', role: 'therapist' },
        { id: 'c', label: 'Ana', role: 'client' },
      ],
      segments: lines.map((line, index) => ({
        id: `s${index}`,
        speaker_id: line.startsWith('T:') ? 't' : 'c',
        start_ms: index * 5_000,
        end_ms: index * 5_000 + 4_000,
        text: line.replace(/^T: /, ''),
        confidence: null,
        edited: false,
      })),
      engine: { name: 'test', version: '1', model: null },
    },
  })
  return id
}

const first = ['T: How is the sleep?', 'I sleep four hours a night.', 'T: Four hours of sleep.', 'Yes, my sleep is bad.']
const second = ['T: And the sleep now?', 'I sleep six hours a night.', 'T: Six hours of sleep.', 'Sometimes I sleep until six.']

const analyzed = (body: Parameters<typeof kit.client.call<'analyze'>>[1]['body'], idempotencyKey?: string) =>
  kit.client.call('analyze', { body, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) })
const codeOf = (call: Promise<{ status: number }>) =>
  call.then(
    ({ status }) => status,
    (error: { code: string }) => error.code,
  )

test('an analysis is a record of its session and client, and can be read again', async () => {
  const { id } = await open()
  await agreed(id)
  const session = await aSession(kit.client, id)
  const transcript_id = await transcribed(session.id, first)
  const { status, data } = await analyzed({ transcript_id })
  expect([status, data]).toEqual([200, expect.objectContaining({ session_id: session.id, client_id: id, version: 1 })])
  if (!('topics' in data)) throw new Error('an operation, not an analysis')
  expect(data.topics.map(({ name }) => name)).toContain('Sleep')
  expect((await kit.client.call('getAnalysis', { params: { id: data.id } })).data).toEqual(data)
  expect((await kit.client.call('listAnalyses', { query: { session_id: session.id } })).data.data).toEqual([data])
})

test('the session before is quoted beside this one', async () => {
  const { id } = await open()
  await agreed(id)
  const before = await aSession(kit.client, id)
  await transcribed(before.id, first)
  const session = await aSession(kit.client, id)
  const { data } = await analyzed({ transcript_id: await transcribed(session.id, second) })
  if (!('changes' in data)) throw new Error('an operation, not an analysis')
  expect(data.changes).toMatchObject({ session_id: before.id, starts_at: before.starts_at })
  const [sleep] = data.changes?.items ?? []
  expect([sleep?.before[0]?.quote, sleep?.now[0]?.quote]).toEqual(['I sleep four hours a night', 'I sleep six hours a night'])
})

test('enforced: consent to drafts is no consent to an analysis; without a session there is nobody to have given it', async () => {
  const { id } = await open()
  await agreed(id, ['record', 'transcribe', 'draft'])
  const session = await aSession(kit.client, id)
  const transcript_id = await transcribed(session.id, first)
  expect(await codeOf(analyzed({ transcript_id }))).toBe('consent-missing')
  expect(await codeOf(analyzed({ transcript: 'Ana: I sleep badly.' }))).toBe('consent-missing')
})

test('asserted: plain text is analysed without a session, and what is no words at all is refused', async () => {
  await open({ consentPolicy: 'asserted' })
  const { status, data } = await analyzed({
    transcript: 'Therapist: How do you sleep?\nClient: I sleep four hours.\nClient: I sleep badly.',
  })
  expect([status, data]).toEqual([200, expect.objectContaining({ session_id: null, talk_ratio: null })])
  expect(await codeOf(analyzed({ transcript: '   ' }))).toBe('nothing-said')
})

test('the same call twice is one analysis', async () => {
  const { id } = await open()
  await agreed(id)
  const session = await aSession(kit.client, id)
  const body = { transcript_id: await transcribed(session.id, first) }
  const key = anId()
  const answers = [await analyzed(body, key), await analyzed(body, key)]
  expect(answers[1]?.data).toEqual(answers[0]?.data)
  expect((await kit.client.call('listAnalyses', { query: {} })).data.data).toHaveLength(1)
})

test('asked to answer at once it is an operation, which brings the record', async () => {
  const { id } = await open()
  await agreed(id)
  const session = await aSession(kit.client, id)
  const body = { transcript_id: await transcribed(session.id, first) }
  const { status, data } = await kit.client.call('analyze', { body, preferAsync: true })
  expect([status, data]).toEqual([202, expect.objectContaining({ kind: 'analyze' })])
  await expect
    .poll(async () => (await kit.client.call('getOperation', { params: { id: data.id } })).data, { timeout: 20_000 })
    .toMatchObject({ status: 'succeeded', result: { session_id: session.id } })
})

test('taken back while it is read, nothing of it is kept', async () => {
  const started = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const { id } = await open({
    analyse: async (request) => {
      started.resolve()
      await go.promise
      return analyse(request)
    },
  })
  const consent = await agreed(id)
  const session = await aSession(kit.client, id)
  const answer = codeOf(analyzed({ transcript_id: await transcribed(session.id, first) }))
  await started.promise
  await kit.client.call('revokeConsent', { params: { id: consent }, body: { revoked_at: new Date().toISOString() } })
  go.resolve()
  expect(await answer).toBe('consent-missing')
  expect((await kit.client.call('listAnalyses', { query: {} })).data.data).toEqual([])
})

test('taken back afterwards, what was found is erased', async () => {
  const { id } = await open()
  const consent = await agreed(id)
  const session = await aSession(kit.client, id)
  const { data } = await analyzed({ transcript_id: await transcribed(session.id, first) })
  await kit.client.call('revokeConsent', { params: { id: consent }, body: { revoked_at: new Date().toISOString() } })
  expect(await codeOf(kit.client.call('getAnalysis', { params: { id: data.id } }))).toBe('gone')
})

test('somebody who joins the session without having agreed closes it', async () => {
  const { id } = await open()
  await agreed(id)
  const session = await aSession(kit.client, id)
  const { data } = await analyzed({ transcript_id: await transcribed(session.id, first) })
  const participants = [
    { name: 'Ana Lopez', role: 'client' as const },
    { name: 'Ben Lopez', role: 'partner' as const },
  ]
  await kit.client.call('updateSession', { params: { id: session.id }, body: { participants }, ifMatch: '"1"' })
  expect(await codeOf(kit.client.call('getAnalysis', { params: { id: data.id } }))).toBe('consent-missing')
})

test('what came of long work, and the same call again, say no more than reading the analysis does', async () => {
  const { id } = await open()
  await agreed(id)
  const session = await aSession(kit.client, id)
  const transcript_id = await transcribed(session.id, first)
  const waited = { body: { transcript_id }, idempotencyKey: anId() }
  const atOnce = { ...waited, idempotencyKey: anId(), preferAsync: true }
  await kit.client.call('analyze', waited)
  const operation = { params: { id: (await kit.client.call('analyze', atOnce)).data.id } }
  const state = async () => (await kit.client.call('getOperation', operation)).data.status
  await expect.poll(state, { timeout: 20_000 }).toBe('succeeded')
  const participants = [
    { name: 'Ana Lopez', role: 'client' as const },
    { name: 'Ben Lopez', role: 'partner' as const },
  ]
  await kit.client.call('updateSession', { params: { id: session.id }, body: { participants }, ifMatch: '"1"' })
  const asked = [
    kit.client.call('getOperation', operation),
    kit.client.call('cancelOperation', operation),
    kit.client.call('analyze', waited),
    kit.client.call('analyze', atOnce),
  ]
  expect(await Promise.all(asked.map(codeOf))).toEqual(Array(4).fill('consent-missing'))
})

test('a transcript of one session is not analysed in the name of another', async () => {
  const { id } = await open()
  await agreed(id)
  const [one, other] = [await aSession(kit.client, id), await aSession(kit.client, id)]
  const transcript_id = await transcribed(one.id, first)
  expect(await codeOf(analyzed({ transcript_id, session_id: other.id }))).toBe('validation-failed')
})

test('taken back by somebody who was only in the session before, their words leave this one; the rest stays', async () => {
  const { id } = await open()
  await agreed(id)
  const participants = [
    { name: 'Ana Lopez', role: 'client' as const },
    { name: 'Ben Lopez', role: 'partner' as const },
  ]
  const consent = await kit.client.call('giveConsent', {
    body: {
      client_id: id,
      participant: participants[1]!,
      scopes: ['analyze'],
      text_version: '1',
      method: 'spoken',
      given_at: new Date().toISOString(),
    },
  })
  const before = await aSession(kit.client, id, { participants })
  await transcribed(before.id, first)
  const session = await aSession(kit.client, id)
  const { data } = await analyzed({ transcript_id: await transcribed(session.id, second) })
  expect(JSON.stringify(data)).toContain('four hours')
  await kit.client.call('revokeConsent', { params: { id: consent.data.id }, body: { revoked_at: new Date().toISOString() } })
  const { data: kept } = await kit.client.call('getAnalysis', { params: { id: data.id } })
  expect([kept.changes, kept.version, kept.topics.length > 0]).toEqual([null, 2, true])
  expect(JSON.stringify(kept)).not.toContain('four hours')
  expect(kept.next_questions.filter(({ evidence_of }) => evidence_of === 'session_before')).toEqual([])
  const { data: listed } = await kit.client.call('listAnalyses', { query: { session_id: session.id } })
  expect(listed.data).toEqual([kept])
})

test('somebody who joins the session before without having agreed closes what is quoted of it', async () => {
  const { id } = await open()
  await agreed(id)
  const before = await aSession(kit.client, id)
  await transcribed(before.id, first)
  const session = await aSession(kit.client, id)
  const { data } = await analyzed({ transcript_id: await transcribed(session.id, second) })
  const participants = [
    { name: 'Ana Lopez', role: 'client' as const },
    { name: 'Ben Lopez', role: 'partner' as const },
  ]
  await kit.client.call('updateSession', { params: { id: before.id }, body: { participants }, ifMatch: '"1"' })
  const { data: shown } = await kit.client.call('getAnalysis', { params: { id: data.id } })
  expect(JSON.stringify(shown)).not.toContain('four hours')
  const { data: listed } = await kit.client.call('listAnalyses', { query: { session_id: session.id } })
  expect(listed.data.map(({ changes }) => changes)).toEqual([null])
})

test('more than about twelve hours of speech is refused before anything is read, as it is for a draft', async () => {
  const { id: client_id } = await open({ consentPolicy: 'asserted' })
  const session_id = (await aSession(kit.client, client_id)).id
  const line = 'word '.repeat(3_000)
  const transcript_id = await transcribed(session_id, Array<string>(41).fill(line))
  const said = [{ transcript: line.repeat(41) }, { transcript_id }]
  for (const what of said) {
    const asked = { session_id, client_id, ...what }
    for (const [path, body] of [
      ['/v1/ai/analyze', asked],
      ['/v1/ai/generate-note', { ...asked, template: 'soap' }],
    ] as const) {
      const response = await kit.fetch('POST', path, body)
      const answer = [response.status, await response.json()]
      if ('transcript_id' in what) {
        const detail = expect.stringContaining('twelve hours') as string
        expect(answer).toMatchObject([413, { code: 'too-large', detail }])
      } else expect(answer).toMatchObject([422, { errors: [{ pointer: '/transcript', code: 'too_big' }] }])
    }
  }
  expect(await kit.ask('select id from operations')).toEqual([])
})
