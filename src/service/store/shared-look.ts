import { gathered } from './gathered.ts'
import type { Write } from './tables.ts'

/** More than this wait for the next look, so that none waits long for the others. */
const MAX_TOGETHER = 32

interface Waiting {
  readonly work: (read: Write) => Promise<unknown>
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

export interface SharedLook {
  /** As if alone: what is seen is at least what was committed when this was called. */
  add<Result>(work: (read: Write) => Promise<Result>): Promise<Result>
}

interface Rules {
  /** Begins a transaction that writes nothing, gives it to the work, and ends it; fails where a statement in it failed. */
  readonly look: (work: (read: Write) => Promise<void>) => Promise<void>
  /** After such an error the same again succeeds. */
  readonly isWorthAgain: (error: unknown) => boolean
  /** After such an error nobody need look again alone. */
  readonly isOutOfReach: (error: unknown) => boolean
}

/** Two processes met, or a newer release changed a table under a connection's plans. */
const MAX_TRIES = 4

/**
 * What is to be read at the same time is read in one transaction, the works side by side. A statement that fails ends
 * it for all of them: then each that has no answer yet looks again alone and hears what is theirs.
 */
export function shareLooks(rules: Rules): SharedLook {
  const waiting: Waiting[] = []
  let isLooking = false
  return {
    add: (work) =>
      new Promise((resolve, reject) => {
        waiting.push({ work, resolve: resolve as (result: unknown) => void, reject })
        if (!isLooking) void goOn()
      }),
  }

  async function goOn(): Promise<void> {
    isLooking = true
    while (waiting.length > 0) {
      await gathered(waiting, MAX_TOGETHER)
      await lookTogether(waiting.splice(0, MAX_TOGETHER), rules)
    }
    isLooking = false
  }
}

async function lookTogether(group: readonly Waiting[], rules: Rules, tries = 1): Promise<void> {
  const open = new Map<Waiting, unknown>(group.map((one) => [one, null]))
  const settle = async (one: Waiting, read: Write): Promise<void> => {
    try {
      one.resolve(await one.work(read))
      open.delete(one)
    } catch (error) {
      open.set(one, error)
    }
  }
  try {
    await rules.look(async (read) => void (await Promise.all(group.map((one) => settle(one, read)))))
    // No statement failed; what did is their own.
    for (const [{ reject }, error] of open) reject(error)
  } catch (ended) {
    const again = [...open].filter(([, error]) => mayLookAgain(error ?? ended))
    for (const [one, error] of open) if (!again.some(([other]) => other === one)) one.reject(error ?? ended)
    // One after the other, so that a crowd does not take every connection.
    for (const [one] of again) await lookTogether([one], rules, group.length > 1 ? 1 : tries + 1)
  }

  function mayLookAgain(error: unknown): boolean {
    if (group.length === 1) return tries < MAX_TRIES && rules.isWorthAgain(error)
    return rules.isWorthAgain(error) || !rules.isOutOfReach(error)
  }
}
