import { fileURLToPath } from 'node:url'
import { MessageChannel } from 'node:worker_threads'
import type Electron from 'electron'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { utilityEngines } from '#main/engines.ts'
import type { EngineHost } from '#engines/engine-host.ts'
import { type EngineGone, startListening, levelled } from '#engines/speech/local/listening.ts'
import { openTextEngines } from '#engines/texts/text-engines.ts'
import { relayedEngines, serveEngines } from '#shell/engine-relay.ts'
import { recogniser, samplesOfFile, tokens, vad } from '../engines/speech/local/stand-ins.ts'
import { app } from '#test/support/electron/app.ts'
import { journal } from '#test/support/electron/journal.ts'
import { utilityProcess } from '#test/support/electron/utility-process.ts'
import { heavyTexts } from '#test/support/heavy-texts.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'

app.standIn.finishLaunching()

const noData = leftOut('engines of the Electron shell', await unmet('test-data'))
const words = {
  model: { kind: 'tdnn_ctc' as const, name: 'stand-in', files: { model: recogniser, tokens } },
  vad,
  denoiser: null,
  language: 'en',
  vocabulary: [],
}

test('an engine that holds SIGTERM back is killed', async () => {
  const stubborn = fileURLToPath(new URL('./stubborn-engine.ts', import.meta.url))
  const fork: unknown = (_file: string, words: string[], options: never) => utilityProcess.fork(stubborn, words, options)
  const engine = utilityEngines(fork as typeof Electron.utilityProcess.fork).start('speech-engine')
  const codes: (number | null)[] = []
  engine.onExit((code) => codes.push(code))
  await new Promise<void>((ready) => engine.onMessage(() => ready()))
  engine.kill()
  await vi.waitUntil(() => codes.length === 1, { timeout: 20_000 })
})

test('an engine that is killed before it runs never runs', async () => {
  const engine = utilityEngines().start('speech-engine')
  const codes: (number | null)[] = []
  engine.onExit((code) => codes.push(code))
  engine.kill()
  await vi.waitUntil(() => codes.length === 1, { timeout: 20_000 })
})

test('a long text is drafted in a utility process by way of the main thread', async () => {
  const { port1, port2 } = new MessageChannel()
  serveEngines(port1, utilityEngines())
  const texts = openTextEngines(relayedEngines(port2))
  const said = { kind: 'text', text: heavyTexts['questions']!(6000), client_names: [] } as const
  const work = { kind: 'draft', template: 'soap', own: null, session: null, client: null, said } as const
  const ports = { signal: new AbortController().signal, model: null, onShare: () => {} }
  expect(await texts.run('practice', work, ports)).toMatchObject({ template: 'soap', engine: { name: 'rules' } })
  expect(journal()).toContainEqual({ what: 'utility-process', detail: 'Afterword text-engine' })
  texts.close()
  port2.close()
})

describe.skipIf(noData)('engines of the Electron shell', { timeout: 120_000 }, () => {
  let channel = new MessageChannel()
  afterEach(() => channel.port2.close())

  /** The core's thread, as far as engines go: it asks the main thread over a port. */
  function host(): { engines: EngineHost; exits: (number | null)[] } {
    channel = new MessageChannel()
    const exits: (number | null)[] = []
    const utility = utilityEngines()
    serveEngines(channel.port1, {
      start(program) {
        const engine = utility.start(program)
        engine.onExit((code) => exits.push(code))
        return engine
      },
    })
    return { engines: relayedEngines(channel.port2), exits }
  }
  const listen = (engines: EngineHost, signal = new AbortController().signal) =>
    startListening(engines, { words, speakers: null }, signal)

  test('sound goes to a utility process by way of the main thread, and words come back', async () => {
    const { engines, exits } = host()
    const listening = await listen(engines)
    const samples = levelled(samplesOfFile('session-flite.wav').slice(0, 32_000), 1)
    const { segments } = await listening.hear({ index: 0, samples, wantWords: true, keep: false })
    expect(segments.map(({ text }) => text)).toEqual(['How have you been since we last met?'])
    expect(journal()).toContainEqual({ what: 'utility-process', detail: 'Afterword speech-engine' })
    listening.close()
    await vi.waitUntil(() => exits.length === 1, { timeout: 20_000 })
  })

  test('the engines of a thread that ended end too', async () => {
    const { engines, exits } = host()
    await listen(engines)
    channel.port2.close()
    await vi.waitUntil(() => exits.length === 1, { timeout: 20_000 })
  })

  test('an engine that ends by itself is told across', async () => {
    const { engines } = host()
    const broken = { ...words, model: { ...words.model, files: { model: tokens, tokens } } }
    const refused = startListening(engines, { words: broken, speakers: null }, new AbortController().signal)
    await expect(refused).rejects.toMatchObject({ loading: 'words' } satisfies Partial<EngineGone>)
  })
})
