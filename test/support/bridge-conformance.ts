import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Bridge } from '#contract/bridge/methods.ts'
import type { AnyCall } from './bridge-answers.ts'

export interface BridgeUnderTest {
  readonly bridge: Bridge
  readonly emit: (name: string, payload: unknown) => void
  readonly close: () => void | Promise<void>
}

/** Both shells pass the same suite: what works in one works in the other. */
export function bridgeConformance(start: () => Promise<BridgeUnderTest>): void {
  let under: BridgeUnderTest
  const call: AnyCall = (name, input) => (under.bridge.call as AnyCall)(name, input)
  beforeAll(async () => {
    under = await start()
  })
  afterAll(() => under.close())

  test('what is sent comes back the same: text, numbers, null, nesting', async () => {
    const value = { text: 'Ž “quoted” \u2028 🙂', numbers: [0, -1, 1.5], nothing: null, deep: { list: [{ a: true }] } }
    expect(await call('echo', value)).toEqual({ ok: true, value })
  })

  test('bytes cross as bytes, wherever they stand', async () => {
    const packets = new Uint8Array(100_000).map((_, index) => (index * 7) % 256)
    const answer = await call('echo', { first: packets, list: [new Uint8Array(0), new Uint8Array([1, 2, 3])], after: 'text' })
    if (!answer.ok) throw new Error('refused')
    const value = answer.value as { first: Uint8Array; list: Uint8Array[]; after: string }
    expect(value.first).toBeInstanceOf(Uint8Array)
    expect(Buffer.from(value.first).equals(Buffer.from(packets))).toBe(true)
    expect(value.list.map((part) => [...part])).toEqual([[], [1, 2, 3]])
    expect(value.after).toBe('text')
  })

  test('an expected failure is an answer, not an exception', async () => {
    expect(await call('refuse', {})).toEqual({
      ok: false,
      error: { code: 'stale-version', detail: 'changed meanwhile', fields: [] },
    })
  })

  test('a handler that breaks answers with an internal failure', async () => {
    expect(await call('break', {})).toEqual({ ok: false, error: { code: 'internal' } })
  })

  test('a thousand calls at once each get their own answer', async () => {
    const answers = await Promise.all(
      Array.from({ length: 1000 }, (_, index) => call(index % 2 === 0 ? 'later' : 'echo', { index })),
    )
    expect(answers).toEqual(Array.from({ length: 1000 }, (_, index) => ({ ok: true, value: { index } })))
  })

  test('events arrive in order, until nobody listens', async () => {
    const heard: unknown[] = []
    const stop = under.bridge.on((name, payload) => heard.push([name, payload]))
    for (let index = 0; index < 5; index += 1) under.emit('records.changed', { index })
    await call('echo', {}) // events and answers share one order, so all five are here now
    stop()
    under.emit('records.changed', { index: 5 })
    await call('echo', {})
    expect(heard).toEqual([0, 1, 2, 3, 4].map((index) => ['records.changed', { index }]))
  })
}
