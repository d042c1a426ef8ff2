import { describe, expect, onTestFinished, test } from 'vitest'
import { createServiceClient, type ServiceClient } from '#client/client.ts'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import type { EmbeddedService, ServiceFactory } from '#core/app/open-core.ts'
import { embeddedAddress } from '#core/sync/service-connection.ts'
import { clientWithSession, coreKit, createProfile, dialogue, isBehindHttp, type OpenCore, realService } from './core-kit.ts'
import { looked } from './looked.ts'

type Fault = (call: () => Promise<Response>, request: Request) => Promise<Response>

/** The real service behind a line that can be made to fail; `client` goes past the line. */
async function faulty(fault: Fault) {
  const kit = coreKit()
  const line: { fault: Fault; client: ServiceClient | null; calls: string[] } = { fault, client: null, calls: [] }
  const real = realService(systemClock, silentLog)
  const openService: ServiceFactory = async (options) => {
    const service: EmbeddedService = await real(options)
    line.client = createServiceClient({ base_url: embeddedAddress, fetch: (request) => service.fetch(request) })
    const fetch = (request: Request): Promise<Response> => {
      line.calls.push(`${request.method} ${new URL(request.url).pathname.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '{id}')}`)
      return line.fault(() => service.fetch(request), request)
    }
    return { ...service, fetch }
  }
  // Waits are as long as they are asked for, but a hundred times as fast.
  const wait = (ms: number | null, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const timer = ms === null ? undefined : setTimeout(resolve, ms / 100)
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    })
  const clock = { now: () => Date.now(), elapsed: () => performance.now() * 100 }
  const open = () => kit.open({ openService, wait, clock })
  onTestFinished(() => kit.remove())
  return { open, line }
}

async function wholeJob(open: OpenCore, name: string) {
  const { client, session } = await clientWithSession(open, name)
  await open.call('clients.update', { id: client.id, version: 1, patch: { pronouns: 'she/her' } })
  await open.call('sessions.update', { id: session.id, version: 1, patch: { status: 'completed' } })
  const content = new TextEncoder().encode(dialogue)
  await open.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content })
  await open.call('notes.draft', { session_id: session.id, template: 'soap' })
  await open.until(async () => (await open.call('notes.get', { session_id: session.id })).note !== null)
  const draft = (await open.call('notes.get', { session_id: session.id })).note!
  const checked = await open.call('notes.save', { id: draft.id, version: draft.version, ...looked(draft) })
  await open.call('notes.sign', { id: draft.id, version: checked.version })
  const note = await open.call('notes.addAddendum', { id: draft.id, text: 'Later.', reason: 'Addition' })
  return { client, session, note }
}

function internal(): Response {
  const said = { type: '/problems/internal', title: 'x', status: 500, detail: 'x', code: 'internal', retryable: false }
  const headers = { 'content-type': 'application/problem+json' }
  return Response.json({ ...said, request_id: 'x' }, { status: 500, headers })
}

/** What the service holds, once each. */
async function inService(client: ServiceClient) {
  const list = async (operation: 'listClients' | 'listSessions' | 'listConsents' | 'listTranscripts' | 'listNotes') =>
    (await client.call(operation, {})).data.data
  const [clients, sessions, consents, transcripts, notes] = await Promise.all([
    list('listClients'),
    list('listSessions'),
    list('listConsents'),
    list('listTranscripts'),
    list('listNotes'),
  ])
  return { clients, sessions, consents, transcripts, notes }
}

async function expectAllThereOnce(
  open: OpenCore,
  client: ServiceClient,
  job: Awaited<ReturnType<typeof wholeJob>>,
): Promise<void> {
  await open.settled()
  expect(await open.call('outbox.list', {})).toEqual([])
  const held = await inService(client)
  expect(held.clients).toMatchObject([{ id: job.client.id, pronouns: 'she/her' }])
  expect(held.sessions).toMatchObject([{ id: job.session.id, status: 'completed' }])
  expect(held.consents).toHaveLength(1)
  expect(held.transcripts).toHaveLength(1)
  expect(held.notes).toMatchObject([{ id: job.note.id, signature: job.note.signature, addenda: job.note.addenda }])
}

describe('the service in the end holds everything once', () => {
  test('when every answer is lost the first time, after the work was done', async () => {
    const seen = new Set<string>()
    const { open, line } = await faulty(async (call, request) => {
      const key = `${request.method} ${request.url} ${request.headers.get('idempotency-key')} ${request.headers.get('if-match')}`
      const response = await call()
      if (seen.has(key)) return response
      seen.add(key)
      throw new TypeError('the answer was lost')
    })
    const opened = await open()
    await createProfile(opened)
    const job = await wholeJob(opened, 'Lost Answers')
    await expectAllThereOnce(opened, line.client!, job)
    await opened.core.close()
  })

  // Its clock is a hundred times as fast as an event stream over HTTP.
  test.skipIf(isBehindHttp)('when it answers 500 every other time', async () => {
    let count = 0
    const { open, line } = await faulty(async (call) => {
      count += 1
      return count % 2 === 1 ? internal() : call()
    })
    const opened = await open()
    await createProfile(opened)
    const job = await wholeJob(opened, 'Half Broken')
    await expectAllThereOnce(opened, line.client!, job)
    await opened.core.close()
  })

  test('when it cannot be reached until the app has been closed and opened again', async () => {
    const { open, line } = await faulty(() => Promise.reject(new TypeError('down')))
    let opened = await open()
    await createProfile(opened)
    const { client, session } = await clientWithSession(opened, 'Later On')
    const content = new TextEncoder().encode(dialogue)
    await opened.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content })
    expect(await opened.call('notes.draft', { session_id: session.id, template: 'dap' })).toMatchObject({ state: 'waiting' })
    await opened.until(async () => !(await opened.call('outbox.status', {})).reachable)
    await opened.core.close()

    line.fault = (call) => call()
    opened = await open()
    await opened.settled()
    expect((await opened.call('notes.get', { session_id: session.id })).note).toMatchObject({
      template: 'dap',
      client_id: client.id,
    })
    const held = await inService(line.client!)
    expect([held.clients, held.sessions, held.consents, held.transcripts, held.notes].map((list) => list.length)).toEqual([
      1, 1, 1, 1, 1,
    ])
    await opened.core.close()
  })
})

describe('work', () => {
  test('a draft never replaces what the therapist wrote while it was made', async () => {
    const { open, line } = await faulty((call) => call())
    const opened = await open()
    await createProfile(opened)
    const { session } = await clientWithSession(opened, 'Meanwhile')
    await opened.call('transcripts.import', {
      session_id: session.id,
      file_name: 'a.txt',
      content: new TextEncoder().encode(dialogue),
    })
    await opened.call('notes.draft', { session_id: session.id, template: 'soap' })
    const get = () => opened.call('notes.get', { session_id: session.id })
    await opened.until(async () => (await get()).note !== null)
    await opened.settled()

    const held = Promise.withResolvers<void>()
    line.fault = async (call, request) => {
      if (request.url.includes('/ai/') || request.url.includes('/operations/')) await held.promise
      return call()
    }
    await opened.call('notes.draft', { session_id: session.id, template: 'birp' })
    const { note } = await get()
    const saved = await opened.call('notes.save', { id: note!.id, version: note!.version, ...looked(note!) })
    held.resolve()
    await opened.settled()
    expect(await get()).toMatchObject({ note: saved, work: { state: 'failed', progress: 0, error: 'conflict' } })

    await opened.call('notes.draft', { session_id: session.id, template: 'birp' })
    await opened.settled()
    expect(await get()).toMatchObject({ note: { template: 'birp' }, work: { state: 'idle' } })
    await opened.core.close()
  })

  test('that cannot be asked about any more is given up, and can be asked for again', async () => {
    const { open, line } = await faulty((call, request) =>
      request.url.includes('/operations/') && request.method === 'GET' ? Promise.resolve(internal()) : call(),
    )
    const opened = await open()
    await createProfile(opened)
    const { session } = await clientWithSession(opened, 'Given Up')
    const content = new TextEncoder().encode(dialogue)
    await opened.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content })
    const draft = () => opened.call('notes.draft', { session_id: session.id, template: 'soap' })
    const get = () => opened.call('notes.get', { session_id: session.id })
    await draft()
    await opened.until(async () => (await get()).work.state === 'failed')
    expect(await opened.call('outbox.list', {})).toMatchObject([{ kind: 'draft-note', state: 'needs_you', error: 'internal' }])
    line.fault = (call) => call()
    expect(await draft()).toMatchObject({ state: 'waiting' })
    await opened.until(async () => (await get()).note !== null)
    await opened.core.close()
  })

  test('a draft without a transcript is made from the session’s own fields alone', async () => {
    const { open } = await faulty((call) => call())
    const opened = await open()
    await createProfile(opened)
    const client = await opened.call('clients.create', { display_name: 'No Transcript' })
    const session = await opened.call('sessions.create', {
      client_id: client.id,
      session_type: 'individual',
      starts_at: '2026-03-02T15:00:00Z',
      duration_minutes: 50,
      presenting_concerns: ['Trouble sleeping since the move'],
    })
    await opened.call('notes.draft', { session_id: session.id, template: 'soap' })
    await opened.settled()
    const { note } = await opened.call('notes.get', { session_id: session.id })
    expect(JSON.stringify(note)).toContain('sleeping since the move')
    await opened.core.close()
  })

  test('without consent it says so at once, and goes on by itself where the service refused and consent came after', async () => {
    const { open } = await faulty((call) => call())
    const opened = await open()
    await createProfile(opened)
    const { client, session, consent } = await clientWithSession(opened, 'Consent Later')
    await opened.call('transcripts.import', {
      session_id: session.id,
      file_name: 'a.txt',
      content: new TextEncoder().encode(dialogue),
    })
    await opened.call('consents.revoke', { id: consent.id })
    expect(await opened.call('notes.draft', { session_id: session.id, template: 'soap' })).toEqual({
      state: 'failed',
      progress: 0,
      error: 'consent-missing',
    })
    await opened.settled()
    const participant = { name: 'Consent Later', role: 'client' as const }
    await opened.call('consents.give', {
      client_id: client.id,
      participant,
      scopes: ['draft'],
      text_version: '1',
      method: 'spoken',
    })
    await opened.call('notes.draft', { session_id: session.id, template: 'soap' })
    await opened.settled()
    expect((await opened.call('notes.get', { session_id: session.id })).note).not.toBeNull()
    await opened.core.close()
  })
})

describe('signing', () => {
  test('is refused while something needs a look, and what is signed changes no more', async () => {
    const { open } = await faulty((call) => call())
    const opened = await open()
    await createProfile(opened)
    const { session } = await clientWithSession(opened, 'Signing')
    await opened.call('transcripts.import', {
      session_id: session.id,
      file_name: 'a.txt',
      content: new TextEncoder().encode(dialogue),
    })
    await opened.call('notes.draft', { session_id: session.id, template: 'soap' })
    await opened.settled()
    const draft = (await opened.call('notes.get', { session_id: session.id })).note!
    const row = await opened.call('sessions.get', { id: session.id })
    expect(row.note!.to_check).toBeGreaterThan(0) // thoughts of self-harm were asked about
    await expect(opened.call('notes.sign', { id: draft.id, version: draft.version })).rejects.toEqual(
      new AppError('not-ready-to-sign', 'Some items of the note still need review.'),
    )
    await expect(opened.call('notes.addAddendum', { id: draft.id, text: 'a', reason: 'b' })).rejects.toMatchObject({
      code: 'conflict',
    })

    const checked = await opened.call('notes.save', { id: draft.id, version: draft.version, ...looked(draft) })
    const signed = await opened.call('notes.sign', { id: draft.id, version: checked.version })
    const { sections, omissions } = signed
    await expect(opened.call('notes.save', { id: draft.id, version: signed.version, sections, omissions })).rejects.toMatchObject(
      { code: 'already-signed' },
    )
    await expect(opened.call('notes.sign', { id: draft.id, version: signed.version })).rejects.toMatchObject({
      code: 'already-signed',
    })
    await expect(opened.call('notes.draft', { session_id: session.id, template: 'dap' })).rejects.toMatchObject({
      code: 'already-signed',
    })
    expect((await opened.call('sessions.get', { id: session.id })).note).toMatchObject({ status: 'signed', to_check: 0 })
    await opened.core.close()
  })
})
