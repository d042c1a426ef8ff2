import { expect, onTestFinished, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { coreKit, createProfile, noService } from './core-kit.ts'

test('where the models are missing a voice can be asked about and erased, not enrolled', async () => {
  const kit = coreKit()
  onTestFinished(() => kit.remove())
  const open = await kit.open()
  await createProfile(open)
  const none = { enrolled_at: null, heard_ms: null, usable: false, ready: false }
  expect(await open.call('voices.get', {})).toEqual(none)
  await expect(open.call('voices.enroll', { wav: new Uint8Array(100) })).rejects.toMatchObject({ code: 'engine-not-ready' })
  const nowhere = { session_id: newId() }
  await expect(open.call('voices.enrollFromSession', nowhere)).rejects.toMatchObject({ code: 'not-found' })
  expect(await open.call('voices.remove', {})).toEqual(none)
  await open.core.close()
})

test('a practice’s service that does not know voices is no error', async () => {
  const kit = coreKit()
  onTestFinished(() => kit.remove())
  const problem = {
    type: '/problems/not-found',
    title: 'There is no such record.',
    status: 404,
    code: 'not-found',
    retryable: false,
  }
  const fetch = async (): Promise<Response> =>
    new Response(JSON.stringify({ ...problem, request_id: 'r' }), {
      status: 404,
      headers: { 'content-type': 'application/problem+json' },
    })
  const open = await kit.open({ openService: async (options) => ({ ...(await noService(options)), fetch }) })
  await createProfile(open)
  expect(await open.call('voices.get', {})).toBeNull()
  await open.core.close()
})
