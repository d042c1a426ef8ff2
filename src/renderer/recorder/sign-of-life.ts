import type { Answer } from '#contract/bridge/method.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { endings } from './record-sender.ts'
import type { RecorderState } from './recorder-state.ts'

const EVERY_MS = 2000

export interface SignPorts {
  phase(): RecorderState['phase']
  /** True if all recorded sound is saved, or if sending has stopped. */
  isQuiet(): boolean
  attach(): Promise<Answer<unknown>>
  onRefused(code: ErrorCode): void
}

/** Attaches repeatedly while no sound is sent, because the core would otherwise treat the recording as interrupted. */
export function createSignOfLife({ phase, isQuiet, attach, onRefused }: SignPorts) {
  let timer: ReturnType<typeof setInterval> | undefined

  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }

  async function give(): Promise<void> {
    const own = timer
    const answer = await attach().catch(() => null) // the next attempt may succeed
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
