import { afterEach, expect, test, vi } from 'vitest'
import { silentLog } from '#base/log.ts'
import type { Log } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import type { Operation } from '#contract/model/operation.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { rulesLanguage } from '#engines/language/rules/engine.ts'
import { startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import type { ScriptedSpeech, Step } from '#test/support/speech-server-scripted.ts'
import type { ServiceOptions } from '#service/compose/open-service.ts'
import type { SpeechSettings } from '#base/engine-settings.ts'
import { aClient, agree, anId, aSession, audioOf, openKit, sessionOgg } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'

let kit: ServiceKit
let speech: ScriptedSpeech
let client: string
let session: string
let upload: string
let consent: string

/** A session everyone agreed to, with its recording; three pieces of sound at ten seconds each. */
async function open(steps: Step[], more: Partial<ServiceOptions> = {}): Promise<void> {
  const recording = anId()
  const recordings: Record<string, { bytes: Uint8Array; session_id: string }> = {}
  speech = await startScriptedSpeech(steps)
  const settings = { address: speech.address, model: 'm', key: 'k', language: 'en' }
  kit = await openKit({
    speech: () => settings,
    audio: audioOf(recordings),
    pieceSeconds: 10,
    speechTuning: { pauses: [] },
    consentPolicy: 'enforced',
    ...more,
  })
  client = (await aClient(kit.client)).id
  session = (await aSession(kit.client, client)).id
  recordings[recording] = { bytes: sessionOgg, session_id: session }
  consent = (await agree(kit.client, client)).id
  const body = { recording_id: recording, media_type: 'audio/ogg' } as const
  upload = (await kit.client.call('createUpload', { body })).data.id
}
afterEach(async () => {
  await kit.close()
  await speech.close()
})

const heard = { status: 200, body: JSON.stringify({ segments: [{ start: 0.5, end: 1, text: 'word' }] }) }
const start = async (): Promise<string> =>
  ((await kit.client.call('transcribe', { body: { audio: { upload_id: upload } }, preferAsync: true })).data as Operation).id
async function draft(transcript = 'Ana: I slept badly and felt anxious.'): Promise<string> {
  const body = { session_id: session, client_id: client, template: 'soap', transcript } as const
  return ((await kit.client.call('generateNote', { body, preferAsync: true })).data as Operation).id
}
const revoke = () => kit.client.call('revokeConsent', { params: { id: consent }, body: { revoked_at: new Date().toISOString() } })

async function ended(id: string): Promise<Operation> {
  return vi.waitUntil(
    async () => {
      const { data } = await kit.client.call('getOperation', { params: { id } })
      return ['queued', 'running'].includes(data.status) ? null : data
    },
    { timeout: 20_000, interval: 20 },
  )
}

const keptPieces = async (): Promise<number> => Number((await kit.ask('select count(*) as n from operation_pieces'))[0]?.['n'])

const withdrawn = { status: 'failed', problem: { code: 'consent-missing' } }

test('consent taken back between two pieces: no more sound is sent, and nothing heard is kept', async () => {
  await open([heard, 'hang'])
  const id = await start()
  await speech.arrived(2)
  await revoke()
  speech.letGo(heard)
  expect(await ended(id)).toMatchObject(withdrawn)
  expect(speech.requests).toHaveLength(2)
  expect((await kit.client.call('listTranscripts', {})).data.data).toEqual([])
  expect(await keptPieces()).toBe(0)
})

test('consent taken back during the last piece: the transcript is not stored', async () => {
  await open(['hang'], { pieceSeconds: 300 })
  const id = await start()
  await speech.arrived(1)
  await revoke()
  speech.letGo(heard)
  expect(await ended(id)).toMatchObject(withdrawn)
  expect((await kit.client.call('listTranscripts', {})).data.data).toEqual([])
})

test('consent taken back while a draft is written: the draft is not stored', async () => {
  const begun = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const rules = rulesLanguage()
  const language: typeof rules = {
    ...rules,
    draft: async (request, signal) => {
      begun.resolve()
      await held.promise
      return rules.draft(request, signal)
    },
  }
  await open([heard], { writer: language })
  const id = await draft()
  await begun.promise
  await revoke()
  held.resolve()
  expect(await ended(id)).toMatchObject(withdrawn)
  expect((await kit.client.call('listNotes', {})).data.data).toEqual([])
})

test('a text sent along is not in the row that each step writes again, and is gone once the work is over', async () => {
  const begun = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const rules = rulesLanguage()
  const writer: typeof rules = {
    ...rules,
    draft: async (request, signal) => {
      begun.resolve()
      await held.promise
      return rules.draft(request, signal)
    },
  }
  await open([heard], { writer })
  const long = 'Ana: I slept badly and felt anxious. '.repeat(100)
  const id = await draft(long)
  await begun.promise
  const lengths = (column: string, table: string) => kit.ask<{ n: unknown }>(`select length(${column}) as n from ${table}`)
  expect(Number((await lengths('payload', 'operations'))[0]?.n)).toBeLessThan(1000)
  expect(Number((await lengths('text', 'operation_texts'))[0]?.n)).toBeGreaterThanOrEqual(long.length)
  held.resolve()
  expect(await ended(id)).toMatchObject({ status: 'succeeded' })
  expect(await lengths('text', 'operation_texts')).toEqual([])
})

test('work whose end cannot be stored is ended once the store takes it again', async () => {
  const failed = Promise.withResolvers<void>()
  const log: Log = { ...silentLog, error: (event) => event === 'jobs.store' && failed.resolve() }
  await open([{ status: 400 }], { log })
  const refusing = {
    sqlite: "create trigger full before update on operations when new.status = 'failed' begin select raise(abort, 'full'); end",
    postgres: "alter table operations add constraint refusing check (status <> 'failed')",
  }
  const takingAgain = { sqlite: 'drop trigger full', postgres: 'alter table operations drop constraint refusing' }
  await kit.ask(refusing[kit.store.kind])
  const id = await start()
  await failed.promise
  await kit.ask(takingAgain[kit.store.kind])
  // Whatever is asked for next rings the bell; otherwise it rings by itself after five seconds.
  await draft()
  expect(await ended(id)).toMatchObject({ status: 'failed', problem: { code: 'engine-failed' } })
})

test('closed in good order ever so often, long work goes on at the next start', async () => {
  await open([...Array<Step>(6).fill('hang'), heard], { pieceSeconds: 300 })
  const id = await start()
  for (let times = 1; times <= 6; times += 1) {
    await speech.arrived(times)
    await kit.reopen()
  }
  expect(await ended(id)).toMatchObject({ status: 'succeeded' })
})

test('what was heard before the work was given up is there when it is asked for again, and for no other question', async () => {
  await open([heard, 'hang', heard])
  const id = await start()
  await speech.arrived(2)
  await kit.ask('update operations set attempts = 99')
  await kit.reopen()
  expect(await ended(id)).toMatchObject({ status: 'failed', problem: { code: 'engine-failed' } })
  expect(await keptPieces()).toBe(1)
  const { result } = await ended(await start())
  expect((result as Transcript).segments).toHaveLength(3)
  expect(speech.requests).toHaveLength(4)
  expect(await keptPieces()).toBe(0)
})

test('what was heard stays as well where a model turned out damaged, and goes on when it is put right', async () => {
  let isDamaged = false
  const kept: SpeechSettings = { address: '', model: 'm', key: 'k', language: 'en' }
  await open([heard, 'hang', heard], {
    speech: () => {
      if (isDamaged) throw new AppError('model-damaged')
      return { ...kept, address: speech.address }
    },
  })
  const id = await start()
  await speech.arrived(2)
  isDamaged = true
  await kit.reopen()
  expect(await ended(id)).toMatchObject({ status: 'failed', problem: { code: 'model-damaged' } })
  expect(await keptPieces()).toBe(1)
  isDamaged = false
  const { result } = await ended(await start())
  expect((result as Transcript).segments).toHaveLength(3)
  expect(speech.requests).toHaveLength(4)
})

test('a piece that is kept makes up for every start before it', async () => {
  await open([heard, 'hang', heard])
  await start()
  await kit.ask('update operations set attempts = 3')
  await speech.arrived(2)
  const [attempts] = await kit.ask<{ attempts: number }>('select attempts from operations')
  expect(attempts).toEqual({ attempts: 0 })
})

test('what was heard goes as well where consent is taken back after the work was given up', async () => {
  await open([heard, 'hang'])
  const id = await start()
  await speech.arrived(2)
  await kit.ask('update operations set attempts = 99')
  await kit.reopen()
  await ended(id)
  expect(await keptPieces()).toBe(1)
  await revoke()
  expect(await keptPieces()).toBe(0)
})
