import { describe, expect, test } from 'vitest'
import { createServiceClient, type ServiceClient } from '#client/client.ts'
import type { Timer } from '#client/patience.ts'

const unreachable = expect.objectContaining({ code: 'service-unreachable' })
const id = '0190a0a0-0000-7000-8000-000000000001'
const json = { 'content-type': 'application/json' }

/** Time that stands still until it is moved; what is waited for is written down. */
function heldTime() {
  const bells = new Map<object, { at: number; ring: () => void }>()
  let now = 0
  const timer: Timer = (ms, ring) => {
    const bell = {}
    bells.set(bell, { at: now + ms, ring })
    return () => void bells.delete(bell)
  }
  return {
    timer,
    waiting: () => [...bells.values()].map(({ at }) => at - now),
    pass(ms: number) {
      now += ms
      for (const [bell, { at, ring }] of bells) {
        if (at > now) continue
        bells.delete(bell)
        ring()
      }
    },
  }
}

function clientOf(
  fetch: (request: Request) => Promise<Response>,
  more: { timer?: Timer; base_url?: string } = {},
): ServiceClient {
  return createServiceClient({ base_url: 'https://practice.example/v1', token: 'aw_live_x', fetch, ...more })
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('no call is waited for without end', () => {
  test('one that nobody answers ends in its time, also where whatever asks heeds no signal', async () => {
    const time = heldTime()
    const asked: Request[] = []
    const client = clientOf((request) => new Promise(() => void asked.push(request)), time)
    const call = client.call('listClients', {}).catch((error: unknown) => error)
    await turn()
    expect(time.waiting()).toEqual([30_000])
    time.pass(30_000)
    expect(await call).toEqual(unreachable)
    expect(asked[0]!.signal.aborted).toBe(true)
    expect(time.waiting()).toEqual([])
  })

  test('what carries much has longer, and so has what the service may take a minute for', async () => {
    const time = heldTime()
    const client = clientOf(() => new Promise(() => {}), time)
    const upTo = (longest: number): void => expect(time.waiting().at(-1)).toBe(longest)
    void client.call('createClient', { body: { display_name: 'x'.repeat(200) } }).catch(() => {})
    expect(time.waiting().at(-1)).toBeGreaterThan(30_050)
    const body = { session_id: id, client_id: id, transcript_id: id, template: 'soap' } as const
    void client.call('generateNote', { body }).catch(() => {})
    expect(time.waiting().at(-1)).toBeGreaterThan(90_000)
    void client.call('getOperation', { params: { id } }).catch(() => {})
    upTo(30_000)
    time.pass(1_000_000)
  })

  test.each([
    ['that stops in the middle', [20_000]],
    ['that trickles for ever', Array.from({ length: 20 }, () => 15_000)],
  ])('an answer %s ends in its time', async (_, pauses) => {
    const time = heldTime()
    const line = new TransformStream<Uint8Array, Uint8Array>()
    const writer = line.writable.getWriter()
    writer.closed.catch(() => {})
    const client = clientOf(async () => new Response(line.readable, { headers: json }), time)
    const call = client.call('listClients', {}).catch((error: unknown) => error)
    for (const ms of pauses) {
      writer.write(Buffer.from(' ')).catch(() => {})
      await turn()
      time.pass(ms)
    }
    expect(await call).toEqual(unreachable)
    expect(time.waiting()).toEqual([])
  })

  test('events are followed for as long as something comes, be it a heartbeat', async () => {
    const time = heldTime()
    const feed = new TransformStream<Uint8Array, Uint8Array>()
    const writer = feed.writable.getWriter()
    const client = clientOf(async () => new Response(feed.readable, { headers: { 'content-type': 'text/event-stream' } }), time)
    const response = await client.ask('listChanges', {}, 'text/event-stream')
    const reader = response.body!.getReader()
    for (let beat = 0; beat < 100; beat += 1) {
      const read = reader.read()
      await turn()
      time.pass(44_000)
      await writer.write(Buffer.from(':\n\n'))
      expect((await read).done).toBe(false)
    }
    const read = reader.read().catch((error: unknown) => error)
    await turn()
    time.pass(45_000)
    expect(await read).toEqual(unreachable)
  })

  test('who gave a call up hears of that, also in the middle of its answer', async () => {
    const control = new AbortController()
    const body = new ReadableStream({ pull: () => new Promise<void>(() => {}) })
    const client = clientOf(async () => new Response(body, { headers: json }), heldTime())
    const call = client.call('listClients', { signal: control.signal }).catch((error: unknown) => error)
    await turn()
    control.abort(new Error('stopped'))
    expect(await call).toEqual(new Error('stopped'))
  })
})

describe('only the service is believed', () => {
  const page = '<!doctype html><title>Welcome to our WiFi</title>'
  const html = { 'content-type': 'text/html; charset=utf-8' }
  test.each([200, 201, 204, 400, 401, 403, 404, 409, 410, 412, 423, 511])(
    'a page for people is no answer: %d',
    async (status) => {
      const client = clientOf(async () => new Response(status === 204 ? null : page, { status, headers: html }))
      await expect(client.call('listClients', {})).rejects.toEqual(unreachable)
      await expect(client.call('getOperation', { params: { id } })).rejects.toEqual(unreachable)
      await expect(client.ask('listClients', {})).rejects.toEqual(unreachable)
    },
  )

  test.each([301, 302, 303, 307, 308])('nobody is followed elsewhere: %d', async (status) => {
    const asked: Request[] = []
    const client = clientOf(async (request) => {
      asked.push(request)
      return new Response(null, { status, headers: { location: 'http://login.example/' } })
    })
    await expect(client.call('listClients', {})).rejects.toEqual(unreachable)
    expect(asked.map(({ redirect }) => redirect)).toEqual(['error'])
  })

  test('a refusal whose end is missing does not pass for another one', async () => {
    const problem = JSON.stringify({ code: 'already-exists', detail: 'A record with this id is already there.', status: 409 })
    const headers = { 'content-type': 'application/problem+json' }
    for (const text of [problem.slice(0, -4), '']) {
      const client = clientOf(async () => new Response(text, { status: 409, headers }))
      await expect(client.call('createClient', { body: { display_name: 'Ana' } })).rejects.toEqual(unreachable)
    }
    const cut = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) })
    const client = clientOf(async () => new Response(cut, { status: 409, headers }))
    await expect(client.call('createClient', { body: { display_name: 'Ana' } })).rejects.toEqual(unreachable)
  })

  test('that long work is gone is taken from the service alone, not from what stands in front of it', async () => {
    for (const status of [404, 410]) {
      const client = clientOf(
        async () => new Response('404 page not found', { status, headers: { 'content-type': 'text/plain' } }),
      )
      await expect(client.call('getOperation', { params: { id } })).rejects.toEqual(unreachable)
      const own = clientOf(async () => Response.json({ code: 'gone', detail: '', status }, { status }))
      await expect(own.call('getOperation', { params: { id } })).rejects.toEqual(expect.objectContaining({ code: 'gone' }))
    }
  })

  test('that a record is gone is taken from the service alone as well', async () => {
    const gone = async (body: string, type: string): Promise<unknown> => {
      const client = clientOf(async () => new Response(body, { status: 410, headers: { 'content-type': type } }))
      return client.call('getClient', { params: { id } }).catch((error: unknown) => error)
    }
    expect(await gone('Gone', 'text/plain')).toEqual(unreachable)
    expect(await gone('{"message":"no route"}', 'application/json')).toEqual(unreachable)
    const own = JSON.stringify({ code: 'gone', detail: '', status: 410 })
    expect(await gone(own, 'application/problem+json')).toEqual(expect.objectContaining({ code: 'gone' }))
  })

  test('a gateway’s word on a request that is too large is taken from its page', async () => {
    const client = clientOf(async () => new Response(page, { status: 413, headers: html }))
    await expect(client.call('listClients', {})).rejects.toEqual(expect.objectContaining({ code: 'too-large' }))
  })

  test('an answer without end is not read to the end', async () => {
    const million = Buffer.alloc(1_000_000, ' ')
    const body = new ReadableStream({ pull: (controller) => controller.enqueue(million) })
    const client = clientOf(async () => new Response(body, { headers: json }))
    await expect(client.call('listClients', {})).rejects.toEqual(unreachable)
  })
})

describe('keys and records go over encrypted lines alone', () => {
  test.each(['http://practice.example/v1', 'http://192.168.1.20:8080/v1', 'http://127.0.0.1.example/v1', 'http://10.0.0.1/v1'])(
    'nothing is sent to %s',
    async (base_url) => {
      const asked: Request[] = []
      const client = clientOf(async (request) => (asked.push(request), Response.json({})), { base_url })
      await expect(client.call('listClients', {})).rejects.toEqual(unreachable)
      await expect(client.ask('listClients', {})).rejects.toEqual(unreachable)
      const source = { id, session_id: id, bytes: 1, sha256: null, read: async function* () {} }
      await expect(client.upload(source, {})).rejects.toEqual(unreachable)
      expect(asked).toEqual([])
    },
  )
  test.each(['http://127.0.0.1:9000/v1', 'http://localhost:9000/v1', 'http://[::1]:9000/v1', 'https://practice.example/v1'])(
    '%s is this machine, or encrypted',
    async (base_url) => {
      const client = clientOf(async () => Response.json({ data: [], next_cursor: null }), { base_url })
      expect((await client.call('listClients', {})).data).toEqual({ data: [], next_cursor: null })
    },
  )
})
