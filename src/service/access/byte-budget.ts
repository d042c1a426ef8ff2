import type { Clock } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import { MAX_BURST_BYTES, MAX_OPEN_BYTES, BYTES_PER_SECOND } from '#contract/rest/route.ts'
import type { Caller } from '#service/kernel/caller.ts'

const MAX_CALLERS = 5_000

export type ByteBudget = ReturnType<typeof openByteBudget>
export type OpenBody = ReturnType<ByteBudget['open']>

interface Account {
  left: number
  at: number
  open: number
}

export function openByteBudget(clock: Pick<Clock, 'elapsed'>) {
  const accounts = new Map<string, Account>()
  return {
    open: (caller: Caller) => {
      const account = accountOf(caller)
      if (account === null) return { take: (_bytes: number) => {}, end: () => {} }
      requireLeft(account)
      let own = 0
      return {
        take: (bytes: number) => {
          if (account.open > own && account.open + bytes > MAX_OPEN_BYTES) throw refused(1)
          own += bytes
          account.open += bytes
          account.left -= bytes
        },
        end: () => void (account.open -= own),
      }
    },
    meter: async function* meter(caller: Caller, stream: AsyncIterable<Uint8Array>) {
      const account = accountOf(caller)
      if (account !== null) requireLeft(account)
      for await (const bytes of stream) {
        if (account !== null) account.left -= bytes.length
        yield bytes
      }
    },
  }

  function accountOf({ practice_id, person_id, source }: Caller): Account | null {
    if (source === 'embedded') return null
    const name = `${practice_id} ${person_id}`
    const now = clock.elapsed()
    const known = accounts.get(name) ?? { left: MAX_BURST_BYTES, at: now, open: 0 }
    known.left = Math.min(MAX_BURST_BYTES, known.left + ((now - known.at) / 1000) * BYTES_PER_SECOND)
    known.at = now
    accounts.delete(name)
    if (accounts.size >= MAX_CALLERS) forgetOldest()
    accounts.set(name, known)
    return known
  }

  function forgetOldest(): void {
    for (const [name, { open }] of accounts) if (open === 0) return void accounts.delete(name)
  }
}

function requireLeft({ left }: Account): void {
  if (left <= 0) throw refused(Math.ceil((1 - left) / BYTES_PER_SECOND))
}

const refused = (retrySeconds: number): AppError => new AppError('too-many-bytes', undefined, [], { retrySeconds })
