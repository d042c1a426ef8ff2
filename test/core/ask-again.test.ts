import { expect, test } from 'vitest'
import { AppError } from '#contract/errors.ts'
import { askAgainUntilDone } from '#core/sync/plain/ask-again.ts'

const operation = (id: string, more: object = {}) => ({
  id: `01935a3c-7b9a-7c4e-8a52-1f0e6d1c2b${id}`,
  kind: 'transcribe',
  status: 'running',
  progress: 0,
  result: null,
  problem: null,
  created_at: '2026-01-05T10:00:00Z',
  updated_at: '2026-01-05T10:00:00Z',
  ...more,
})

test('work that goes on is asked for again; one that begins anew each time is given up', async () => {
  const begun = new Map<string, string>()
  const ask = (answer: unknown) => askAgainUntilDone(begun, 'key', async () => answer)
  expect(await ask(operation('3a'))).toMatchObject({ step: { state: 'later', code: null } })
  expect(await ask(operation('3a', { status: 'queued' }))).toMatchObject({ step: { state: 'later' } })
  expect(await ask(operation('3a', { status: 'succeeded', result: { text: 'done' } }))).toEqual({ result: { text: 'done' } })
  expect(await ask(operation('3b'))).toMatchObject({ step: { state: 'later' } })
  await expect(ask(operation('3c'))).rejects.toMatchObject({ code: 'engine-failed' })
  expect(await ask(operation('3d', { status: 'failed' }))).toEqual({ step: { state: 'failed', code: 'engine-failed' } })
  expect(await ask({ text: 'at once' })).toEqual({ result: { text: 'at once' } })
})

test('an earlier call that is still answered is waited for; any other refusal is one', async () => {
  const refuse = (code: 'still-running' | 'consent-missing') =>
    askAgainUntilDone(new Map(), 'key', () => Promise.reject(new AppError(code)))
  expect(await refuse('still-running')).toMatchObject({ step: { state: 'later' } })
  await expect(refuse('consent-missing')).rejects.toMatchObject({ code: 'consent-missing' })
})
