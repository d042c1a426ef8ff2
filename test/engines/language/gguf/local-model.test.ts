import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { AppError } from '#contract/errors.ts'
import type { Note } from '#contract/model/note.ts'
import type { Operation } from '#contract/model/operation.ts'
import type { EngineHost, EngineProcess } from '#engines/engine-host.ts'
import { forkedEngines } from '#engines/engine-host.ts'
import { startLocalModel } from '#engines/language/gguf/gguf-model.ts'
import type { LocalEngine } from '#engines/language/gguf/gguf-model.ts'
import { languageEngines } from '#engines/language/engines.ts'
import { draftFormOf } from '#engines/language/writer/ask.ts'
import { readAnswer } from '#engines/language/writer/read-answer.ts'
import { aClient, aSession, openKit } from '#test/service/service-kit.ts'
import { leftOut } from '#test/support/left-out.ts'
import { repository, unmet } from '#test/support/machine.ts'
import { writeTinyGguf } from '#test/support/tiny-gguf.ts'
import { words } from '../writer/a-session.ts'

const home = join(repository, 'tools', 'llama')
const never = new AbortController().signal
const plenty = 64 * 1024 ** 3
const failing = (code: string, detail: string) => expect.objectContaining({ code, detail: expect.stringContaining(detail) })

let folder: string
let tiny: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'afterword-gguf-'))
  tiny = join(folder, 'tiny.gguf')
  writeTinyGguf(tiny)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The real host, with a hold on what it started. */
function heldHost(): { host: EngineHost; started: EngineProcess[] } {
  const started: EngineProcess[] = []
  const real = forkedEngines()
  const start: EngineHost['start'] = (program) => {
    const child = real.start(program)
    started.push(child)
    return child
  }
  return { host: { start }, started }
}

describe('what can be known before a model is loaded is said in words', () => {
  const host: EngineHost = {
    start: () => {
      throw new Error('nothing is to be started')
    },
  }
  const start = (file: string, more: { home?: string; bytes?: number } = {}) =>
    startLocalModel(host, { file, home: more.home ?? installed(), context_tokens: null }, never, {
      availableBytes: more.bytes ?? plenty,
    })
  /** A folder that looks like the optional install. */
  function installed(): string {
    const made = mkdtempSync(join(folder, 'home-'))
    mkdirSync(join(made, 'node_modules', 'node-llama-cpp'), { recursive: true })
    writeFileSync(join(made, 'node_modules', 'node-llama-cpp', 'package.json'), '{"main":"index.js"}')
    return made
  }

  test('that what runs it is not installed', async () => {
    await expect(start(tiny, { home: folder })).rejects.toEqual(failing('engine-not-ready', 'npm run llama'))
  })
  test('that the packaged app runs none, without sending anyone to a command', async () => {
    const engines = languageEngines(() => ({ kind: 'model', file: tiny, home: null, context_tokens: null }), { host })
    const { ready, hint } = engines.state()
    expect([ready, hint]).toEqual([false, expect.stringContaining('Choose an AI server in Settings, or turn AI drafting off')])
    expect(hint).not.toContain('npm')
    await expect(engines.chosen(never)).rejects.toEqual(failing('engine-not-ready', 'can’t run AI models'))
  })
  test('that its file is gone', async () => {
    await expect(start(join(folder, 'gone.gguf'))).rejects.toEqual(failing('engine-not-ready', 'no longer there'))
  })
  test('that it is no model', async () => {
    const page = join(folder, 'page.gguf')
    writeFileSync(page, '<!doctype html><title>Sign in</title>')
    await expect(start(page)).rejects.toEqual(failing('engine-not-ready', 'not a model in the GGUF format'))
  })
  test('that it needs more memory than there is', async () => {
    await expect(start(tiny, { bytes: 300 * 1024 ** 2 })).rejects.toEqual(failing('engine-not-ready', '0.3 GB is free'))
  })
})

const why = await unmet('llama')
describe.skipIf(leftOut('a model through the real library', why))('a model through the real library', () => {
  const form = draftFormOf(['subjective', 'plan'])
  const question = {
    instructions: 'You draft notes.',
    prompt: '[1] Client: I slept badly.',
    form: z.toJSONSchema(form),
    most_tokens: 200,
  }
  const open: LocalEngine[] = []
  afterEach(() => {
    for (const engine of open.splice(0)) engine.close()
  })
  async function start(file: string, host = forkedEngines()): Promise<LocalEngine> {
    const engine = await startLocalModel(host, { file, home, context_tokens: 2048 }, never, { availableBytes: plenty })
    open.push(engine)
    return engine
  }

  test('is loaded, and answers in the form it is bound to', async () => {
    const { model } = await start(tiny)
    expect(model.engine).toEqual({ name: 'llama', version: '1', model: 'tiny' })
    expect(model.context_tokens).toBe(2048)
    let heard = ''
    const told = await model.tell(question, never, (piece) => (heard += piece))
    expect(told).toMatchObject({ kind: 'text', is_cut: false, read_tokens: expect.any(Number) })
    const text = told.kind === 'text' ? told.text : ''
    expect(readAnswer(form, text)).toEqual({ value: { sections: [] } })
    expect(heard).toBe(text)
    expect(await model.tell(question, never, () => {})).toEqual(told)
  })

  test('is stopped in the middle of an answer, and answers the next question', async () => {
    const talkative = join(folder, 'talkative.gguf')
    writeTinyGguf(talkative, { talkative: true })
    const { model } = await start(talkative)
    const control = new AbortController()
    let letters = 0
    const telling = model.tell({ ...question, most_tokens: 1500 }, control.signal, (piece) => {
      letters += piece.length
      if (letters > 20) control.abort(new AppError('cancelled'))
    })
    await expect(telling).rejects.toEqual(expect.objectContaining({ code: 'cancelled' }))
    expect(letters).toBeGreaterThan(20)
    expect(await model.tell({ ...question, most_tokens: 30 }, never, () => {})).toMatchObject({ kind: 'text', is_cut: true })
  })

  test('is never given more than it has room for', async () => {
    const { model } = await start(tiny)
    const long = { ...question, prompt: 'I slept badly. '.repeat(400) }
    expect(await model.tell(long, never, () => {})).toEqual({ kind: 'too-long' })
  })

  test('that is damaged is told, and takes nothing else with it', async () => {
    const broken = join(folder, 'broken.gguf')
    writeTinyGguf(broken)
    truncateSync(broken, 200_000)
    await expect(start(broken)).rejects.toEqual(failing('engine-not-ready', 'could not be loaded'))
  })

  test('whose process dies in the middle fails the question alone', async () => {
    const talkative = join(folder, 'dies.gguf')
    writeTinyGguf(talkative, { talkative: true })
    const { host, started } = heldHost()
    const engine = await start(talkative, host)
    const telling = engine.model.tell({ ...question, most_tokens: 1500 }, never, () => started[0]!.kill())
    await expect(telling).rejects.toEqual(failing('engine-failed', 'broke off'))
    expect(engine.isAlive()).toBe(false)
  })

  test('writes the draft of a session where the settings say so, and says so in the note', async () => {
    const { host, started } = heldHost()
    const kit = await openKit({ engines: host, language: () => ({ kind: 'model', file: tiny, home, context_tokens: 4096 }) })
    try {
      const session = await aSession(kit.client, (await aClient(kit.client)).id)
      const transcript = words.map(([who, text]) => `${who === 'T' ? 'Therapist' : 'Ana'}: ${text}`).join('\n')
      const body = { session_id: session.id, client_id: session.client_id, template: 'soap' as const, transcript }
      const draft = async (): Promise<Note> => {
        const { id } = (await kit.client.call('generateNote', { body, preferAsync: true })).data as Operation
        const ended = await vi.waitUntil(
          async () => {
            const operation = (await kit.client.call('getOperation', { params: { id } })).data
            return ['queued', 'running'].includes(operation.status) ? null : operation
          },
          { timeout: 50_000, interval: 20 },
        )
        expect(ended.problem).toBeNull()
        return ended.result as Note
      }
      const note = await draft()
      expect(note.engine).toEqual({ name: 'llama', version: '1', model: 'tiny' })
      expect(note.checks.map(({ code }) => code)).toContain('coverage')
      await draft()
      expect(started).toHaveLength(1)
    } finally {
      await kit.close()
    }
  })
})
