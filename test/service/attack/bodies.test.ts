import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '#service/kernel/caller.ts'
import { embeddedCaller } from '#service/kernel/caller.ts'
import type { ByteBudget } from '#service/access/byte-budget.ts'
import { openByteBudget } from '#service/access/byte-budget.ts'
import { anId, openKit } from '../service-kit.ts'
import type { ServiceKit } from '../service-kit.ts'

const MiB = 2 ** 20
let kit: ServiceKit
beforeAll(async () => {
  kit = await openKit()
})
afterAll(() => kit.close())

const engine = { name: 'test', version: '1', model: null }
const text = 'word '.repeat(200)
const segmentsOf = (bytes: number, more: object) => {
  const segment = { speaker_id: null, start_ms: null, end_ms: null, text, confidence: null, ...more }
  return Array.from({ length: Math.ceil(bytes / JSON.stringify(segment).length) }, (_, index) => ({
    id: `s${index}`,
    ...segment,
  }))
}
const putTranscript = (segments: readonly object[], headers: Record<string, string> = {}) => {
  const body = JSON.stringify({ session_id: null, language: 'en', duration_ms: null, speakers: [], segments, engine })
  return kit.fetch('PUT', `/v1/transcripts/${anId()}`, 'Content-Encoding' in headers ? gzipSync(body) : body, {
    'Content-Type': 'application/json',
    ...headers,
  })
}
const words = [{ text: 'word', start_ms: 0, end_ms: 1, confidence: null }]

test('a transcript takes 4 MiB, and more only for times of its words', async () => {
  expect((await putTranscript(segmentsOf(3.9 * MiB, {}))).status).toBe(201)
  const plain = await putTranscript(segmentsOf(4.1 * MiB, {}))
  expect([plain.status, await plain.json()]).toMatchObject([
    413,
    { code: 'too-large', detail: 'A body like this may take 4 MiB.' },
  ])
  const packed = await putTranscript(segmentsOf(4.1 * MiB, {}), { 'Content-Encoding': 'gzip' })
  expect(packed.status).toBe(413)
  expect((await putTranscript(segmentsOf(4.1 * MiB, { words }))).status).toBe(201)
  expect((await putTranscript(segmentsOf(17 * MiB, { words }))).status).toBe(413)
})

test.each([
  ['no words', []],
  ['one word', words],
  ['things that are no words', Array.from({ length: 1000 }, () => ({}))],
])('one segment with %s does not make room for a large text', async (_, all) => {
  const [first, ...others] = segmentsOf(4.5 * MiB, {})
  expect((await putTranscript([{ ...first, words: all }, ...others])).status).toBe(413)
})

test.each([
  ['times of words', 'transcripts', `{"segments":[{"words":[${'0,'.repeat(500_000)}0]}]}`],
  ['evidence', 'notes', `{"sections":[],"omissions":[{"evidence":[${'{},'.repeat(100_000)}{}]}]}`],
])('of a large body whose %s are all wrong the first problem is named, and no more is looked for', async (_, path, body) => {
  const answer = await kit.fetch('PUT', `/v1/${path}/${anId()}`, body)
  const { errors } = (await answer.json()) as { errors: unknown[] }
  expect([answer.status, errors.length]).toEqual([422, 1])
})

test('of a body that a person can have typed every problem is named', async () => {
  const answer = await kit.fetch('POST', '/v1/clients', { display_name: '', state: 'x', goals: [1, 2] })
  const { errors } = (await answer.json()) as { errors: { pointer: string }[] }
  expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual(['/display_name', '/goals/0', '/goals/1', '/state'])
})

test.each([
  ['application/json; charset=latin1', 415],
  ['application/json; charset=utf-16', 415],
  ['application/json;charset=', 415],
  ['application/json; charset=utf-8; charset=latin1', 415],
  ['application/jsonp', 415],
  ['application/json; charset=UTF-8', 201],
  ['application/json; charset="utf-8"', 201],
  ['application/json', 201],
])('a body sent as %s is answered %i', async (type, status) => {
  const response = await kit.fetch('POST', '/v1/clients', JSON.stringify({ display_name: 'A' }), { 'Content-Type': type })
  expect(response.status).toBe(status)
})

const caller = { ...embeddedCaller, source: '192.0.2.1' }
function sends(budget: ByteBudget, whose: Caller, bytes: number): void {
  const body = budget.open(whose)
  body.take(bytes)
  body.end()
}

test('one person sends 256 MiB at once, then 2 MiB a second; another one is not held up', async () => {
  let now = 0
  const budget = openByteBudget({ elapsed: () => now })
  for (let sent = 0; sent < 256; sent += 16) sends(budget, caller, 16 * MiB)
  const refusal = (): unknown => {
    try {
      sends(budget, caller, 1)
      return null
    } catch (error) {
      return error
    }
  }
  expect(refusal()).toMatchObject({ code: 'too-many-bytes', retrySeconds: 1 })
  sends(budget, { ...caller, person_id: anId() }, 1)
  now += 1000
  expect(refusal()).toBeNull()
  // Audio that was begun within the budget goes on; what comes after it waits for as long as that took too much.
  const piece = new Uint8Array(16 * MiB)
  for await (const _ of budget.meter(caller, Array.from({ length: 2 }, () => piece) as unknown as AsyncIterable<Uint8Array>))
    continue
  expect(refusal()).toMatchObject({ code: 'too-many-bytes', retrySeconds: 16 })
  await expect(budget.meter(caller, [] as unknown as AsyncIterable<Uint8Array>).next()).rejects.toMatchObject({
    code: 'too-many-bytes',
  })
  now += 16_000
  expect(refusal()).toBeNull()
})

test('bodies of one person that are worked on at the same time come to 32 MiB at most', () => {
  const budget = openByteBudget({ elapsed: () => 0 })
  const [first, second] = [budget.open(caller), budget.open(caller)]
  first.take(16 * MiB)
  second.take(16 * MiB)
  expect(() => budget.open(caller).take(1)).toThrow('More was sent than is taken at once.')
  second.end()
  sends(budget, caller, 1)
  first.end()
})

test('bodies whose length nobody announced count as they come', async () => {
  const own = await openKit({ caller: 'api-keys' })
  const put = () =>
    own.fetch('PUT', `/v1/transcripts/${anId()}`, '{', {
      Authorization: `Bearer ${own.ownerKey}`,
      'Content-Type': 'application/json',
    })
  const all = await Promise.all(Array.from({ length: 8 }, put))
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 400))
  await own.close()
})

test('whoever sent too much is told for how long to wait', async () => {
  const own = await openKit({ caller: 'api-keys', clock: { now: () => Date.now(), elapsed: () => 0 } })
  const headers = { Authorization: `Bearer ${own.ownerKey}`, 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
  // Counted as it is in memory, not as it was packed.
  const large = gzipSync(`${'['.repeat(100)}${' '.repeat(16 * MiB - 100)}`, { level: 1 })
  const put = () => own.fetch('PUT', `/v1/transcripts/${anId()}`, large, headers)
  for (let sent = 0; sent < 256; sent += 16) expect((await put()).status).toBe(400)
  const response = await put()
  expect([response.status, response.headers.get('retry-after'), await response.json()]).toMatchObject([
    429,
    '1',
    { code: 'too-many-bytes' },
  ])
  await own.close()
})
