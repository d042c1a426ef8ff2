import type { Clock } from '#base/clock.ts'
import { errorKind, type Log } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import { addRefused, type RefusedCall } from '#service/store/call-counts.ts'
import type { Database } from '#service/store/tables.ts'

/** Token bucket per source (see `sourceOf`): 20 refusals at once, then one every 3 seconds. */
const BURST = 20
const REFILL_MS = 3_000
const MAX_SOURCES = 5_000
const WRITE_AFTER_MS = 10_000
/** When this many rows wait to be written, refusals that need another row are counted under the source `other`. */
const MAX_WAITING = 1_000

export interface Refusals {
  /** Throws if the address had too many refusals. Callers with a cached key skip this check, so others can't lock them out. */
  requireRoom(from: string | undefined): void
  refused(from: string | undefined, reason: string): void
  close(): Promise<void>
}

export function openRefusals({ db, clock, log }: { db: Database; clock: Clock; log: Log }): Refusals {
  const tries = openTries(clock)
  let waiting = new Map<string, RefusedCall>()
  let timer: NodeJS.Timeout | null = null
  let writing = Promise.resolve()
  return {
    requireRoom: (from) => {
      if (from === undefined) return
      const left = tries.left(sourceOf(from))
      if (left >= 1) return
      note(sourceOf(from), 'wrong')
      throw tooMany(left)
    },
    refused: (from, reason) => {
      note(sourceOf(from), reason)
      if (from !== undefined) tries.spend(sourceOf(from))
    },
    close: async () => {
      if (timer !== null) clearTimeout(timer)
      write()
      await writing
    },
  }

  function note(source: string, reason: string): void {
    const at = new Date(clock.now()).toISOString()
    const hour = at.slice(0, 13)
    const exact = `${hour} ${source} ${reason}`
    const isRoom = waiting.has(exact) || waiting.size < MAX_WAITING
    const name = isRoom ? exact : `${hour} other ${reason}`
    const calls = (waiting.get(name)?.calls ?? 0) + 1
    waiting.set(name, { hour, source: isRoom ? source : 'other', reason, calls, last_at: at })
    timer ??= setTimeout(write, WRITE_AFTER_MS).unref()
  }

  function write(): void {
    timer = null
    const rows = [...waiting.values()]
    waiting = new Map()
    if (rows.length === 0) return
    log.warn('security.refused', { calls: rows.reduce((sum, { calls }) => sum + calls, 0), sources: rows.length })
    writing = writing.then(async () => {
      try {
        await db.transaction().execute((into) => addRefused(into, rows, clock.now()))
      } catch (error) {
        log.error('security.unwritten', { kind: errorKind(error) })
      }
    })
  }
}

function openTries(clock: Clock): { left(source: string): number; spend(source: string): void } {
  const tries = new Map<string, { left: number; at: number }>()
  const leftOf = (source: string, now: number): number => {
    const known = tries.get(source) ?? { left: BURST, at: now }
    return Math.min(BURST, known.left + (now - known.at) / REFILL_MS)
  }
  return {
    left: (source) => leftOf(source, clock.elapsed()),
    spend: (source) => {
      const now = clock.elapsed()
      const left = leftOf(source, now)
      tries.delete(source)
      if (tries.size >= MAX_SOURCES) tries.delete(tries.keys().next().value!)
      tries.set(source, { left: Math.max(0, left - 1), at: now })
      if (left < 1) throw tooMany(left)
    },
  }
}

const tooMany = (left: number): AppError =>
  new AppError('too-many-refusals', undefined, [], { retrySeconds: Math.ceil(((1 - left) * REFILL_MS) / 1000) })

/** Cuts an IPv6 address after its fourth group, because a /64 usually belongs to one household or office. */
function sourceOf(from: string | undefined): string {
  if (from === undefined) return 'within'
  const plain = from.replace(/^::ffff:/, '')
  if (!plain.includes(':')) return plain
  const [left = [], right = []] = plain.split('::').map((side) => side.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}
