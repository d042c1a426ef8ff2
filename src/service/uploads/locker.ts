import type { Lock, Locker, RequestRelease } from '@tus/server'
import { AppError } from '#contract/errors.ts'

const patienceMs = 30_000

interface Hold {
  readonly endSoon: RequestRelease
  readonly freed: PromiseWithResolvers<void>
}

/**
 * One request about an upload at a time. Whoever comes while it is held asks the other to come to an end, and waits: a
 * line that broke without a word may still be held by its request. Other processes are told by the blob itself.
 */
export function uploadLocker(waitMs = patienceMs): Locker {
  const held = new Map<string, Hold>()
  return { newLock: (id) => lockOf(id) }

  function lockOf(id: string): Lock {
    return {
      lock: async (signal, endSoon) => {
        const patience = AbortSignal.any([signal, AbortSignal.timeout(waitMs)])
        for (let other = held.get(id); other !== undefined; other = held.get(id)) {
          await other.endSoon()
          await settled(other.freed.promise, patience)
          if (patience.aborted && held.has(id)) throw new AppError('still-running', 'Another request is sending this audio.')
        }
        held.set(id, { endSoon, freed: Promise.withResolvers() })
      },
      unlock: async () => {
        const hold = held.get(id)
        held.delete(id)
        hold?.freed.resolve()
      },
    }
  }
}

async function settled(freed: Promise<void>, patience: AbortSignal): Promise<void> {
  if (patience.aborted) return
  const given = Promise.withResolvers<void>()
  const giveUp = (): void => given.resolve()
  patience.addEventListener('abort', giveUp, { once: true })
  await Promise.race([freed, given.promise])
  patience.removeEventListener('abort', giveUp)
}
