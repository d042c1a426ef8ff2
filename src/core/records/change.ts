import type { Emit, EventPayload } from '#contract/bridge/events.ts'
import { type Clock, timestamp } from '#base/clock.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { Audit, AuditEntry } from '#core/audit/audit.ts'
import type { AnyIntent } from '#core/outbox/intents.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import { isDeepStrictEqual } from 'node:util'
import { AppError } from '#contract/errors.ts'

export type RecordKind = EventPayload<'records.changed'>['kinds'][number]

export interface Change {
  readonly at: string
  audit(entry: AuditEntry): void
  intend(intent: AnyIntent): void
}

/** Writes rows, outbox intents, and audit entries in one transaction, then emits `records.changed` unless `kinds` is empty. */
export type MakeChange = <Result>(kinds: readonly RecordKind[], work: (change: Change) => Result) => Result

export function createChange(parts: { db: Sqlite; clock: Clock; audit: Audit; outbox: Outbox; emit: Emit }): MakeChange {
  const { db, clock, audit, outbox, emit } = parts
  return (kinds, work) => {
    const at = timestamp(clock)
    const change: Change = {
      at,
      audit: (entry) => audit.append(entry, at),
      intend: (intent) => outbox.add(intent),
    }
    const result = db.transaction(() => work(change)).immediate()
    if (kinds.length > 0) emit('records.changed', { kinds: [...kinds] })
    return result
  }
}

type Named<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> }

export function changedFields<Fields extends object>(before: object, patch: Fields): Named<Fields> {
  const current = before as Record<string, unknown>
  const entries = Object.entries(patch).filter(([key, value]) => value !== undefined && !isDeepStrictEqual(value, current[key]))
  return Object.fromEntries(entries) as Named<Fields>
}

export function pick<Fields extends object>(record: object, patch: Fields): Named<Fields> {
  const current = record as Record<string, unknown>
  return Object.fromEntries(Object.keys(patch).map((key) => [key, current[key]])) as Named<Fields>
}

export function existing<Found>(found: Found | null): Found {
  if (found === null) throw new AppError('not-found')
  return found
}
