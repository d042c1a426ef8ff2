import type { Caller } from '../caller.ts'
import { keyUsed } from '../store/api-keys.ts'
import type { Write } from '../store/tables.ts'

const minute = 60_000
/** More keys than this are hardly used within a minute; then some are written once more. */
const mostRemembered = 10_000

/** Notes in a call's own transaction that its key was used, once a minute at most. */
export type NoteKeyUse = (write: Write, caller: Caller, now: number) => Promise<void>

export function keyUseNotes(): NoteKeyUse {
  const noted = new Map<string, number>()
  return async (write, { key_id }, now) => {
    if (key_id === null || Math.abs(now - (noted.get(key_id) ?? -Infinity)) < minute) return
    if (noted.size >= mostRemembered) noted.clear()
    noted.set(key_id, now)
    await keyUsed(write, key_id, new Date(now).toISOString())
  }
}
