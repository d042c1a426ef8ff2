import { QueryObserver } from '@tanstack/react-query'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Answer } from '#contract/bridge/method.ts'

/** A core that answers when it is let, with what was so when it was asked. */
const core = {
  state: 0,
  emit: (_name: string, _payload: unknown): void => {},
  asked: [] as (() => void)[],
}
const bridge = {
  call(): Promise<Answer<unknown>> {
    const value = core.state
    return new Promise((resolve) => core.asked.push(() => resolve({ ok: true, value })))
  },
  on(listener: typeof core.emit) {
    core.emit = listener
    return () => {}
  },
  onConnection: () => () => {},
}

let client: typeof import('#renderer/bridge/query-client.ts').queryClient
let call: typeof import('#renderer/bridge/use-bridge.ts').call

beforeAll(async () => {
  vi.stubGlobal('window', { afterword: bridge })
  const module = await import('#renderer/bridge/query-client.ts')
  ;({ call } = await import('#renderer/bridge/use-bridge.ts'))
  client = module.queryClient
  module.listenToCore()
})

beforeEach(() => {
  client.clear()
  Object.assign(core, { state: 0, asked: [] })
})

function show(
  name: 'recordings.recoverable' | 'settings.get' | 'transcripts.get' | 'sessions.list' | 'notes.get',
): () => unknown {
  const observer = new QueryObserver(client, { queryKey: [name, {}], queryFn: () => call(name, {}) })
  let shown: unknown
  observer.subscribe(({ data }) => (shown = data))
  return () => shown
}

async function answerAll(): Promise<void> {
  await vi.waitFor(() => expect(core.asked).not.toEqual([]))
  for (const answer of core.asked.splice(0)) answer()
}

test('a change that falls into the first answer is read once that answer has arrived', async () => {
  const shown = show('recordings.recoverable')
  core.state = 1
  core.emit('records.changed', { kinds: ['recordings'] })
  await answerAll()
  await answerAll()
  await vi.waitFor(() => expect(shown()).toBe(1))
})

test('a state that was pushed is not replaced for good by an older answer', async () => {
  const { demoSettings } = await import('#test/support/demo-records.ts')
  const shown = show('settings.get')
  core.state = 1
  core.emit('settings.changed', demoSettings)
  expect(shown()).toEqual(demoSettings)
  await answerAll()
  await answerAll()
  await vi.waitFor(() => expect(shown()).toBe(1))
})

test.each([
  ['settings.changed', 'transcripts.get'],
  ['settings.changed', 'sessions.list'],
  ['models.changed', 'transcripts.get'],
  ['models.changed', 'sessions.list'],
] as const)('after %s, %s says whether an engine is set up now', async (event, name) => {
  const { demoSettings } = await import('#test/support/demo-records.ts')
  const { demoModels } = await import('#test/support/demo-models.ts')
  const shown = show(name)
  await answerAll()
  await vi.waitFor(() => expect(shown()).toBe(0))
  core.state = 1
  core.emit(event, event === 'settings.changed' ? demoSettings : demoModels('all there'))
  await answerAll()
  await vi.waitFor(() => expect(shown()).toBe(1))
})

test('a changed transcript asks again whether the note is older', async () => {
  const shown = show('notes.get')
  await answerAll()
  core.state = 1
  core.emit('records.changed', { kinds: ['transcripts'] })
  await answerAll()
  await vi.waitFor(() => expect(shown()).toBe(1))
})
