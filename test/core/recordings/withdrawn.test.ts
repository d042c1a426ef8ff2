import { expect, onTestFinished, test } from 'vitest'
import { clientWithSession, coreKit, createProfile } from '#test/core/core-kit.ts'
import { format, heldClock, recordOf } from './recording-kit.ts'

test('consent withdrawn while the recording’s window is held up closes its file', async () => {
  const clock = heldClock()
  const kit = coreKit({ clock })
  const open = await kit.open()
  onTestFinished(async () => {
    await open.core.close()
    kit.remove()
  })
  await createProfile(open)
  const { session, consent } = await clientWithSession(open, 'Held Up')
  const { recording_id } = await open.call('recordings.start', {
    session_id: session.id,
    window_id: 'window-one',
    format,
    device_label: 'Mic',
  })
  kit.append.append({ recording_id, ...recordOf(0) })
  clock.pass(4000)
  expect(await open.call('recordings.active', {})).toBeNull()
  expect(kit.append.status()).toHaveLength(1)
  await open.call('consents.revoke', { id: consent.id })
  await open.until(() => kit.append.status().length === 0)
  expect(() => kit.append.append({ recording_id, ...recordOf(1) })).toThrow('not open')
  expect(await open.call('recordings.get', { session_id: session.id })).toMatchObject({ state: 'interrupted', saved_ms: 200 })
})
