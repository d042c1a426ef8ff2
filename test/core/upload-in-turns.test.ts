import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { createServiceClient } from '#client/client.ts'
import { realTimer } from '#client/patience.ts'
import { silentLog } from '#base/log.ts'
import type { CorePorts } from '#core/app/open-core.ts'
import { openService, type Service } from '#service/compose/open-service.ts'
import { startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import { clientWithSession, coreKit, createProfile, noService, type OpenCore } from './core-kit.ts'
import { format, recordOf } from './recordings/recording-kit.ts'

const service_address = 'https://practice.example/v1'
const heard = {
  task: 'transcribe',
  language: 'english',
  duration: 2,
  text: 'I slept.',
  segments: [{ id: 0, start: 0, end: 2, text: ' I slept.', avg_logprob: -0.2, no_speech_prob: 0.01, compression_ratio: 1 }],
}

/** A laptop of a practice, in a time that passes only where it is waited for, and all that is asked of the service. */
async function laptop(more: Partial<CorePorts> = {}) {
  let ms = 0
  const clock = { now: () => Math.round(Date.now() + ms), elapsed: () => performance.now() + ms }
  const kit = coreKit({ clock })
  const speech = await startScriptedSpeech([{ status: 200, body: JSON.stringify(heard) }])
  const service: Service = await openService({
    store: { kind: 'sqlite', file: join(kit.folder, 'practice.db'), key: randomBytes(32) },
    audio: null,
    speech: () => ({ address: speech.address, model: null, key: null, language: null }),
    clock: systemClock,
    log: silentLog,
    consentPolicy: 'enforced',
    caller: 'api-keys',
    plan: 'enterprise',
  })
  const asked: string[] = []
  const parts: { bytes: number; at: number }[] = []
  /** `drop`, `lose`: the call with which the line goes, before or after it is carried out. */
  const line = {
    isSilent: false,
    isCut: false,
    drop: '',
    lose: '',
    instead: null as { call: string; answer: Response } | null,
    /** Of all that was asked for under a key. */
    keys: [] as string[],
  }
  const fetch = (async (request: Request) => {
    // Taken, and never answered; whoever asks is not even heard.
    if (line.isSilent) return new Promise<Response>(() => {})
    if (line.isCut) throw new TypeError('no network')
    const call = `${request.method} ${new URL(request.url).pathname.split('/')[2]}`
    asked.push(call)
    if (call === 'POST ai') line.keys.push(request.headers.get('idempotency-key')!)
    if (line.drop === call) Object.assign(line, { isCut: true, drop: '' })
    if (line.isCut) throw new TypeError('the line is gone')
    if (line.instead?.call === call) {
      const { answer } = line.instead
      line.instead = null
      return answer
    }
    if (request.method === 'PATCH' && request.url.includes('/uploads/'))
      parts.push({ bytes: (await request.clone().arrayBuffer()).byteLength, at: clock.elapsed() })
    const answer = await service.fetch(request)
    // Carried out, and the line goes with the answer.
    if (line.lose === call) Object.assign(line, { isCut: true, lose: '' })
    if (line.isCut) throw new TypeError('the answer was lost')
    return answer
  }) as typeof globalThis.fetch
  const wait = async (pause: number | null, signal: AbortSignal): Promise<void> => {
    const real = pause === null || pause > 10_000 ? 25 : 2
    if (pause !== null && pause <= 10_000) ms += pause
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, real)
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
    })
  }
  const open = await kit.open({ fetch, openService: noService, wait, ...more })
  await createProfile(open)
  await open.call('settings.update', { service_address })
  await open.call('settings.setKey', { which: 'service', key: service.ownerKey! })
  onTestFinished(async () => {
    await open.core.close()
    await service.close()
    await speech.close()
    kit.remove()
  })
  const inside = createServiceClient({ base_url: service_address, token: service.ownerKey!, fetch: (one) => service.fetch(one) })
  return { kit, open, asked, parts, line, speech, inside }
}

/** Some seconds of sound, recorded through the core and its append service. */
async function record(kit: ReturnType<typeof coreKit>, open: OpenCore, sessionId: string): Promise<string> {
  const what = { session_id: sessionId, window_id: 'window-1', format, device_label: 'Mic' }
  const { recording_id } = await open.call('recordings.start', what)
  for (let sequence = 0; sequence < 80; sequence += 1) kit.append.append({ recording_id, ...recordOf(sequence) })
  await open.call('recordings.finish', { recording_id })
  return recording_id
}

const transcribed = async (open: OpenCore, session_id: string): Promise<boolean> =>
  (await open.call('transcripts.get', { session_id })).transcript !== null

test('sound goes up in turns at the speed that was set; what is done meanwhile does not wait for it, and it arrives whole', async () => {
  const { kit, open, asked, parts } = await laptop()
  await open.call('settings.update', { upload_limit: 16 })
  const { session } = await clientWithSession(open)
  await open.settled()
  const recording_id = await record(kit, open, session.id)
  const shares = new Set<number>()
  let isTold = false
  await open.until(async () => {
    const [item] = await open.call('outbox.list', {})
    if (item?.kind === 'transcribe' && item.progress != null) shares.add(item.progress)
    if (parts.length > 1 && !isTold) {
      isTold = true
      await open.call('clients.create', { display_name: 'Somebody Else' })
    }
    return transcribed(open, session.id)
  })
  const whole = await open.core.media(new Request(`http://x/media/recordings/${recording_id}`))
  const bytes = Buffer.from(await whole.arrayBuffer())
  expect(parts.reduce((sum, part) => sum + part.bytes, 0)).toBe(bytes.length)
  expect(Math.max(...parts.map((part) => part.bytes))).toBeLessThanOrEqual(16 * 1024)
  expect(parts.length).toBeGreaterThan(2)
  // A second's worth is in hand at the beginning; the last part is not waited for.
  const slowest = (bytes.length - 2 * 16_384 - 16_000) / 16
  expect(parts.at(-1)!.at - parts[0]!.at).toBeGreaterThan(slowest)
  const lastPart = asked.lastIndexOf('PATCH uploads')
  expect(asked.lastIndexOf('POST clients')).toBeLessThan(lastPart)
  expect([...shares].some((share) => share > 0 && share < 1)).toBe(true)
})

test('sound waits on a metered network, says so, and everything else goes on; allowed, it goes at once', async () => {
  let isMetered: boolean | null = true
  const { kit, open, asked } = await laptop({ network: { isMetered: async () => isMetered } })
  expect(await open.call('settings.network', {})).toEqual({ metered: true })
  const { session } = await clientWithSession(open)
  await record(kit, open, session.id)
  await open.until(async () => (await open.call('outbox.list', {}))[0]?.error === 'network-metered')
  await open.call('clients.create', { display_name: 'Somebody Else' })
  await open.until(async () => (await open.call('outbox.list', {})).length === 1)
  expect(await open.call('outbox.list', {})).toMatchObject([{ kind: 'transcribe', state: 'waiting', attempts: 0 }])
  expect(asked).not.toContain('PATCH uploads')
  const { work } = await open.call('transcripts.get', { session_id: session.id })
  expect(work).toEqual({ state: 'waiting', progress: 0, error: 'network-metered' })
  await open.call('settings.update', { upload_on_metered: true })
  await open.until(() => transcribed(open, session.id))

  isMetered = null
  await open.call('settings.update', { upload_on_metered: false, network_metered: true })
  const { session: second } = await clientWithSession(open, 'Second Person')
  await record(kit, open, second.id)
  await open.until(async () => (await open.call('outbox.list', {}))[0]?.error === 'network-metered')
  await open.call('settings.update', { network_metered: false })
  await open.until(() => transcribed(open, second.id))
})

test('a service that takes what is sent and never answers is told as one that is not there, and gets all of it when it is', async () => {
  const { kit, open, line } = await laptop({ timer: (ms, ring) => realTimer(ms / 100, ring) })
  const { session } = await clientWithSession(open)
  await open.settled()
  line.isSilent = true
  await record(kit, open, session.id)
  await open.call('clients.create', { display_name: 'Somebody Else' })
  await open.until(async () => !(await open.call('outbox.status', {})).reachable)
  expect((await open.call('outbox.list', {})).every(({ state }) => state !== 'needs_you')).toBe(true)
  line.isSilent = false
  await open.until(() => transcribed(open, session.id))
  await open.settled()
})

test('a recording whose answer was lost is heard once, and its sound sent once, whatever is expected to be said by now', async () => {
  const { kit, open, asked, line, speech, inside } = await laptop()
  const { client, session } = await clientWithSession(open)
  await open.settled()
  line.lose = 'POST ai'
  await record(kit, open, session.id)
  await open.until(async () => line.isCut && (await inside.call('listTranscripts', {})).data.data.length === 1)
  const { version } = (await open.call('clients.get', { id: client.id })).client
  await open.call('clients.update', { id: client.id, version, patch: { vocabulary: ['Quetiapine'] } })
  await open.call('settings.update', { reduce_noise: false })
  const before = { heard: speech.requests.length, sent: asked.filter((call) => call === 'PATCH uploads').length }
  line.isCut = false
  await open.call('outbox.retry', {})
  await open.until(() => transcribed(open, session.id))
  await open.settled()
  expect(await open.call('outbox.list', {})).toEqual([])
  expect({ heard: speech.requests.length, sent: asked.filter((call) => call === 'PATCH uploads').length }).toEqual(before)
  expect((await inside.call('listTranscripts', {})).data.data).toHaveLength(1)
})

test('where the request never arrived and the service has given the sound up since, it is sent and asked for anew', async () => {
  const { kit, open, line, speech } = await laptop()
  const { session } = await clientWithSession(open)
  await open.settled()
  line.drop = 'POST ai'
  await record(kit, open, session.id)
  await open.until(() => line.isCut)
  const gone = { type: '/problems/gone', title: 'Gone', status: 410, code: 'gone', retryable: false, request_id: 'r' }
  line.instead = { call: 'POST ai', answer: Response.json(gone, { status: 410 }) }
  line.isCut = false
  await open.call('outbox.retry', {})
  await open.until(() => transcribed(open, session.id))
  await open.settled()
  expect(await open.call('outbox.list', {})).toEqual([])
  expect(new Set(line.keys).size).toBe(2)
  expect(speech.requests.length).toBeGreaterThan(0)
})
