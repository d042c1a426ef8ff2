import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newKey } from '#base/aead.ts'
import type { ServiceClient } from '#client/client.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { cutSpeech } from '#core/records/voices/voice-handlers.ts'
import { forkedEngines } from '#engines/engine-host.ts'
import { openSqliteStore } from '#service/store/open-store.ts'
import { ensurePractice } from '#service/store/practices.ts'
import type { Database } from '#service/store/tables.ts'
import { enrolledVoices, putVoice } from '#service/store/voices.ts'
import { leftOut } from '#test/support/left-out.ts'
import { testData, unmet } from '#test/support/machine.ts'
import { openKit, type ServiceKit, speechFixture } from '#test/service/service-kit.ts'
import { wavBytes } from '#test/service/sound.ts'
import { installed, withSpeakers } from '../local/stand-ins.ts'
import { readRttm } from './score.ts'
import { joinTurns, readSession, turnsOf } from './sessions.ts'

const noData = leftOut('enrolling a voice', await unmet('test-data'))
const therapy = () => readSession(testData('speech', 'session-flite'))

function wavOf(samples: Float32Array): { content: string; media_type: string } {
  const whole = Int16Array.from(samples, (sample) => Math.round(sample * 32_767))
  return { content: wavBytes(whole).toString('base64'), media_type: 'audio/wav' }
}

/** One person of the dialogue, for as long as it lasts, 20 s at most. */
function alone(who: string, seconds = 18) {
  const turns = turnsOf(therapy()).filter((turn) => turn.who === who)
  return wavOf(joinTurns(turns, () => 300).samples.slice(0, seconds * 16_000))
}

async function transcriptOf(client: ServiceClient): Promise<Transcript> {
  const audio = wavOf(therapy().samples.slice(0, 21 * 16_000))
  const { data } = await client.call('transcribeWithSpeakers', { body: { audio, speakers: { min: 1, max: 2 } } })
  return data as Transcript
}

const rolesOf = ({ speakers, segments }: Transcript) =>
  segments.map(({ speaker_id }) => speakers.find(({ id }) => id === speaker_id)?.role)

describe.skipIf(noData)('the therapist’s own voice', () => {
  let kit: ServiceKit
  const open = (models = installed(withSpeakers)) =>
    openKit({
      engines: forkedEngines(),
      installed: async () => models,
      speech: () => ({ engine: 'local', address: '', model: null, key: null, language: 'en' }),
    })
  beforeEach(async () => void (kit = await open()))
  afterEach(() => kit.close())

  test('enrolled once it names the therapist in transcripts; erased, it names nobody', async () => {
    const { client } = kit
    expect((await client.call('getVoice', {})).data).toEqual({ enrolled_at: null, heard_ms: null, usable: false, ready: true })
    expect(new Set(rolesOf(await transcriptOf(client)))).toEqual(new Set(['unknown']))
    const { data: voice } = await client.call('putVoice', { body: { audio: alone('T') } })
    expect(voice).toMatchObject({ usable: true, ready: true })
    expect(voice.heard_ms).toBeGreaterThan(8000)
    const transcript = await transcriptOf(client)
    expect(rolesOf(transcript)[0]).toBe('therapist')
    expect(new Set(rolesOf(transcript))).toEqual(new Set(['therapist', 'client']))
    await client.call('deleteVoice', {})
    expect((await client.call('getVoice', {})).data.enrolled_at).toBeNull()
    expect(new Set(rolesOf(await transcriptOf(client)))).toEqual(new Set(['unknown']))
  })

  test('taken from the therapist’s own turns in a recording it does as well', async () => {
    const { client } = kit
    const recorded = readFileSync(join(speechFixture, 'session.ogg'))
    const turns = readRttm(join(speechFixture, 'session.rttm')).filter(({ who }) => who === 'T')
    async function* bytes(): AsyncGenerator<Buffer> {
      yield recorded
    }
    const content = (await cutSpeech(bytes(), turns)).toString('base64')
    await client.call('putVoice', { body: { audio: { content, media_type: 'audio/ogg' } } })
    expect(rolesOf(await transcriptOf(client))[0]).toBe('therapist')
  })

  test('two people are no voice, and neither is a word; what was kept before stays', async () => {
    const { client } = kit
    await client.call('putVoice', { body: { audio: alone('C') } })
    const { data: before } = await client.call('getVoice', {})
    const both = wavOf(therapy().samples.slice(0, 21 * 16_000))
    await expect(client.call('putVoice', { body: { audio: both } })).rejects.toMatchObject({ code: 'voice-unclear' })
    await expect(client.call('putVoice', { body: { audio: alone('T', 3) } })).rejects.toMatchObject({ code: 'voice-unclear' })
    expect((await client.call('getVoice', {})).data).toEqual(before)
  })

  test('without the models it says so, and nothing is kept', async () => {
    await kit.close()
    kit = await open(installed())
    await expect(kit.client.call('putVoice', { body: { audio: alone('T') } })).rejects.toMatchObject({ code: 'engine-not-ready' })
    expect((await kit.client.call('getVoice', {})).data).toMatchObject({ enrolled_at: null, ready: false })
  })

  test('no answer and no audit entry holds a number of it, and enrolling and erasing are in the audit', async () => {
    const { client } = kit
    const answer = await kit.fetch('PUT', '/v1/voices/mine', { audio: alone('T') })
    expect(Object.keys((await answer.json()) as object).toSorted()).toEqual(['enrolled_at', 'heard_ms', 'ready', 'usable'])
    await client.call('deleteVoice', {})
    const events = await kit.ask<{ event: string }>('select event from audit_events order by seq')
    const operations = events.map(({ event }) => (JSON.parse(event) as { operation: string }).operation)
    expect(operations.filter((operation) => operation.endsWith('Voice'))).toEqual(['putVoice', 'deleteVoice'])
  })
})

describe('what is kept of a voice', () => {
  const practice = 'p'
  const embedding = Float32Array.from({ length: 64 }, (_, index) => Math.sin(index * 1.7) / 8)
  const voice = { embedding, model_sha256: 'a'.repeat(64), heard_ms: 15_000, enrolled_at: '2026-11-24T14:02:00.000Z' }

  async function withVoice(use: (db: Database, key: Uint8Array, file: string) => Promise<void>): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'afterword-voices-'))
    const file = join(folder, 'service.db')
    const [storeKey, key] = [newKey(), newKey()]
    const db = openSqliteStore(file, storeKey)
    try {
      await db.transaction().execute(async (write) => {
        await ensurePractice(write, practice, 'Practice', 'free', voice.enrolled_at)
        await putVoice(write, key, { practice, person: 'me' }, voice)
      })
      await use(db, key, file)
    } finally {
      await db.destroy()
      rmSync(folder, { recursive: true })
    }
  }

  test('is sealed: nothing of it stands in the table or in the file, and another key opens nothing', async () => {
    await withVoice(async (db, key, file) => {
      const { sealed } = await db.selectFrom('voices').select('sealed').executeTakeFirstOrThrow()
      const plain = Buffer.from(embedding.buffer)
      for (const bytes of [Buffer.from(sealed), readFileSync(file)])
        for (let at = 0; at + 16 <= plain.length; at += 16) expect(bytes.includes(plain.subarray(at, at + 16))).toBe(false)
      expect(await enrolledVoices(db, key, practice, voice.model_sha256)).toEqual([{ id: 'me', embedding }])
      expect(await enrolledVoices(db, newKey(), practice, voice.model_sha256)).toEqual([])
    })
  })

  test('put in another person’s place it opens for nobody, and with another model it is not compared', async () => {
    await withVoice(async (db, key) => {
      expect(await enrolledVoices(db, key, practice, 'b'.repeat(64))).toEqual([])
      await db.updateTable('voices').set({ person_id: 'somebody-else' }).execute()
      expect(await enrolledVoices(db, key, practice, voice.model_sha256)).toEqual([])
    })
  })
})
