import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type LocalEngine, startLocalModel } from '#engines/language/gguf/gguf-model.ts'
import type { Later } from '#engines/language/gguf/gguf-model.ts'
import { scriptedEngine, type ScriptedEngine } from '#test/support/scripted-engine.ts'
import { writeTinyGguf } from '#test/support/tiny-gguf.ts'

const never = new AbortController().signal
const question = {
  instructions: 'You draft notes.',
  prompt: '[1] Client: I slept badly.',
  form: z.toJSONSchema(z.object({})),
  most_tokens: 200,
}
const failing = (detail: string) => expect.objectContaining({ code: 'engine-failed', detail: expect.stringContaining(detail) })

let home: string
let file: string
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'afterword-gguf-'))
  mkdirSync(join(home, 'node_modules', 'node-llama-cpp'), { recursive: true })
  writeFileSync(join(home, 'node_modules', 'node-llama-cpp', 'package.json'), '{"main":"index.js"}')
  file = join(home, 'tiny.gguf')
  writeTinyGguf(file)
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** Time stands still until a test lets it pass. */
function heldTime() {
  const due = new Set<() => void>()
  let begun = 0
  const later: Later = (_ms, act) => {
    begun += 1
    due.add(act)
    return () => due.delete(act)
  }
  return { later, begun: () => begun, isRunning: () => due.size > 0, pass: () => due.forEach((act) => act()) }
}

type Time = ReturnType<typeof heldTime>
const start = (engine: ScriptedEngine, { later }: Time): Promise<LocalEngine> =>
  startLocalModel(engine.host, { file, home, context_tokens: null }, never, { availableBytes: 64 * 1024 ** 3, later })

/** A model that has said that it is loaded. */
async function loaded(engine: ScriptedEngine, time: Time): Promise<LocalEngine> {
  const starting = start(engine, time)
  await expect.poll(() => engine.sent.length).toBe(1)
  engine.say({ kind: 'loaded', context_tokens: 4096 })
  return starting
}

describe('a model process that says what nobody understands', () => {
  test('fails the start alone, and is ended', async () => {
    const engine = scriptedEngine()
    const starting = start(engine, heldTime())
    await expect.poll(() => engine.sent.length).toBe(1)
    engine.say({ kind: 'loaded', context_tokens: 'many' })
    await expect(starting).rejects.toEqual(failing('broke off'))
    expect(engine.isKilled()).toBe(true)
  })

  test('fails the questions that wait and those that come later, and is ended', async () => {
    const engine = scriptedEngine()
    const { model, isAlive } = await loaded(engine, heldTime())
    const telling = model.tell(question, never, () => {})
    engine.say('half a mess')
    await expect(telling).rejects.toEqual(failing('broke off'))
    expect([engine.isKilled(), isAlive()]).toEqual([true, false])
    await expect(model.tell(question, never, () => {})).rejects.toEqual(failing('broke off'))
  })
})

describe('a model that gives no sign of life', () => {
  test('while it is loaded is ended, and that is said', async () => {
    const engine = scriptedEngine()
    const time = heldTime()
    const starting = start(engine, time)
    await expect.poll(() => engine.sent.length).toBe(1)
    time.pass()
    await expect(starting).rejects.toEqual(failing('no sign of life for 15 minutes'))
    expect(engine.isKilled()).toBe(true)
  })

  test('in an answer is ended; each piece of text gives it its time anew, and at rest it has all the time', async () => {
    const engine = scriptedEngine()
    const time = heldTime()
    const { model, isAlive } = await loaded(engine, time)
    expect(time.isRunning()).toBe(false)
    const telling = model.tell(question, never, () => {})
    const before = time.begun()
    engine.say({ kind: 'text', id: 1, piece: '{' })
    engine.say({ kind: 'text', id: 1, piece: '}' })
    expect(time.begun()).toBe(before + 2)
    engine.say({ kind: 'done', id: 1, is_cut: false, read_tokens: 9 })
    expect(await telling).toMatchObject({ kind: 'text', text: '{}' })
    expect(time.isRunning()).toBe(false)
    const silent = model.tell(question, never, () => {})
    time.pass()
    await expect(silent).rejects.toEqual(failing('no sign of life'))
    expect([engine.isKilled(), isAlive()]).toEqual([true, false])
  })
})
