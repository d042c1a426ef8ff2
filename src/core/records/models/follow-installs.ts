import type { ModelList } from '#contract/model/speech-model.ts'

interface Ports {
  readonly ask: () => Promise<ModelList>
  readonly tell: (list: ModelList) => void
  /** Something came to its end, well or not. */
  readonly onEnded: () => void
  /** Ends early when the signal is aborted. */
  readonly wait: (ms: number | null, signal: AbortSignal) => Promise<void>
}

export interface Follower {
  /** Looks whether anything in this list is under way, and if so looks again until nothing is. */
  heed(list: ModelList): void
  stop(): Promise<void>
}

/** Milliseconds between two looks. */
const pause = 1000

/** While a model is being installed, the windows hear how far it is. */
export function followInstalls({ ask, tell, onEnded, wait }: Ports): Follower {
  const stopping = new AbortController()
  let following: Promise<void> | null = null

  async function follow(): Promise<void> {
    for (let before = ''; !stopping.signal.aborted;) {
      await wait(pause, stopping.signal)
      if (stopping.signal.aborted) return
      // The service may be closing, or out of reach for a while.
      const list = await ask().catch(() => null)
      if (list === null) continue
      const now = JSON.stringify(list.data.map(({ state, operation }) => [state, operation]))
      if (now !== before) tell(list)
      before = now
      if (isUnderWay(list)) continue
      following = null
      onEnded()
      return
    }
  }
  return {
    heed(list) {
      if (isUnderWay(list) && !stopping.signal.aborted) following ??= follow()
    },
    async stop() {
      stopping.abort()
      await following
    },
  }
}

const isUnderWay = ({ data }: ModelList): boolean => data.some(({ operation }) => operation !== null)
