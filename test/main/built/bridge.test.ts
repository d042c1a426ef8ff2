/** The bridge's conformance suite over the built main process and the built preload, with the suite's answers as the core. */
import { fileURLToPath } from 'node:url'
import { describe } from 'vitest'
import type { Bridge } from '#contract/bridge/methods.ts'
import { bridgeConformance, type BridgeUnderTest } from '#test/support/bridge-conformance.ts'
import { build } from '#test/support/built-app.ts'
import { startApp, type StartedApp } from '#test/support/electron/started-app.ts'

const preload = fileURLToPath(new URL('../../support/electron/conforming-core.ts', import.meta.url))
const callsCore = 'const toCore = () => core.call(name, input);'
const sends = 'const send = (name, payload) => sendEvent(contents(), name, payload);'

describe('the built bridge', () => {
  bridgeConformance(async () => {
    build()
    const app = startApp({
      preload: [preload],
      code: [
        [callsCore, 'const toCore = () => globalThis.afterwordAnswer(name, input);'],
        [sends, `${sends} globalThis.afterwordEmit = send;`],
      ],
    })
    await app.until('window', (what) => what === 'shown')
    return under(app)
  })
})

/** The page's events arrive in this process in one order with the answers, so they are delivered before each answer. */
function under(app: StartedApp): BridgeUnderTest {
  const listeners = new Set<(name: string, payload: unknown) => void>()
  let next = app.journal.length
  const deliver = (): void => {
    for (; next < app.journal.length; next += 1) {
      const { what, detail } = app.journal[next]!
      const { name, payload } = detail as { name: string; payload: unknown }
      if (what === 'event') for (const listener of listeners) listener(name, payload)
    }
  }
  const bridge = {
    call: (name: string, input: unknown) => app.ask('call', name, input).finally(deliver),
    on(listener: (name: string, payload: unknown) => void) {
      deliver()
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onConnection: () => () => {},
  }
  return {
    bridge: bridge as unknown as Bridge,
    emit: (name, payload) => void app.ask('global', 'afterwordEmit', name, payload),
    close: () => app.remove(),
  }
}
