import { afterEach, describe, expect, test, vi } from 'vitest'
import type { EngineHost } from '#engines/engine-host.ts'
import { forkedEngines } from '#engines/engine-host.ts'
import type { Question, TextModel, Told } from '#engines/language/port.ts'
import type { FromEngine, ToEngine, TextWork } from '#engines/texts/text-work.ts'
import { openTextEngines, usualTextLimits } from '#engines/texts/text-engines.ts'
import type { TextEngines, TextLimits } from '#engines/texts/text-engines.ts'
import { heavyTexts } from '#test/support/heavy-texts.ts'

const never = new AbortController().signal
const said = { kind: 'text', text: heavyTexts['questions']!(6000), client_names: [] } as const
const work: TextWork = { kind: 'draft', template: 'soap', own: null, session: null, client: null, said }
const tooMuch = expect.objectContaining({ code: 'engine-failed', detail: expect.stringContaining('more time or memory') })

let engines: TextEngines
afterEach(() => {
  vi.useRealTimers()
  engines.close()
})

interface Scripted {
  readonly orders: ToEngine[]
  isKilled: boolean
  say(message: FromEngine): void
  exit(code?: number): void
}

/** Engines that do as the test says, in the order they are started. */
function scripted(limits: Partial<TextLimits> = {}): Scripted[] {
  const started: Scripted[] = []
  const host: EngineHost = {
    start() {
      const listeners: ((message: unknown) => void)[] = []
      const exits: ((code: number | null) => void)[] = []
      const engine: Scripted = {
        orders: [],
        isKilled: false,
        say: (message) => listeners.forEach((listener) => listener(message)),
        exit: (code) => exits.forEach((exit) => exit(code ?? null)),
      }
      started.push(engine)
      return {
        send: (message) => void engine.orders.push(message as ToEngine),
        onMessage: (listener) => void listeners.push(listener),
        onExit: (listener) => void exits.push(listener),
        kill: () => {
          engine.isKilled = true
          engine.exit()
        },
      }
    },
  }
  engines = openTextEngines(host, { ...usualTextLimits, ...limits })
  return started
}

const run = (practice: string, ports: { signal?: AbortSignal; model?: TextModel } = {}) =>
  engines.run(practice, work, { signal: never, model: null, onShare: () => {}, ...ports })
const often = { interval: 1, timeout: 10_000 }
const note = { template: 'soap' } as never
const begun = (started: readonly Scripted[], count: number) => vi.waitUntil(() => started.length === count, often)

test('work beyond its time is stopped, and the next is done in a new engine', async () => {
  const started = scripted({ computeMs: 500 })
  await expect(run('a')).rejects.toEqual(tooMuch)
  expect(started[0]!.isKilled).toBe(true)
  const next = run('a')
  await begun(started, 2)
  started[1]!.say({ kind: 'done', result: note })
  expect(await next).toBe(note)
})

test('an engine whose heap is full fails its work alone', async () => {
  const started = scripted()
  const [one, other] = [run('a'), run('b')]
  await begun(started, 2)
  const failed = expect(one).rejects.toEqual(tooMuch)
  started[0]!.exit(134)
  await failed
  started[1]!.say({ kind: 'done', result: note })
  expect(await other).toBe(note)
})

test('an engine whose work failed in a known way takes the next; one with a bug does not', async () => {
  const started = scripted()
  const silent = expect(run('a')).rejects.toEqual(expect.objectContaining({ code: 'nothing-said' }))
  await begun(started, 1)
  started[0]!.say({ kind: 'failed', code: 'nothing-said', detail: undefined, error: 'AppError' })
  await silent
  const broken = expect(run('a')).rejects.toThrow('RangeError')
  await vi.waitUntil(() => started[0]!.orders.length === 2, often)
  started[0]!.say({ kind: 'failed', code: null, detail: undefined, error: 'RangeError' })
  await broken
  expect([started.length, started[0]!.isKilled]).toEqual([1, true])
})

test('six practices at once start no more engines than there are turns', async () => {
  const started = scripted({ width: 2 })
  const works = Array.from({ length: 6 }, (_, number) => run(`practice ${number}`))
  const answered = new Map<Scripted, number>()
  const answer = (): boolean => {
    for (const engine of started) {
      if ((answered.get(engine) ?? 0) >= engine.orders.length) continue
      answered.set(engine, engine.orders.length)
      engine.say({ kind: 'done', result: note })
    }
    return [...answered.values()].reduce((sum, count) => sum + count, 0) === 6
  }
  await vi.waitUntil(answer, often)
  await Promise.all(works)
  expect(started.length).toBe(2)
})

test('an engine without work ends after a while', async () => {
  const started = scripted({ idleMs: 5 })
  const first = run('a')
  await begun(started, 1)
  started[0]!.say({ kind: 'done', result: note })
  await first
  await vi.waitUntil(() => started[0]!.isKilled, often)
})

test('cancelled, its engine ends at once', async () => {
  const started = scripted()
  const control = new AbortController()
  const cancelled = expect(run('a', { signal: control.signal })).rejects.toThrow('enough')
  await begun(started, 1)
  control.abort(new Error('enough'))
  await cancelled
  expect(started[0]!.isKilled).toBe(true)
})

describe('while a model is asked', () => {
  const question: Question = { instructions: 'i', prompt: 'p', form: {}, most_tokens: 10 }
  const told: Told = { kind: 'text', text: '{}', is_cut: false, read_tokens: null }
  const answering = (answer: () => Promise<Told>): TextModel => ({
    engine: { name: 'test', version: '1', model: 'm' },
    context_tokens: 4096,
    tell: async (_question, signal, onText) => {
      onText('piece')
      const stopped = Promise.withResolvers<never>()
      signal.addEventListener('abort', () => stopped.reject(signal.reason))
      return Promise.race([answer(), stopped.promise])
    },
  })

  test('others have the turn and no time is counted', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const started = scripted({ computeMs: 500, width: 1 })
    const answer = Promise.withResolvers<Told>()
    const asking = run('a', { model: answering(() => answer.promise) })
    await begun(started, 1)
    started[0]!.say({ kind: 'ask', question })
    const other = run('a')
    await begun(started, 2)
    started[1]!.say({ kind: 'done', result: note })
    expect(await other).toBe(note)
    vi.advanceTimersByTime(1000)
    answer.resolve(told)
    await vi.waitUntil(() => started[0]!.orders.some(({ kind }) => kind === 'told'), often)
    started[0]!.say({ kind: 'done', result: note })
    expect(await asking).toBe(note)
    expect(started[0]!.orders.map(({ kind }) => kind)).toEqual(['work', 'piece', 'told'])
  })

  test('what the model fails with is what the work fails with', async () => {
    const started = scripted()
    const failed = expect(run('a', { model: answering(() => Promise.reject(new Error('refused'))) })).rejects.toThrow('refused')
    await begun(started, 1)
    started[0]!.say({ kind: 'ask', question })
    await failed
    expect(started[0]!.isKilled).toBe(true)
  })
})

test('a model drafts a long text in an engine: it is asked here and its words are held against the text there', async () => {
  engines = openTextEngines(forkedEngines())
  const asked: Question[] = []
  const text = `{"sections":[{"key":"subjective","statements":[{"text":"Yes.","finding":"none","evidence":[{"segment":2,"quote":"Yes."}]}]}]}`
  const model: TextModel = {
    engine: { name: 'test', version: '1', model: 'm' },
    context_tokens: 16_384,
    tell: async (question) => {
      asked.push(question)
      return { kind: 'text', text, is_cut: false, read_tokens: null }
    },
  }
  const drafted = await run('a', { model })
  expect(drafted).toMatchObject({ engine: model.engine, template: 'soap' })
  expect(asked[0]?.form).toMatchObject({ type: 'object' })
  expect(asked[0]?.prompt).toContain('Do you sleep well')
})
