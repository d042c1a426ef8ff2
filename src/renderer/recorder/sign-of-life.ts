import type { Answer } from '#contract/bridge/method.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { endings } from './record-sender.ts'
import type { RecorderState } from './recorder-state.ts'

const EVERY_MS = 2000

export interface SignPorts {
  phase(): RecorderState['phase']
  /** Nothing is on its way that would be a sign itself. */
  isQuiet(): boolean
  attach(): Promise<Answer<unknown>>
  /** The recording is no longer this window's to feed. */
  onRefused(code: ErrorCode): void
}

/** While no sound flows the core hears that this window lives; else the recording would count as cut off. */
export function createSignOfLife({ phase, isQuiet, attach, onRefused }: SignPorts) {
  let timer: ReturnType<typeof setInterval> | undefined

  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }

  async function give(): Promise<void> {
    const own = timer
    const answer = await attach().catch(() => null) // the next one may get through
    if (own === timer && phase() !== 'finishing' && answer?.ok === false && endings.has(answer.error.code))
      onRefused(answer.error.code)
  }

  return {
    stop,
    start(): void {
      stop()
      timer = setInterval(() => {
        if (phase() === 'recording' || phase() === 'idle') stop()
        else if (phase() !== 'finishing' && isQuiet()) void give()
      }, EVERY_MS)
    },
  }
}
