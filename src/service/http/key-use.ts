import type { Caller } from '#service/kernel/caller.ts'
import { keyUsed } from '#service/store/api-keys.ts'
import type { Write } from '#service/store/tables.ts'

const minute = 60_000
/** More keys than this are hardly used within a minute; then some are written once more. */
const mostRemembered = 10_000

export interface KeyUse {
  /** In a call's own transaction, once a minute at most. */
  note(write: Write, caller: Caller, now: number): Promise<void>
  /** That transaction stands. */
  stands(caller: Caller, now: number): void
}

export function openKeyUse(): KeyUse {
  const noted = new Map<string, number>()
  const isNoted = (key: string, now: number): boolean => Math.abs(now - (noted.get(key) ?? -Infinity)) < minute
  return {
    note: async (write, { key_id }, now) => {
      if (key_id !== null && !isNoted(key_id, now)) await keyUsed(write, key_id, new Date(now).toISOString())
    },
    stands: ({ key_id }, now) => {
      if (key_id === null || isNoted(key_id, now)) return
      if (noted.size >= mostRemembered) noted.clear()
      noted.set(key_id, now)
    },
  }
}
