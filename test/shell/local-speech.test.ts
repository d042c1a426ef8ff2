import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Answer } from '#contract/bridge/method.ts'
import type { MethodInput, MethodName, MethodOutput } from '#contract/bridge/methods.ts'
import { joinPackets } from '#core/recordings/opus-packets.ts'
import { utilityEngines } from '#main/engines.ts'
import { type CoreHost, startCore } from '#shell/core-host.ts'
import type { HostOptions } from '#shell/core-threads.ts'
import { app } from '#test/support/electron/app.ts'
import { eagerRecogniser } from '../engines/speech/local/eager-recogniser.ts'
import { vad } from '../engines/speech/local/stand-ins.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { demux } from '#test/support/ogg-pages.ts'

app.standIn.finishLaunching()

const noData = leftOut('models on this laptop in both shells', await unmet('test-data'))
/** Eight seconds: a question and its answer. */
const packets = demux(readFileSync(new URL('../fixtures/speech/session.ogg', import.meta.url))).packets.slice(2, 2 + 8 * 50)
const format = { codec: 'opus', input_sample_rate: 48_000, channels: 1, bitrate: 28_000, pre_skip: 312 } as const

/** In Electron the main thread alone starts processes; in the preview the core's thread does. */
const shells: [HostOptions['shell'], Partial<HostOptions>][] = [
  ['preview', {}],
  ['electron', { engines: utilityEngines() }],
]

describe.skipIf(noData).each(shells)('models on this laptop, in the %s', (shell, options) => {
  let folder = ''
  let host: CoreHost
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'afterword-shell-speech-'))
    host = await startCore({
      folder: join(folder, 'profile'),
      resources: resolve('resources'),
      shell,
      app_version: '0.0.0',
      startLocked: false,
      passphraseFile: undefined,
      onEvent: () => {},
      ...options,
    })
  })
  afterEach(async () => {
    await host.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function call<Name extends MethodName>(name: Name, input: MethodInput<Name>): Promise<MethodOutput<Name>> {
    const answer = (await host.call(name, input)) as Answer<MethodOutput<Name>>
    if (!answer.ok) throw new Error(`${name}: ${answer.error.code}`)
    return answer.value
  }

  async function record(): Promise<string> {
    const { id: client_id } = await call('clients.create', { display_name: 'Maren Voss' })
    const starts_at = '2026-11-24T14:00:00Z'
    const session = await call('sessions.create', { client_id, session_type: 'individual', starts_at, duration_minutes: 50 })
    const participant = { name: 'Maren Voss', role: 'client' as const }
    const scopes = ['record', 'transcribe', 'draft'] as const
    await call('consents.give', { client_id, participant, scopes: [...scopes], text_version: '1', method: 'spoken' })
    const window = { session_id: session.id, window_id: 'window-one', format, device_label: 'Test' }
    const { recording_id } = await call('recordings.start', window)
    await speak(recording_id)
    await call('recordings.finish', { recording_id })
    return session.id
  }

  async function speak(recording_id: string): Promise<void> {
    for (let sequence = 0; sequence * 10 < packets.length; sequence += 1) {
      const ten = joinPackets(packets.slice(sequence * 10, sequence * 10 + 10))
      await call('recordings.append', { recording_id, sequence, packets: new Uint8Array(ten), peak: 0.5, rms: 0.2 })
    }
  }

  test('a model that was brought in writes out what is recorded next, and what is dictated', { timeout: 120_000 }, async () => {
    const passphrase = 'a long enough passphrase'
    await call('vault.create', {
      protection: 'passphrase',
      passphrase,
      therapist_name: 'Robin Adair',
      therapist_credential: null,
    })
    const { files } = eagerRecogniser(folder)()
    const words = await call('models.import', { paths: [files['model']!, files['tokens']!], own_name: 'Eager' })
    expect(words.refused).toEqual([])
    expect((await call('models.import', { paths: [vad], own_name: null })).refused).toEqual([])
    const session_id = await record()
    await call('transcripts.request', { session_id })
    const note = await call('notes.start', { session_id, template: 'soap' })
    const dictation = { session_id, section_key: note.sections[0]!.key, window_id: 'window-one', format }
    const { id } = await call('dictations.start', dictation)
    await speak(id)
    expect((await call('dictations.transcribe', { id })).text).toMatch(/^invented( invented)*$/)
    await call('dictations.delete', { id, accepted: true })
    const transcript = await vi.waitUntil(
      async () => {
        const { transcript: heard, work } = await call('transcripts.get', { session_id })
        if (work.error !== null) throw new Error(work.error)
        return heard
      },
      { timeout: 110_000, interval: 100 },
    )
    expect(transcript.engine.name).toBe('sherpa-onnx')
    expect(transcript.duration_ms).toBeGreaterThan(7900)
    expect(transcript.segments.length).toBeGreaterThan(1)
    expect(new Set(transcript.segments.map(({ text }) => text))).toEqual(new Set(['invented']))
  })
})
