import { expect, onTestFinished, test } from 'vitest'
import { startScriptedSpeech, type Step } from '#test/support/speech-server-scripted.ts'
import type { CorePorts } from '#core/app/open-core.ts'
import { consentCases } from '#test/support/consent-cases.ts'
import { clientWithSession, type CoreKit, coreKit, createProfile, dialogue, type OpenCore } from './core-kit.ts'
import { format, recordOf } from './recordings/recording-kit.ts'

const heard: Step = {
  status: 200,
  body: JSON.stringify({ text: 'I could not sleep.', segments: [{ start: 0, end: 2, text: ' I could not sleep.' }] }),
}

async function setUp(steps: readonly Step[] = [heard], overrides: (kit: CoreKit) => Partial<CorePorts> = () => ({})) {
  const speech = await startScriptedSpeech(steps)
  const kit = coreKit()
  const open = await kit.open(overrides(kit))
  onTestFinished(async () => {
    await open.core.close()
    await speech.close()
    kit.remove()
  })
  await createProfile(open)
  return { kit, speech, open }
}

async function record(kit: ReturnType<typeof coreKit>, open: OpenCore, session_id: string): Promise<void> {
  const { recording_id } = await open.call('recordings.start', { session_id, window_id: 'window-1', format, device_label: 'Mic' })
  for (let sequence = 0; sequence < 10; sequence += 1) kit.append.append({ recording_id, ...recordOf(sequence) })
  await open.call('recordings.finish', { recording_id })
}

const give = (
  open: OpenCore,
  client_id: string,
  name: string,
  scopes: readonly ('record' | 'transcribe' | 'draft' | 'analyze')[],
) =>
  open.call('consents.give', {
    client_id,
    participant: { name, role: 'client' },
    scopes: [...scopes],
    text_version: '1',
    method: 'spoken',
  })

const everything = ['record', 'transcribe', 'draft'] as const

test('a no counts for everything agreed to before it, an older form included, and a later yes counts again', async () => {
  const { open } = await setUp()
  const { client, session, consent } = await clientWithSession(open, 'Twice Asked')
  const renewed = await give(open, client.id, 'Twice  asked', everything)
  await open.call('consents.revoke', { id: renewed.id })
  const gate = () => open.call('consents.gate', { session_id: session.id })
  expect((await gate()).granted).toEqual([])
  expect((await open.call('sessions.get', { id: session.id })).consent.granted).toEqual([])
  expect((await open.call('clients.get', { id: client.id })).consented).toEqual([])
  const kept = (await open.call('consents.list', { client_id: client.id })).find(({ id }) => id === consent.id)
  expect(kept?.revoked_at).not.toBeNull()
  await give(open, client.id, 'Twice Asked', everything)
  expect((await gate()).granted).toEqual(everything)
})

test('a no to one thing leaves what was agreed to apart from it', async () => {
  const { open } = await setUp()
  const { client, session } = await clientWithSession(open, 'Apart')
  const analysis = await give(open, client.id, 'Apart', ['analyze'])
  await open.call('consents.revoke', { id: analysis.id })
  expect((await open.call('consents.gate', { session_id: session.id })).granted).toEqual(everything)
})

test('a withdrawal takes back a transcript that is being made, and the service is told to stop', async () => {
  const { kit, speech, open } = await setUp(['hang', heard])
  await open.call('settings.update', { speech_address: speech.address })
  const { client, session, consent } = await clientWithSession(open, 'Stopped Midway')
  await record(kit, open, session.id)
  await speech.arrived(1)
  const get = () => open.call('transcripts.get', { session_id: session.id })
  await open.until(async () => (await get()).work.state === 'running')
  await open.call('consents.revoke', { id: consent.id })
  expect((await get()).work).toMatchObject({ state: 'failed', error: 'consent-missing' })
  expect(await open.call('outbox.list', {})).not.toContainEqual(expect.objectContaining({ kind: 'transcribe' }))
  speech.letGo(heard as Exclude<Step, 'hang'>)
  await open.settled()
  expect(await get()).toMatchObject({ transcript: null, work: { error: 'consent-missing' } })

  await give(open, client.id, 'Stopped Midway', everything)
  await open.call('transcripts.request', { session_id: session.id })
  await open.settled()
  expect((await get()).transcript).not.toBeNull()
})

test('a withdrawal stands although the service said meanwhile that it is still at work', async () => {
  let beforeAnswer: (() => Promise<unknown>) | null = null
  const { kit, speech, open } = await setUp(['hang'], ({ ports }) => ({
    async openService(asked) {
      const service = await ports.openService(asked)
      const fetch: typeof service.fetch = async (request) => {
        const answer = await service.fetch(request)
        const isPoll = request.method === 'GET' && new URL(request.url).pathname.includes('/operations/')
        const happens = isPoll ? beforeAnswer : null
        if (happens !== null) beforeAnswer = null
        await happens?.()
        return answer
      }
      return { ...service, fetch }
    },
  }))
  await open.call('settings.update', { speech_address: speech.address })
  const { client, session, consent } = await clientWithSession(open, 'Answered Late')
  await record(kit, open, session.id)
  await speech.arrived(1)
  let isRevoked = false
  beforeAnswer = async () => {
    await open.call('consents.revoke', { id: consent.id })
    isRevoked = true
  }
  await open.until(() => isRevoked)
  await open.settled()
  const { work } = await open.call('transcripts.get', { session_id: session.id })
  expect(work).toMatchObject({ state: 'failed', error: 'consent-missing' })
  expect((await open.call('clients.get', { id: client.id })).consented).toEqual([])
})

test('a withdrawal takes back a draft that waits, and leaves one from the session’s own fields alone', async () => {
  const { open } = await setUp()
  const { client, session, consent } = await clientWithSession(open, 'Draft Waiting')
  const other = await open.call('sessions.create', {
    client_id: client.id,
    session_type: 'individual',
    starts_at: '2025-03-04T10:00:00Z',
    duration_minutes: 50,
    presenting_concerns: ['Trouble sleeping since the move'],
  })
  await open.settled()
  const content = new TextEncoder().encode(dialogue)
  // Asked for and taken back before the loop has its turn.
  const calls = [
    open.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content }),
    open.call('notes.draft', { session_id: session.id, template: 'soap' }),
    open.call('notes.draft', { session_id: other.id, template: 'soap' }),
    open.call('consents.revoke', { id: consent.id }),
  ]
  await Promise.all(calls)
  await open.settled()
  expect(await open.call('notes.get', { session_id: session.id })).toMatchObject({
    note: null,
    work: { state: 'failed', error: 'consent-missing' },
  })
  expect((await open.call('notes.get', { session_id: other.id })).note).not.toBeNull()
})

test.each(consentCases)('$promise', async ({ client: name, present, forms, isAgreed }) => {
  const { open } = await setUp()
  const client = await open.call('clients.create', { display_name: name })
  for (const { participant, isRevoked } of forms) {
    const scopes = ['record', 'transcribe', 'draft'] as const
    const draft = { client_id: client.id, participant, scopes: [...scopes], text_version: '1', method: 'spoken' as const }
    const form = await open.call('consents.give', draft)
    if (isRevoked === true) await open.call('consents.revoke', { id: form.id })
  }
  const times = { session_type: 'family' as const, starts_at: '2024-03-04T09:00:00.000Z', duration_minutes: 50 }
  const session = await open.call('sessions.create', { client_id: client.id, ...times, participants: [...present] })
  expect((await open.call('consents.gate', { session_id: session.id })).granted.includes('draft')).toBe(isAgreed)
})
