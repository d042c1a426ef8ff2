import { expect, onTestFinished, test } from 'vitest'
import { type Clock, systemClock } from '#base/clock.ts'
import type { MethodInput } from '#contract/bridge/methods.ts'
import { clientWithSession, coreKit, createProfile, dialogue, type OpenCore } from './core-kit.ts'
import { looked } from './looked.ts'
import { format, recordOf } from './recordings/recording-kit.ts'

const minute = 60_000

/** Goes with the system's, and can be put forward. */
function shiftedClock(): Clock & { pass(ms: number): void } {
  let shift = 0
  return {
    now: () => systemClock.now() + shift,
    elapsed: () => systemClock.elapsed() + shift,
    pass: (ms) => void (shift += ms),
  }
}

/** Recorded for two seconds, an hour before its booked start, and cut off there. */
async function cutOff() {
  const clock = shiftedClock()
  const kit = coreKit({ clock })
  const open = await kit.open()
  onTestFinished(async () => {
    await open.core.close()
    kit.remove()
  })
  await createProfile(open)
  const { session } = await clientWithSession(open, 'Cut Off', clock.now() + 60 * minute)
  const attached = { session_id: session.id, window_id: 'window-1', format, device_label: 'Mic' }
  const { recording_id } = await open.call('recordings.start', attached)
  for (let sequence = 0; sequence < 10; sequence += 1) {
    kit.append.append({ recording_id, ...recordOf(sequence) })
    clock.pass(200)
  }
  kit.append.close(recording_id)
  clock.pass(4 * minute)
  const [entry] = await open.call('recordings.recoverable', {})
  const { interrupted_at: ended, recording } = entry!
  const began = recording.started_at
  const finish = () => open.call('recordings.finish', { recording_id })
  return { open, session, began, ended, finish }
}

const sessionOf = async (open: OpenCore, id: string) => (await open.call('sessions.get', { id })).session

async function change(open: OpenCore, id: string, patch: MethodInput<'sessions.update'>['patch']): Promise<void> {
  const { version } = await sessionOf(open, id)
  await open.call('sessions.update', { id, version, patch })
}

test('a session ends when its recording was cut off, not when somebody decides about the recording', async () => {
  const { open, session, began, ended, finish } = await cutOff()
  await finish()
  expect(await sessionOf(open, session.id)).toMatchObject({ status: 'completed', started_at: began, finished_at: ended })
  expect(Date.parse(ended) - Date.parse(began)).toBeLessThan(minute)
})

test('a session whose start was lost with an older file began when its recording began, not when it was booked', async () => {
  const { open, session, began, ended, finish } = await cutOff()
  await change(open, session.id, { started_at: null, status: 'scheduled' })
  await finish()
  expect(await sessionOf(open, session.id)).toMatchObject({ status: 'completed', started_at: began, finished_at: ended })
})

test('the times of a session that had ended stay as they were', async () => {
  const { open, session, began, finish } = await cutOff()
  const finished_at = new Date(Date.parse(began) + 50 * minute).toISOString()
  await change(open, session.id, { status: 'completed', finished_at })
  await finish()
  expect(await sessionOf(open, session.id)).toMatchObject({ status: 'completed', started_at: began, finished_at })
})

test('the times of a session that had ended stay unknown where they were', async () => {
  const { open, session, finish } = await cutOff()
  const times = { started_at: null, finished_at: null }
  await change(open, session.id, { status: 'completed', ...times })
  await finish()
  expect(await sessionOf(open, session.id)).toMatchObject({ status: 'completed', ...times })
})

test('the times of a session whose note is signed stay as they were', async () => {
  const { open, session, began, finish } = await cutOff()
  const content = new TextEncoder().encode(dialogue)
  await open.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content })
  await open.call('notes.draft', { session_id: session.id, template: 'soap' })
  await open.settled()
  const draft = (await open.call('notes.get', { session_id: session.id })).note!
  const checked = await open.call('notes.save', { id: draft.id, version: draft.version, ...looked(draft) })
  await open.call('notes.sign', { id: draft.id, version: checked.version })
  await finish()
  expect(await sessionOf(open, session.id)).toMatchObject({ status: 'completed', started_at: began, finished_at: null })
})
