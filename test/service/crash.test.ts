import { afterEach, expect, test, vi } from 'vitest'
import { createServiceClient } from '#client/client.ts'
import type { ServiceClient } from '#client/client.ts'
import type { Operation } from '#contract/model/operation.ts'
import { openEncrypted } from '#base/sqlite.ts'
import { verifyAudit } from '#service/store/audit.ts'
import { openSqliteStore } from '#service/store/open-store.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import { freshFolder, startAlone } from './alone-kit.ts'
import type { Alone } from './alone-kit.ts'
import { wavOf } from './sound.ts'

/** `npm run faults` sets how often; each start takes about half a second. */
const kills = process.env.AFTERWORD_FAULTS === 'full' ? 200 : 6

const folder = freshFolder()
let service: Alone | null = null
afterEach(async () => {
  await service?.stop('SIGKILL')
})

const connect = (alone: Alone, token: string): ServiceClient => createServiceClient({ base_url: alone.address, token, fetch })

test(`killed ${kills} times in the middle of calls: nothing acknowledged is lost, no call is done twice, the audit chain is whole`, async () => {
  const acknowledged = new Map<string, string>()
  const sent: string[] = []
  service = await startAlone(folder.data)
  const token = service.ownerKey!
  for (let round = 0; round < kills; round += 1) {
    const client = connect(service, token)
    const calls = Array.from({ length: 12 }, async (_, index) => {
      const key = `${round}-${index}`
      sent.push(key)
      const { data } = await client.call('createClient', { body: { display_name: key }, idempotencyKey: key })
      acknowledged.set(key, data.id)
    })
    // The kill comes while some calls are answered and others are on their way.
    await Promise.race(calls)
    await service.stop('SIGKILL')
    await Promise.allSettled(calls)
    service = await startAlone(folder.data)
  }
  const client = connect(service, token)
  for (const key of sent) {
    const { data } = await client.call('createClient', { body: { display_name: key }, idempotencyKey: key })
    if (acknowledged.has(key)) expect(data.id).toBe(acknowledged.get(key))
  }
  await service.stop()
  expect(namesIn(folder.data).toSorted()).toEqual(sent.toSorted())
  expect((await chain()).broken_at).toBeNull()
}, 3_600_000)

test('work under way when it is killed is taken up again and done once', async () => {
  const speech = await startScriptedSpeech(['hang', { status: 200, body: '{"text":"I slept badly."}' }])
  const environment = { AFTERWORD_SPEECH_ADDRESS: speech.address }
  const own = freshFolder()
  service = await startAlone(own.data, environment)
  const token = service.ownerKey!
  const body = { audio: { content: wavOf(1), media_type: 'audio/wav' } }
  const ask = () => connect(service!, token).call('transcribe', { body, preferAsync: true, idempotencyKey: 'k' })
  const { id } = (await ask()).data as Operation
  await speech.arrived(1)
  await service.stop('SIGKILL')
  service = await startAlone(own.data, environment)
  expect(await ask()).toMatchObject({ replayed: true, data: { id } })
  const client = connect(service, token)
  const done = await vi.waitUntil(
    async () => {
      const { data } = await client.call('getOperation', { params: { id } })
      return data.status === 'succeeded' ? data : null
    },
    { timeout: 20_000, interval: 50 },
  )
  expect(done).toMatchObject({ progress: 1, result: { segments: [{ text: 'I slept badly.' }] } })
  expect((await client.call('listTranscripts', {})).data.data).toHaveLength(1)
  expect(speech.requests).toHaveLength(2)
  await service.stop()
  own.remove()
  await speech.close()
})

const keyOf = (data: string): Buffer => Buffer.from(readFileSync(`${data}.key`, 'utf8').trim(), 'hex')

function namesIn(data: string): string[] {
  const db = openEncrypted(join(data, 'service.db'), keyOf(data))
  const rows = db.prepare("select body ->> 'display_name' as name from clients").all() as { name: string }[]
  db.close()
  return rows.map(({ name }) => name)
}

async function chain() {
  const db = openSqliteStore(join(folder.data, 'service.db'), keyOf(folder.data))
  const { id } = await db.selectFrom('practices').select('id').executeTakeFirstOrThrow()
  const result = await verifyAudit(db, id)
  await db.destroy()
  folder.remove()
  return result
}
