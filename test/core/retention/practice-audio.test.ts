import { expect, test } from 'vitest'
import type { CorePorts } from '#core/app/open-core.ts'
import { textAskingToKeep } from '#domain/consent.ts'
import { noService } from '#test/core/core-kit.ts'
import { practiceOverHttp } from '#test/core/pull/pull-kit.ts'
import { afterAnotherDeletion, importWords, isErased, planOf, setUp, stateOf } from './opened-kit.ts'
import { record, reviewed, sessionAsked, sign } from './signing-kit.ts'

test('with a practice’s service, consent that another laptop recorded is read before anything is deleted', async () => {
  const practice = await practiceOverHttp()
  const [a, b] = [await laptopOf(practice), await laptopOf(practice)]
  const { client, session } = await sessionAsked(a.open, 'Agreed Elsewhere')
  await record(a.kit, a.open, session.id)
  await importWords(a.open, session.id)
  await a.open.settled()
  await b.open.until(async () => (await b.open.call('consents.list', { client_id: client.id })).length === 1)
  const { id, version } = await reviewed(a.open, session.id)
  await a.open.settled()
  a.setOnline(false)
  await a.open.call('notes.sign', { id, version, deletes_audio: true })
  expect(await planOf(a.open, session.id)).toEqual({ outcome: 'deleted-after-signing', because: 'sync' })
  const participant = { name: client.display_name, role: 'client' as const }
  const about = { client_id: client.id, participant, text_version: textAskingToKeep, method: 'spoken' as const }
  await b.open.call('consents.give', { ...about, scopes: ['retain'] })
  await b.open.settled()
  a.setOnline(true)
  await a.open.call('outbox.retry', {})
  await a.open.until(async () => (await planOf(a.open, session.id))?.because === 'agreed')
  await a.open.settled()
  expect(await stateOf(a.open, session.id)).toBe('finished')
})

test('with a practice’s service, signing deletes the audio once the signature is there', async () => {
  const practice = await practiceOverHttp()
  const { kit, open } = await laptopOf(practice)
  const { session } = await sessionAsked(open, 'Synced')
  await record(kit, open, session.id)
  await importWords(open, session.id)
  await sign(open, session.id)
  await open.until(() => isErased(open, session.id))
  expect((await open.call('recordings.retention', { session_id: session.id })).receipt?.reason).toBe('signed')
})

test('a signature that comes from another laptop deletes nothing here', async () => {
  const practice = await practiceOverHttp()
  const [a, b] = [await laptopOf(practice), await laptopOf(practice)]
  const { session } = await sessionAsked(a.open, 'Signed Elsewhere')
  await record(a.kit, a.open, session.id)
  await importWords(a.open, session.id)
  await a.open.settled()
  await b.open.until(async () => (await b.open.call('sessions.list', {})).some((row) => row.session.id === session.id))
  await b.open.until(async () => (await b.open.call('transcripts.get', { session_id: session.id })).transcript !== null)
  await sign(b.open, session.id)
  await a.open.until(async () => (await a.open.call('notes.get', { session_id: session.id })).note?.signature != null)
  await afterAnotherDeletion(a.kit, a.open)
  expect(await planOf(a.open, session.id)).toEqual({ outcome: 'kept', because: 'your-decision' })
  expect(await stateOf(a.open, session.id)).toBe('finished')
})

async function laptopOf(practice: Awaited<ReturnType<typeof practiceOverHttp>>, ports: Partial<CorePorts> = {}) {
  let isOnline = true
  const network = ((request: Request) =>
    isOnline ? fetch(request) : Promise.reject(new TypeError('no network'))) as typeof globalThis.fetch
  const { kit, open } = await setUp({ openService: noService, fetch: network, ...ports })
  await open.call('settings.update', { service_address: practice.address })
  await open.call('settings.setKey', { which: 'service', key: practice.ownerKey })
  const setOnline = (is: boolean): void => {
    isOnline = is
    if (!is) practice.cut()
  }
  return { kit, open, setOnline }
}

test('without a feed of changes, audio stays until the lists have been read after signing', async () => {
  const practice = await practiceOverHttp()
  practice.between = async (request) => {
    if (!new URL(request.url).pathname.match(/^\/v1\/?$/)) return null
    const document = (await (await practice.fetch(request)).json()) as { capabilities: string[] }
    return Response.json({ ...document, capabilities: document.capabilities.filter((name) => name !== 'events') })
  }
  let late = 0
  const clock = { now: () => Date.now() + late, elapsed: () => performance.now() }
  const { kit, open } = await laptopOf(practice, { clock, wait: soon })
  const { client, session } = await sessionAsked(open, 'Agreed Elsewhere')
  await record(kit, open, session.id)
  await importWords(open, session.id)
  const { id, version } = await reviewed(open, session.id)
  await open.settled()
  const isListed = (): boolean => practice.asked.some((call) => call.startsWith('GET /v1/consents'))
  await open.until(isListed)
  const body = { participant: { name: client.display_name, role: 'client' as const }, scopes: ['retain' as const] }
  const form = { ...body, text_version: textAskingToKeep, language: 'en', method: 'spoken' as const, witness: null }
  await practice.client.call('giveConsent', { body: { ...form, client_id: client.id, given_at: new Date().toISOString() } })
  practice.asked.length = 0
  await open.call('notes.sign', { id, version, deletes_audio: true })
  await open.settled()
  expect(await planOf(open, session.id)).toEqual({ outcome: 'deleted-after-signing', because: 'sync' })
  late = 10 * 60_000
  await open.until(isListed)
  await open.until(async () => (await planOf(open, session.id))?.because === 'agreed')
  expect(await stateOf(open, session.id)).toBe('finished')
})

/** As in time, with hardly any between. */
const soon: NonNullable<CorePorts['wait']> = (ms, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = ms === null ? undefined : setTimeout(resolve, Math.min(ms, 20))
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
