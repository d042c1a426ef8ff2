import { afterEach, expect, test } from 'vitest'
import { seededRandom } from '#test/crash/seeded-random.ts'
import { freshFolder, startAlone } from '../alone-kit.ts'
import type { Alone } from '../alone-kit.ts'
import { sha256, someAudio } from './upload-kit.ts'

const kills = process.env['AFTERWORD_FAULTS'] === 'full' ? 100 : 1

const folder = freshFolder()
let service: Alone | null = null
afterEach(async () => {
  await service?.stop('SIGKILL')
  folder.remove()
})

test(`killed ${kills} times while audio comes in: what was acknowledged is there, and all of it at the end`, async () => {
  const { random, seed } = seededRandom()
  service = await startAlone(folder.data)
  const key = { Authorization: `Bearer ${service.ownerKey}`, 'Tus-Resumable': '1.0.0' }
  const audio = someAudio(600_000 + kills * 300_000)
  const metadata = `sha256 ${Buffer.from(sha256(audio)).toString('base64')}`
  const begun = await fetch(`${service.address}/uploads`, {
    method: 'POST',
    headers: { ...key, 'Upload-Length': String(audio.length), 'Upload-Metadata': metadata },
  })
  const path = begun.headers.get('location')!.slice('/v1'.length)
  let acknowledged = 0
  let sent = 0
  for (let round = 0; round <= kills; round += 1) {
    const at = service.address + path
    const there = Number((await fetch(at, { method: 'HEAD', headers: key })).headers.get('upload-offset'))
    expect(there, `AFTERWORD_SEED=${seed}`).toBeGreaterThanOrEqual(acknowledged)
    expect(there, `AFTERWORD_SEED=${seed}`).toBeLessThanOrEqual(sent)
    acknowledged = there
    const until = round === kills ? Infinity : 1 + Math.floor(random() * 6)
    for (let step = 0; acknowledged < audio.length; step += 1) {
      const part = audio.subarray(acknowledged, acknowledged + 50_000)
      sent = Math.max(sent, acknowledged + part.length)
      const headers = { ...key, 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': String(acknowledged) }
      const patch = fetch(at, { method: 'PATCH', headers, body: new Uint8Array(part) })
      if (step >= until) {
        await Promise.all([service.stop('SIGKILL'), patch.catch(() => {})])
        service = await startAlone(folder.data)
        break
      }
      acknowledged = Number((await patch).headers.get('upload-offset'))
    }
  }
  const whole = await (await fetch(service.address + path, { headers: key })).json()
  expect(whole, `AFTERWORD_SEED=${seed}`).toMatchObject({ complete: true, offset: audio.length })
}, 3_600_000)
