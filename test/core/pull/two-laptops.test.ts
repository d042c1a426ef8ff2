import { expect, onTestFinished, test } from 'vitest'
import { clientWithSession, coreKit, createProfile, dialogue, noService, type OpenCore } from '../core-kit.ts'
import { type Practice, practiceOverHttp } from './pull-kit.ts'

/** A laptop of the practice: a core of its own, and the network where it is not taken away. */
async function laptopOf(practice: Practice) {
  let isOnline = true
  const kit = coreKit()
  const network = ((request: Request) =>
    isOnline ? fetch(request) : Promise.reject(new TypeError('no network'))) as typeof globalThis.fetch
  const open = await kit.open({ openService: noService, fetch: network })
  await createProfile(open)
  await open.call('settings.update', { service_address: practice.address })
  await open.call('settings.setKey', { which: 'service', key: practice.ownerKey })
  onTestFinished(async () => {
    await open.core.close()
    kit.remove()
  })
  return {
    open,
    kit,
    online(is: boolean): void {
      isOnline = is
      if (!is) practice.cut()
    },
  }
}

const emailOf = async (open: OpenCore, id: string): Promise<string | null | undefined> =>
  open.call('clients.get', { id }).then(
    ({ client }) => client.email,
    () => undefined,
  )

test('what is done on one laptop is on the other: a client, an edit, a session, a consent and its revocation', async () => {
  const practice = await practiceOverHttp()
  const a = await laptopOf(practice)
  const b = await laptopOf(practice)
  const { client, session, consent } = await clientWithSession(a.open, 'Marisol Vega')
  await b.open.until(async () => (await emailOf(b.open, client.id)) === null)
  await b.open.until(async () => (await b.open.call('sessions.list', {})).some((row) => row.session.id === session.id))
  await b.open.until(async () => (await b.open.call('consents.list', { client_id: client.id })).length === 1)

  await b.open.call('clients.update', { id: client.id, version: 1, patch: { email: 'marisol@client.example' } })
  await a.open.until(async () => (await emailOf(a.open, client.id)) === 'marisol@client.example')

  await b.open.call('consents.revoke', { id: consent.id })
  await a.open.until(async () => {
    const [kept] = await a.open.call('consents.list', { client_id: client.id })
    return kept!.revoked_at !== null
  })
})

test('a laptop that was away brings its own edits and gets those of the others; both stay where they are of two fields', async () => {
  const practice = await practiceOverHttp()
  const a = await laptopOf(practice)
  const b = await laptopOf(practice)
  const { client } = await clientWithSession(a.open, 'Bo Lindqvist')
  await b.open.until(async () => (await emailOf(b.open, client.id)) === null)

  b.online(false)
  await b.open.call('clients.update', { id: client.id, version: 1, patch: { phone: '5550111' } })
  await a.open.call('clients.update', { id: client.id, version: 1, patch: { email: 'bo@client.example' } })
  await a.open.settled()
  b.online(true)
  for (const { open } of [a, b]) {
    await open.until(async () => {
      const { client: kept } = await open.call('clients.get', { id: client.id })
      return kept.email === 'bo@client.example' && kept.phone === '5550111'
    })
  }
})

test('the words, the draft and what was found in them come to the other laptop, and go from it with the consent', async () => {
  const practice = await practiceOverHttp()
  const a = await laptopOf(practice)
  const b = await laptopOf(practice)
  const { client, session } = await clientWithSession(a.open, 'Marisol Vega')
  const analyze = await a.open.call('consents.give', {
    client_id: client.id,
    participant: { name: 'Marisol Vega', role: 'client' },
    scopes: ['record', 'transcribe', 'draft', 'analyze'],
    text_version: '1',
    method: 'spoken',
  })
  const about = { session_id: session.id }
  const content = new TextEncoder().encode(dialogue)
  await a.open.call('transcripts.import', { ...about, file_name: 'a.txt', content })
  await a.open.call('notes.draft', { ...about, template: 'soap' })
  await a.open.call('insights.request', about)
  await a.open.settled()
  await b.open.until(async () => {
    const { analysis } = await b.open.call('insights.get', about).catch(() => ({ analysis: null }))
    return analysis !== null
  })
  const [ofA, ofB] = await Promise.all([a.open, b.open].map((open) => open.call('insights.get', about)))
  expect(ofB!.analysis!.summary).toBe(ofA!.analysis!.summary)
  expect(ofB!.is_outdated).toBe(false)
  await b.open.until(async () => (await b.open.call('notes.get', about)).note !== null)

  await a.open.call('consents.revoke', { id: analyze.id })
  await b.open.until(async () => !(await b.open.call('insights.get', about)).is_allowed)
  expect((await b.open.call('insights.get', about)).analysis).toBeNull()
})
