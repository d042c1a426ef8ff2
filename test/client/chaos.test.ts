import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createServiceClient, type ServiceClient } from '#client/client.ts'
import { realTimer, type Timer } from '#client/patience.ts'
import type { UploadSource } from '#client/upload.ts'
import { type Chaos, chaosProxy, type ChaosProxy } from '#test/support/chaos-proxy.ts'
import { openKit, type ServiceKit } from '#test/service/service-kit.ts'
import { overHttp, sha256, someAudio } from '#test/service/uploads/upload-kit.ts'

const unreachable = expect.objectContaining({ code: 'service-unreachable' })
/** Patience a hundredth as long: what is waited for here is real. */
const hasty: Timer = (ms, ring) => {
  const timer = setTimeout(ring, ms / 100)
  return () => clearTimeout(timer)
}

let kit: ServiceKit
let service: Awaited<ReturnType<typeof overHttp>>
beforeAll(async () => {
  kit = await openKit()
  service = await overHttp((request) => kit.handle(request))
})
afterAll(async () => {
  await service.close()
  await kit.close()
})
const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

/** A service behind a line on which one connection after another meets what is said; the last of it goes on. */
async function behind(...chaos: Chaos[]): Promise<{ client: ServiceClient; line: ChaosProxy }> {
  const line = await chaosProxy(service.port, (connection) => chaos[connection] ?? chaos.at(-1)!)
  opened.push(line.close)
  // Only where nothing else can come: what works must have the time it needs.
  const timer = chaos[0]?.kind === 'half-open' ? hasty : realTimer
  // One request for each connection, so that each meets what it is to meet.
  const asked = (request: Request): Promise<Response> => {
    request.headers.set('Connection', 'close')
    return fetch(request)
  }
  return { line, client: createServiceClient({ base_url: `http://127.0.0.1:${line.port}/v1`, fetch: asked, timer }) }
}

function sourceOf(audio: Buffer): UploadSource {
  return {
    id: crypto.randomUUID(),
    session_id: '',
    bytes: audio.length,
    sha256: sha256(audio),
    read: async function* (start, end) {
      yield audio.subarray(start, end)
    },
  }
}

const named = async (name: string): Promise<number> =>
  (await kit.client.call('listClients', { query: { q: name } })).data.data.length
let people = 0
const somebody = (): string => `Person${(people += 1)}`

describe('on a line that is no good a call ends, and nothing but the service is taken for it', () => {
  test.each<Chaos>([
    { kind: 'half-open' },
    { kind: 'portal', status: 200 },
    { kind: 'portal', status: 204 },
    { kind: 'portal', status: 302 },
    { kind: 'portal', status: 511 },
    { kind: 'hang-up' },
    { kind: 'reset', after: 30, direction: 'up' },
    { kind: 'reset', after: 40, direction: 'down' },
  ])('%j', async (chaos) => {
    const { client } = await behind(chaos)
    await expect(client.call('listClients', {})).rejects.toEqual(unreachable)
    await expect(client.upload(sourceOf(someAudio(5000)), {})).rejects.toEqual(unreachable)
    const display_name = somebody()
    await expect(client.call('createClient', { body: { display_name } })).rejects.toEqual(unreachable)
    expect(await named(display_name)).toBe(chaos.kind === 'reset' && chaos.direction === 'down' ? 1 : 0)
  })

  test('broken off in the last bytes of its answer', async () => {
    const { client, line } = await behind({ kind: 'pass' })
    await client.call('listClients', {})
    const cut = await chaosProxy(line.port, () => ({ kind: 'reset', after: line.seen.down - 5, direction: 'down' }))
    onTestFinished(() => cut.close())
    const cutOff = createServiceClient({ base_url: `http://127.0.0.1:${cut.port}/v1`, fetch })
    await expect(cutOff.call('listClients', {})).rejects.toEqual(unreachable)
    expect(cut.seen.resets).toBe(1)
  })

  test.each<Chaos>([
    { kind: 'late', ms: 40 },
    { kind: 'slow', bytesPerSecond: 200_000 },
  ])('a line that is merely bad carries all of it: %j', async (chaos) => {
    const { client } = await behind(chaos)
    const display_name = somebody()
    await client.call('createClient', { body: { display_name } })
    expect(await named(display_name)).toBe(1)
    const audio = someAudio(60_000)
    expect(await client.upload(sourceOf(audio), {})).toBe(true)
  })
})

describe('what was carried out is carried out once', () => {
  test('an answer that is lost is had again under the same key', async () => {
    const { client } = await behind({ kind: 'answer-lost' }, { kind: 'pass' })
    const display_name = somebody()
    const call = { body: { display_name }, idempotencyKey: crypto.randomUUID() }
    await expect(client.call('createClient', call)).rejects.toEqual(unreachable)
    expect((await client.call('createClient', call)).replayed).toBe(true)
    expect(await named(display_name)).toBe(1)
  })

  test('a request that arrives twice is carried out once', async () => {
    const { client } = await behind({ kind: 'twice' })
    const display_name = somebody()
    await client.call('createClient', { body: { display_name } })
    expect(await named(display_name)).toBe(1)
  })

  test.each<Chaos>([{ kind: 'twice' }, { kind: 'answer-lost' }])('so is every step of an upload: %j', async (chaos) => {
    // Its requests: where it stands, begin, three parts, where it stands, is it whole; any of them may meet it.
    for (let at = 0; at < 7; at += 1) {
      const line: Chaos[] = Array.from({ length: at }, () => ({ kind: 'pass' }))
      const { client } = await behind(...line, chaos, { kind: 'pass' })
      const source = sourceOf(someAudio(300_000))
      const sent = async (): Promise<boolean> => client.upload(source, { mostPart: 128 * 1024 })
      expect(await sent().catch(sent), `at request ${at}`).toBe(true)
    }
  })
})

test('a key is not shown to where a redirect leads', async () => {
  const { client } = await behind({ kind: 'portal', status: 302 })
  await expect(client.call('listClients', {})).rejects.toEqual(unreachable)
  const login = await chaosProxy(9, () => ({ kind: 'half-open' }))
  onTestFinished(() => login.close())
  const elsewhere = createServiceClient({
    base_url: 'https://practice.example/v1',
    token: 'aw_live_x',
    fetch: async () => Response.redirect(`http://127.0.0.1:${login.port}/`, 307),
  })
  await expect(elsewhere.call('listClients', {})).rejects.toEqual(unreachable)
  expect(login.seen.connections).toBe(0)
})
