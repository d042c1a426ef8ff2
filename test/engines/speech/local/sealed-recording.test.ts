import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { silentLog } from '#base/log.ts'
import type { Operation } from '#contract/model/operation.ts'
import type { AudioFormat } from '#contract/model/recording.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { joinPackets } from '#core/recordings/opus-packets.ts'
import type { EngineHost, EngineProcess } from '#engines/engine-host.ts'
import { openRecordingCore, type RecordingCore } from '#test/crash/recording-core.ts'
import { seededRandom } from '#test/crash/seeded-random.ts'
import { aClient, aSession, openKit, type ServiceKit } from '#test/service/service-kit.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { demux } from '#test/support/ogg-pages.ts'
import { opusPackets } from '#test/support/opus-by-browser.ts'
import { wordErrors } from '../word-errors.ts'
import { eagerRecogniser } from './eager-recogniser.ts'
import { installed, said, samplesOfFile, watchedEngines, withSpeakers } from './stand-ins.ts'

const noData = leftOut('sealed recordings heard by models on this machine', await unmet('test-data'))
const noBrowser = noData || leftOut('words out of a sealed recording', await unmet('browser'))
const isFull = process.env['AFTERWORD_FAULTS'] === 'full'
const kills = isFull ? 50 : 4
const timeout = isFull ? 3_600_000 : 120_000
const format: AudioFormat = { codec: 'opus', input_sample_rate: 48_000, channels: 1, bitrate: 28_000, pre_skip: 312 }
const ownSpeech = demux(readFileSync(new URL('../../../fixtures/speech/session.ogg', import.meta.url))).packets.slice(2)

describe.skipIf(noData)('a sealed recording and the models on this machine', { timeout }, () => {
  let folder = ''
  let core: RecordingCore
  let kit: ServiceKit | null = null
  let client_id = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'afterword-sealed-'))
    core = openRecordingCore({ folder, log: silentLog })
  })
  afterEach(async () => {
    await kit?.close()
    kit = null
    core.db.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function open(engines: EngineHost, pieceSeconds: number, models = installed(withSpeakers)): Promise<ServiceKit> {
    await kit?.close()
    kit = await openKit({ engines, installed: async () => models, audio: core.audio, pieceSeconds })
    client_id = (await aClient(kit.client)).id
    return kit
  }

  /** A recording under way, and what takes one more record of it. */
  async function startRecording(packets: readonly Uint8Array[]) {
    const session = (await aSession(kit!.client, client_id)).id
    const started = await core.handlers['recordings.start']({
      session_id: session,
      window_id: 'window',
      format,
      device_label: '',
    })
    const { recording_id } = started
    let sequence = 0
    const append = (): void => {
      const ten = Array.from({ length: 10 }, (_, index) => packets[(sequence * 10 + index) % packets.length]!)
      core.append.append({ recording_id, peak: 0.5, rms: 0.1, sequence, packets: joinPackets(ten) })
      sequence += 1
    }
    return { recording_id, session, append, finish: () => core.handlers['recordings.finish']({ recording_id }) }
  }

  async function record(packets: readonly Uint8Array[], seconds: number): Promise<{ recording_id: string; session: string }> {
    const recording = await startRecording(packets)
    for (let at = 0; at < seconds * 5; at += 1) recording.append()
    await recording.finish()
    return recording
  }

  async function ask(recording_id: string, session: string): Promise<Operation> {
    const { client } = kit!
    const { data: upload } = await client.call('createUpload', { body: { recording_id, media_type: 'audio/ogg' } })
    const body = { audio: { upload_id: upload.id }, session_id: session, speakers: { min: 2, max: 2 } }
    return (await client.call('transcribeWithSpeakers', { body, preferAsync: true })).data as Operation
  }

  /** Every progress that was seen, in order, and the transcript. */
  async function follow({ id }: Operation, beside: () => void = () => {}): Promise<{ seen: number[]; transcript: Transcript }> {
    const seen: number[] = []
    for (;;) {
      const { data } = await kit!.client.call('getOperation', { params: { id } })
      seen.push(data.progress)
      if (data.status === 'succeeded') return { seen, transcript: data.result as Transcript }
      if (data.status === 'failed') throw new Error(data.problem?.detail ?? data.problem?.code)
      beside()
      await later(10)
    }
  }

  test.skipIf(noBrowser)('its words come out in order, with their times and under who said them', async () => {
    await open(watchedEngines(), 30)
    const samples = samplesOfFile('session-flite.wav')
    const packets = await opusPackets(samples)
    const { recording_id, session } = await record(packets, Math.floor(packets.length / 50))
    const { seen, transcript } = await follow(await ask(recording_id, session))
    const words = transcript.segments.flatMap((segment) => segment.words ?? [])
    const errors = wordErrors(said(), words.map(({ text }) => text).join(' '))
    process.stdout.write(`word errors of the stand-in out of a sealed recording: ${(errors * 100).toFixed(1)}%\n`)
    expect(errors).toBeLessThan(0.05)
    expect(words.map(({ start_ms }) => start_ms)).toEqual(words.map(({ start_ms }) => start_ms).toSorted((a, b) => a - b))
    expect(words.at(-1)!.end_ms).toBeGreaterThan(55_000)
    expect(transcript.speakers).toHaveLength(2)
    const turns = said().trim().split('\n').length
    expect(transcript.segments.length).toBeGreaterThanOrEqual(turns)
    expect(seen).toEqual(seen.toSorted((left, right) => left - right))
  })

  test(`${kills} kills of the engine's process cost neither the transcript nor the recording beside it`, async () => {
    const { random, seed } = seededRandom()
    process.stderr.write(`engine kills: ${kills}, AFTERWORD_SEED=${seed}\n`)
    const eager = { ...installed(withSpeakers), speech: eagerRecogniser(folder) }
    // So that as many as are meant find their moment in what is heard.
    const chance = isFull ? 0.12 : 0.3
    let furthest = -1
    let inVain = 0
    const gotFurther = new WeakSet<EngineProcess>()
    const killed = new Set<EngineProcess>()
    const engines = watchedEngines((raw, engine) => {
      const message = raw as { kind: string; index?: number }
      if (message.kind === 'heard' && message.index! > furthest) {
        furthest = message.index!
        gotFurther.add(engine)
      }
      // Three ends in a row without a new piece are taken for the work's own fault.
      const mayDie = gotFurther.has(engine) || inVain < 1
      if (killed.size === kills || killed.has(engine) || !mayDie || random() > chance) return
      killed.add(engine)
      engine.onExit(() => (inVain = gotFurther.has(engine) ? 0 : inVain + 1))
      engine.kill()
    })
    await open(engines, 2, eager)
    const seconds = kills * 6
    const { recording_id, session } = await record(ownSpeech, seconds)
    const other = await startRecording(ownSpeech)
    let records = 0
    const { seen, transcript } = await follow(await ask(recording_id, session), () => {
      other.append()
      records += 1
    })
    expect(killed.size).toBe(kills)
    expect(engines.started.length).toBe(kills + 1)
    expect(seen).toEqual(seen.toSorted((left, right) => left - right))

    expect(await other.finish()).toMatchObject({ state: 'finished', saved_ms: records * 200, gaps: [] })
    const parts: Uint8Array[] = []
    for await (const part of core.audio.read(other.recording_id)) parts.push(part)
    const kept = demux(Buffer.concat(parts)).packets.slice(2)
    expect(kept).toHaveLength(records * 10)
    expect(kept.every((packet, index) => packet.equals(ownSpeech[index % ownSpeech.length]!))).toBe(true)

    await open(watchedEngines(), 2, eager)
    const undisturbed = await hearAgain(recording_id)
    expect(undisturbed.segments.length).toBeGreaterThan(kills)
    expect(whatWasSaid(transcript)).toEqual(whatWasSaid(undisturbed))
  })

  test('closed in the middle, the service goes on at its next start behind what it heard, to the same end', async () => {
    const eager = { ...installed(withSpeakers), speech: eagerRecogniser(folder) }
    const reached = Promise.withResolvers<void>()
    const first = watchedEngines((raw) => {
      const message = raw as { kind: string; index?: number }
      if (message.kind === 'heard' && message.index === 2) reached.resolve()
    })
    await open(first, 2, eager)
    const { recording_id, session } = await record(ownSpeech, 20)
    const operation = await ask(recording_id, session)
    await reached.promise
    const wordsOfFirst: unknown[] = []
    const engines = watchedEngines((raw) => {
      const message = raw as { kind: string; index?: number; segments?: unknown[] }
      if (message.kind === 'heard' && message.index! < 2) wordsOfFirst.push(...message.segments!)
    })
    await kit!.reopen({ engines, installed: async () => eager, audio: core.audio, pieceSeconds: 2 })
    const { transcript } = await follow(operation)
    expect(wordsOfFirst).toEqual([])
    expect(whatWasSaid(transcript)).toEqual(whatWasSaid(await hearAgain(recording_id)))
  })

  /** The same sound from its beginning, under a session of its own. */
  async function hearAgain(recording_id: string): Promise<Transcript> {
    const { id } = await aSession(kit!.client, client_id)
    core.db.prepare('UPDATE recordings SET session_id = ? WHERE id = ?').run(id, recording_id)
    return (await follow(await ask(recording_id, id))).transcript
  }
})

const whatWasSaid = ({ segments, speakers }: Transcript) => ({ segments, speakers })
