import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Bridge } from '#contract/bridge/methods.ts'
import { runningRecording } from '#renderer/recorder/answers.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('what the core knows of a running recording is asked until it answers, whatever comes between', async () => {
  const recording = { id: 'recording' }
  const answers = [
    () => Promise.resolve({ ok: false, error: { code: 'vault-locked' } }),
    () => Promise.reject(new Error('the core is gone')),
    () => Promise.resolve({ ok: false, error: { code: 'internal' } }),
    () => Promise.resolve({ ok: true, value: { recording } }),
  ]
  const call = vi.fn(() => answers.shift()!())
  const known = runningRecording({ call } as unknown as Bridge, () => true)
  await vi.advanceTimersByTimeAsync(2000)
  expect(await known).toBe(recording)
  expect(call).toHaveBeenCalledTimes(4)
})

test('it is asked no more once the recording is not wanted', async () => {
  const call = vi.fn(async () => ({ ok: false, error: { code: 'vault-locked' } }))
  let isWanted = true
  const known = runningRecording({ call } as unknown as Bridge, () => isWanted)
  await vi.advanceTimersByTimeAsync(400)
  isWanted = false
  await vi.advanceTimersByTimeAsync(400)
  expect(await known).toBeNull()
})
