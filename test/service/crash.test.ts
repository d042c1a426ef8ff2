import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { createServiceClient } from '#client/client.ts'
import type { ServiceClient } from '#client/client.ts'
import type { Operation } from '#contract/model/operation.ts'
import { verifyAudit } from '#service/store/read-audit.ts'
import { listClients } from '#service/store/clients.ts'
import { inPractice } from '#service/store/in-practice.ts'
import type { StoreOptions } from '#service/store/open-store.ts'
import { openStore } from '#service/store/open-store.ts'
import { onlyPractice } from '#service/store/practices.ts'
import type { Database } from '#service/store/tables.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import { freshFolder, startAlone } from './alone-kit.ts'
import type { Alone } from './alone-kit.ts'
import { wavOf } from './sound.ts'
import { postgresHere } from './store-kit.ts'
import type { StoreKind } from './store-kit.ts'

/** `npm run faults` sets how often; each start takes about half a second. */
const isFull = process.env.AFTERWORD_FAULTS === 'full'
const noPostgres = leftOut('a service on PostgreSQL that is killed', await unmet('postgres'))

const connect = (alone: Alone, token: string): ServiceClient => createServiceClient({ base_url: alone.address, token, fetch })

describe.each<[StoreKind, number]>([
  ['sqlite', isFull ? 200 : 4],
  ['postgres', isFull ? 200 : 1],
])('with its records in %s', (kind, kills) => {
  if (kind === 'postgres' && noPostgres) return test.skip('is left out here', () => {})
  const folders: { data: string; remove: () => void }[] = []
  let service: Alone | null = null
  afterEach(async () => {
    await service?.stop('SIGKILL')
  })
  afterAll(() => {
    for (const { remove } of folders) remove()
  })

  /** A place for records of its own, and what names it to the service. */
  async function place(): Promise<{ data: string; environment: Record<string, string>; store: () => StoreOptions }> {
    const folder = freshFolder()
    folders.push(folder)
    const { data } = folder
    const key = (): Buffer => Buffer.from(readFileSync(`${data}.key`, 'utf8').trim(), 'hex')
    if (kind === 'sqlite') return { data, environment: {}, store: () => ({ kind, file: join(data, 'service.db'), key: key() }) }
    const url = await (await postgresHere()).database()
    return { data, environment: { DATABASE_URL: url }, store: () => ({ kind, url, key: key() }) }
  }

  test(`killed ${kills} time${kills === 1 ? '' : 's'} in the middle of calls: nothing acknowledged is lost, no call is done twice, the audit chain is whole`, async () => {
    const { data: folder, environment, store } = await place()
    const acknowledged = new Map<string, string>()
    const sent: string[] = []
    service = await startAlone(folder, environment, ['--plan', 'enterprise'])
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
      service = await startAlone(folder, environment, ['--plan', 'enterprise'])
    }
    const client = connect(service, token)
    for (const key of sent) {
      const { data } = await client.call('createClient', { body: { display_name: key }, idempotencyKey: key })
      if (acknowledged.has(key)) expect(data.id).toBe(acknowledged.get(key))
    }
    await service.stop()
    const db = await openStore(store())
    const practice = (await onlyPractice(db))!
    expect((await namesIn(db, practice)).toSorted()).toEqual(sent.toSorted())
    expect((await inPractice(db, practice, (read) => verifyAudit(read, practice))).broken_at).toBeNull()
    await db.destroy()
  }, 3_600_000)

  // On PostgreSQL another process does, without a restart: `two-processes.test.ts`.
  if (kind === 'postgres' && !isFull) return
  test('work under way when it is killed is taken up again and done once', async () => {
    const speech = await startScriptedSpeech(['hang', { status: 200, body: '{"text":"I slept badly."}' }])
    const { data: folder, environment } = await place()
    const named = { ...environment, AFTERWORD_SPEECH_ADDRESS: speech.address }
    service = await startAlone(folder, named)
    const token = service.ownerKey!
    const body = { audio: { content: wavOf(1), media_type: 'audio/wav' } }
    const ask = () => connect(service!, token).call('transcribe', { body, preferAsync: true, idempotencyKey: 'k' })
    const { id } = (await ask()).data as Operation
    await speech.arrived(1)
    await service.stop('SIGKILL')
    service = await startAlone(folder, named)
    expect(await ask()).toMatchObject({ replayed: true, data: { id } })
    const client = connect(service, token)
    const done = await vi.waitUntil(
      async () => {
        const { data } = await client.call('getOperation', { params: { id } })
        return data.status === 'succeeded' ? data : null
      },
      { timeout: 60_000, interval: 50 },
    )
    expect(done).toMatchObject({ progress: 1, result: { segments: [{ text: 'I slept badly.' }] } })
    expect((await client.call('listTranscripts', {})).data.data).toHaveLength(1)
    expect(speech.requests).toHaveLength(2)
    await service.stop()
    await speech.close()
  })
})

async function namesIn(db: Database, practice: string): Promise<string[]> {
  const names: string[] = []
  let cursor: string | undefined
  do {
    const query = { limit: 200, cursor }
    const page = await inPractice(db, practice, (read) => listClients(read, practice, query))
    names.push(...page.data.map(({ display_name }) => display_name))
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return names
}
