import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Operation } from '#contract/model/operation.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import type { Line } from '#test/support/postgres.ts'
import { startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import type { ScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import { aClient, openKit } from '../service-kit.ts'
import type { ServiceKit } from '../service-kit.ts'
import { wavOf } from '../sound.ts'
import { freshStore, postgresHere } from '../store-kit.ts'
import type { TestStore } from '../store-kit.ts'

/** A service that goes on running while its database cannot be reached. */

const isLeftOut = leftOut('a service whose PostgreSQL is out of reach', await unmet('postgres'))

describe.skipIf(isLeftOut)('while the database is out of reach', () => {
  let own: TestStore
  let line: Line
  let speech: ScriptedSpeech
  let kit: ServiceKit

  beforeAll(async () => {
    own = await freshStore('postgres')
    line = await (await postgresHere()).line((own.options as { url: string }).url)
    speech = await startScriptedSpeech(['hang'])
    kit = await openKit({
      store: { kind: 'postgres', url: line.url, key: own.options.key },
      speech: () => ({ address: speech.address, model: null, key: null, language: null }),
    })
  })
  afterAll(async () => {
    await kit.close()
    await speech.close()
    await line.cut()
    await own.remove()
  })

  const get = () => kit.fetch('GET', '/v1/clients')

  test('calls are told so and may be tried again; then all goes on, with the work that was under way', async () => {
    await aClient(kit.client)
    const body = { audio: { content: wavOf(1), media_type: 'audio/wav' } }
    const { id } = (await kit.client.call('transcribe', { body, preferAsync: true })).data as Operation
    await speech.arrived(1)

    await line.cut()
    const refused = await Promise.all([get(), get(), kit.fetch('POST', '/v1/clients', { display_name: 'B' })])
    for (const response of refused) {
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
      expect(await response.json()).toMatchObject({ code: 'service-unreachable', retryable: true })
    }
    // Its end cannot be stored now.
    speech.letGo({ status: 200, body: '{"text":"I slept badly."}' })

    await line.mend()
    expect((await get()).status).toBe(200)
    const done = await vi.waitUntil(
      async () => {
        const { data } = await kit.client.call('getOperation', { params: { id } })
        return data.status === 'queued' || data.status === 'running' ? null : data
      },
      { timeout: 60_000, interval: 100 },
    )
    expect(done).toMatchObject({ status: 'succeeded', result: { segments: [{ text: 'I slept badly.' }] } })
    expect((await kit.client.call('listTranscripts', {})).data.data).toHaveLength(1)
    expect((await kit.client.call('listClients', {})).data.data).toHaveLength(1)
  })
})
