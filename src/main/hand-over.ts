import type { z } from 'zod'
import { appMethods } from '#contract/bridge/app.ts'
import type { ShellCalls } from './shell-calls.ts'
import type { MainWindow } from './window.ts'
import { within } from './within.ts'

const inputSchema = appMethods['app.handedOver'].input
type Occasion = z.infer<typeof inputSchema>['before']

interface HandOverOptions {
  readonly window: () => MainWindow | null
  readonly send: (name: string, payload: unknown) => void
}

export interface HandOver {
  /** The window saves its edits and, before closing, sends the sound it still holds. Resolves after `maxMs` at the latest. */
  before(occasion: Occasion, maxMs: number): Promise<void>
  readonly calls: ShellCalls
}

export function createHandOver({ window, send }: HandOverOptions): HandOver {
  const waiting = new Map<Occasion, () => void>()
  return {
    async before(occasion, maxMs) {
      const handedOver = new Promise<void>((done) => waiting.set(occasion, done))
      send(`app.${occasion}`, {})
      if (window()?.isAlive() === true) await within(maxMs, handedOver)
    },
    calls: {
      async 'app.handedOver'(input, core) {
        const answer = await core()
        if (answer.ok) waiting.get(inputSchema.parse(input).before)?.()
        return answer
      },
    },
  }
}
