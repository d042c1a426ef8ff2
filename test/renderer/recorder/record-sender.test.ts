import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Answer } from '#contract/bridge/method.ts'
import type { Bridge } from '#contract/bridge/methods.ts'
import type { Durable } from '#contract/bridge/recordings.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { CapturedRecord } from '#renderer/recorder/record-builder.ts'
import { createRecordSender } from '#renderer/recorder/record-sender.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const record = (content: number): CapturedRecord => ({ packets: Uint8Array.of(content), duration_ms: 200, peak: 0.5, rms: 0.1 })

/** A core with a disk that keeps what it acknowledged; it can go away, refuse, and lose answers on the way. */
function core() {
  const disk: number[] = []
  const log: string[] = []
  let listener = (_connected: boolean): void => {}
  const state = { isUp: true, refuses: null as ErrorCode | null, losesAnswers: false, disk, log }
  const durable = (): Durable => ({ next_sequence: disk.length, saved_ms: disk.length * 200 })
  const answer = (name: string): Answer<Durable> => {
    log.push(state.refuses === null ? name : `${name}:${state.refuses}`)
    return state.refuses === null ? { ok: true, value: durable() } : { ok: false, error: { code: state.refuses } }
  }
  const call = async (name: string, input: { sequence: number; packets: Uint8Array }): Promise<unknown> => {
    if (!state.isUp) return { ok: false, error: { code: 'service-unreachable' } }
    if (name !== 'recordings.append') return answer(name)
    if (state.refuses !== null) return answer(`append ${input.sequence}`)
    if (input.sequence > disk.length) return { ok: false, error: { code: 'sequence-gap' } }
    if (input.sequence < disk.length && disk[input.sequence] !== input.packets[0])
      return { ok: false, error: { code: 'sequence-gap' } }
    if (input.sequence === disk.length) disk.push(input.packets[0]!)
    if (state.losesAnswers) return { ok: false, error: { code: 'service-unreachable' } }
    return { ok: true, value: durable() }
  }
  const bridge = {
    call,
    on: () => () => {},
    onConnection: (heard: typeof listener) => {
      listener = heard
      return () => {}
    },
  } as unknown as Bridge
  return Object.assign(state, { bridge, connected: (isUp: boolean) => listener(((state.isUp = isUp), isUp)) })
}

function sending(from = core(), nextSequence = 0) {
  const saved: number[] = []
  const troubles: (string | null)[] = []
  const halted: string[] = []
  const sender = createRecordSender(
    {
      bridge: from.bridge,
      recording_id: 'recording',
      attach: () => from.bridge.call('recordings.attach', {} as never) as Promise<Answer<Durable>>,
      onSaved: (_durable, { packets }) => void saved.push(packets[0]!),
      onTrouble: (code) => void troubles.push(code),
      onHalted: (code) => void halted.push(code),
    },
    nextSequence,
  )
  return { from, sender, saved, troubles, halted }
}

const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(5000)

test('records arrive in order and are held until they are acknowledged', async () => {
  const { from, sender, saved } = sending()
  for (let content = 1; content <= 20; content += 1) sender.push(record(content))
  expect(sender.unsaved()).toEqual({ records: 20, duration_ms: 4000 })
  await settle()
  expect(from.disk).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  expect(saved).toEqual(from.disk)
  expect(sender.unsaved().records).toBe(0)
})

test('while the core is away everything is held, and sent when it is back', async () => {
  const { from, sender } = sending()
  sender.push(record(1))
  await settle()
  from.connected(false)
  for (const content of [2, 3, 4]) sender.push(record(content))
  await settle()
  expect(sender.unsaved().records).toBe(3)
  from.connected(true)
  await settle()
  expect(from.disk).toEqual([1, 2, 3, 4])
})

test('a record whose acknowledgement was lost on the way is not doubled', async () => {
  const { from, sender, saved } = sending()
  from.losesAnswers = true
  sender.push(record(1))
  sender.push(record(2))
  await vi.advanceTimersByTimeAsync(1)
  expect(from.disk).toEqual([1, 2])
  from.losesAnswers = false
  sender.push(record(3))
  await settle()
  expect(from.disk).toEqual([1, 2, 3])
  expect(saved).toEqual([1, 2, 3])
})

test('a locked or restarting core is asked again until it answers; the trouble is told and taken back', async () => {
  const { from, sender, troubles } = sending()
  from.refuses = 'vault-locked'
  sender.push(record(1))
  await settle()
  from.refuses = null
  sender.push(record(2))
  await settle()
  expect(from.disk).toEqual([1, 2])
  expect(troubles[0]).toBe('vault-locked')
  expect(troubles.at(-1)).toBeNull()
})

test('where another window has written in between, the held sound is numbered on behind it', async () => {
  const from = core()
  from.disk.push(100, 101)
  const { sender } = sending(from, 0)
  sender.push(record(1))
  sender.push(record(2))
  await settle()
  expect(from.disk).toEqual([100, 101, 1, 2])
})

test('where the disk lost records that were acknowledged, the held ones go on from where it stands', async () => {
  const { from, sender } = sending()
  for (const content of [1, 2, 3]) sender.push(record(content))
  await settle()
  from.disk.length = 1
  sender.push(record(4))
  await settle()
  expect(from.disk).toEqual([1, 4])
})

test('a step waits for all records before it, and those after it wait for the step', async () => {
  const { from, sender } = sending()
  const order: string[] = []
  sender.push(record(1))
  const step = sender.step(async () => {
    order.push(`step at ${from.disk.length}`)
    return { ok: true, value: {} }
  })
  sender.push(record(2))
  expect(await step).toBeNull()
  await settle()
  expect(order).toEqual(['step at 1'])
  expect(from.disk).toEqual([1, 2])
})

test('a full disk halts: nothing is thrown away, waiting steps are told, and it can go on later', async () => {
  const { from, sender, halted } = sending()
  from.refuses = 'disk-full'
  sender.push(record(1))
  const step = sender.step(async () => ({ ok: true, value: {} }))
  expect(await step).toBe('disk-full')
  expect(halted).toEqual(['disk-full'])
  expect(sender.unsaved().records).toBe(1)
  from.refuses = null
  sender.reopen()
  await settle()
  expect(from.disk).toEqual([1])
})
