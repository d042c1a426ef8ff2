import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import type { ServiceOptions } from '#service/compose/open-service.ts'
import { openService } from '#service/compose/open-service.ts'
import { openKit } from '../service-kit.ts'
import type { ServiceKit } from '../service-kit.ts'
import { storeUnderTest } from '../store-kit.ts'
import { wavOf } from '../sound.ts'
import { overHttp } from '../uploads/upload-kit.ts'
import { take, told } from './sse.ts'

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

const said = { status: 200, body: '{"text":"I slept badly."}' } as const

/** Work that waits for the speech server at its first piece. */
async function working(options: Partial<ServiceOptions> = {}) {
  const speech = await startScriptedSpeech(['hang'])
  opened.push(() => speech.close())
  const settings = { address: speech.address, model: null, key: null, language: null }
  const kit = await openKit({ speech: () => settings, pieceSeconds: 1, ...options })
  opened.push(() => kit.close())
  const headers = kit.ownerKey === null ? {} : { Authorization: `Bearer ${kit.ownerKey}` }
  const body = { audio: { content: wavOf(3), media_type: 'audio/wav' } }
  const response = await kit.fetch('POST', '/v1/transcribe', body, { ...headers, Prefer: 'respond-async' })
  const { id } = (await response.json()) as { id: string }
  await speech.arrived(1)
  return { kit, speech, id, headers }
}

const follow = (kit: ServiceKit, id: string, headers: Record<string, string> = {}) =>
  kit.fetch('GET', `/v1/operations/${id}/events`, undefined, headers)

test('work is told of as it comes on, up to its end, and nothing of what it heard', async () => {
  const { kit, speech, id } = await working()
  const response = await follow(kit, id)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const events = told(response)
  expect(await take(events, 1)).toMatchObject([
    { event: 'progress', data: { id, kind: 'transcribe', status: 'running', progress: 0 } },
  ])
  speech.letGo(said)
  const rest = await take(events, 100)
  expect(rest.at(-1)).toMatchObject({ event: 'end', data: { id, status: 'succeeded', progress: 1 } })
  expect(JSON.stringify(rest)).not.toContain('slept')
  // Come back to, it has nothing more to tell: stay away.
  expect((await follow(kit, id, { 'Last-Event-ID': rest.at(-1)!.id! })).status).toBe(204)
  expect(await take(told(await follow(kit, id, { 'Last-Event-ID': 'running-0' })), 9)).toMatchObject([{ event: 'end' }])
})

test('whoever follows hears the end also where what people may changed meanwhile', async () => {
  const { kit, speech, id, headers } = await working({ caller: 'api-keys', plan: 'enterprise' })
  const events = told(await follow(kit, id, headers))
  await take(events, 1)
  const made = await kit.fetch('POST', '/v1/staff', { name: 'Ada Lind', roles: ['clinician'] }, headers)
  expect(made.status).toBe(201)
  speech.letGo(said)
  expect((await take(events, 100)).at(-1)).toMatchObject({ event: 'end', data: { id, status: 'succeeded' } })
})

test('work that is cancelled says so to whoever follows it', async () => {
  const { kit, id } = await working()
  const events = told(await follow(kit, id))
  await take(events, 1)
  await kit.fetch('DELETE', `/v1/operations/${id}`)
  expect(await take(events, 9)).toMatchObject([{ event: 'end', data: { status: 'cancelled' } }])
})

test('a service that closes ends its streams, and another one goes on with them', async () => {
  const { kit, speech, id } = await working()
  const service = await overHttp((request) => kit.handle(request))
  opened.push(service.close)
  const events = told(await fetch(`http://127.0.0.1:${service.port}/v1/operations/${id}/events`))
  const [first] = await take(events, 1)
  const ending = take(events, 9)
  await kit.reopen()
  expect(await ending).toEqual([])
  speech.letGo(said)
  const again = await take(told(await follow(kit, id, { 'Last-Event-ID': first!.id! })), 100)
  expect(again.at(-1)).toMatchObject({ event: 'end', data: { status: 'succeeded' } })
})

test.skipIf(storeUnderTest === 'sqlite')('work is told of by a process that does not do it', async () => {
  const { kit, speech, id } = await working()
  const other = await openService({
    store: kit.store,
    audio: null,
    speech: () => null,
    clock: systemClock,
    log: silentLog,
    consentPolicy: 'asserted',
    caller: 'embedded',
    models: { folder: join(dirname(kit.file), 'models') },
  })
  opened.push(() => other.close())
  const events = told(await other.fetch(new Request(`http://embedded.invalid/v1/operations/${id}/events`)))
  expect(await take(events, 1)).toMatchObject([{ event: 'progress', data: { status: 'running' } }])
  speech.letGo(said)
  expect((await take(events, 100)).at(-1)).toMatchObject({ event: 'end', data: { status: 'succeeded' } })
})

test('nobody follows what is not theirs', async () => {
  const { kit, speech, id, headers } = await working({ caller: 'api-keys' })
  const body = { name: 'A colleague', roles: ['clinician'], person_id: await kit.employ(['clinician']) }
  const made = (await (await kit.fetch('POST', '/v1/api-keys', body, headers)).json()) as { secret: string }
  expect((await follow(kit, id, { Authorization: `Bearer ${made.secret}` })).status).toBe(404)
  expect((await follow(kit, id)).status).toBe(401)
  speech.letGo(said)
  expect((await take(told(await follow(kit, id, headers)), 100)).at(-1)).toMatchObject({ event: 'end' })
})
