import { expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { recordingMedia } from '#core/recordings/media.ts'
import { openRecordingCore } from '#test/crash/recording-core.ts'
import { format, heldClock, recordOf, scratchFolder } from './recording-kit.ts'

async function served(records = 30) {
  const core = openRecordingCore({ folder: scratchFolder(), clock: heldClock(), log: silentLog })
  const begun = { session_id: newId(), window_id: 'window-one', format, device_label: '' }
  const { recording_id } = await core.handlers['recordings.start'](begun)
  for (let sequence = 0; sequence < records; sequence += 1) core.append.append({ recording_id, ...recordOf(sequence) })
  await core.handlers['recordings.finish']({ recording_id })
  const media = recordingMedia(core.audio)
  const ask = (headers: Record<string, string> = {}, method = 'GET', id = recording_id) =>
    media(new Request(`http://localhost/media/recordings/${id}`, { method, headers }))
  const whole = Buffer.from(await (await ask()).arrayBuffer())
  return { core, ask, whole, recording_id }
}

test('the whole is Ogg that nobody may store', async () => {
  const { ask, whole } = await served()
  const response = await ask()
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'audio/ogg',
    'content-length': String(whole.length),
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
  })
  expect(whole.toString('latin1', 0, 4)).toBe('OggS')
})

test.each([
  ['bytes=0-0', 0, 1],
  ['bytes=100-4999', 100, 5000],
  ['bytes=5000-', 5000, Infinity],
  ['bytes=-300', -300, Infinity],
  ['bytes=100-999999999', 100, Infinity],
])('range %s is that slice', async (range, start, end) => {
  const { ask, whole } = await served()
  const response = await ask({ range })
  const slice = whole.subarray(start, end === Infinity ? undefined : end)
  const from = start < 0 ? whole.length + start : start
  expect(response.status).toBe(206)
  expect(response.headers.get('content-range')).toBe(`bytes ${from}-${from + slice.length - 1}/${whole.length}`)
  expect(Buffer.from(await response.arrayBuffer()).equals(slice)).toBe(true)
})

test.each(['bytes=99999999-', 'bytes=-0'])('range %s cannot be met', async (range) => {
  const { ask, whole } = await served()
  const response = await ask({ range })
  expect(response.status).toBe(416)
  expect(response.headers.get('content-range')).toBe(`bytes */${whole.length}`)
})

test.each(['bytes=0-1,5-6', 'bytes=9-3', 'pages=1-2', 'bytes=-'])(
  'what is not one range of bytes (%s) is answered with the whole',
  async (range) => {
    const { ask, whole } = await served()
    const response = await ask({ range })
    expect(response.status).toBe(200)
    expect((await response.arrayBuffer()).byteLength).toBe(whole.length)
  },
)

test('HEAD tells the length and sends nothing', async () => {
  const { ask, whole } = await served()
  const response = await ask({}, 'HEAD')
  expect(response.headers.get('content-length')).toBe(String(whole.length))
  expect(response.body).toBeNull()
})

test('unknown, erased and ill-named recordings are not there; other verbs are refused', async () => {
  const { core, ask, recording_id } = await served()
  expect((await ask({}, 'GET', newId())).status).toBe(404)
  expect((await ask({}, 'GET', '..%2fvault.db')).status).toBe(404)
  expect((await ask({}, 'DELETE')).status).toBe(405)
  await core.handlers['recordings.erase']({ recording_id })
  expect((await ask()).status).toBe(404)
})
