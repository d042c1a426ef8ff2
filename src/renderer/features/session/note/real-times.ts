import type { Session, SessionPatch } from '#contract/model/session.ts'
import { midnight } from '#renderer/lib/use-now.ts'
import { fromLocalValues, localDateValue, localTimeValue } from '#renderer/lib/local-values.ts'

type TypedTimes = Readonly<Record<'began' | 'ended', string>>
type Times = Pick<Session, 'starts_at' | 'started_at' | 'finished_at'>

export function typedTimes({ started_at, finished_at }: Times): TypedTimes {
  return {
    began: started_at === null ? '' : localTimeValue(new Date(started_at)),
    ended: finished_at === null ? '' : localTimeValue(new Date(finished_at)),
  }
}

const MAX_MS = 12 * 3_600_000

/**
 * An end earlier than the start is on the next day. Two empty fields clear the times. Returns null if a time is invalid or the
 * end is more than 12 hours after the start.
 */
export function realTimes(session: Times, { began, ended }: TypedTimes): Pick<SessionPatch, 'started_at' | 'finished_at'> | null {
  if (began === '' && ended === '') return { started_at: null, finished_at: null }
  const day = new Date(session.started_at ?? session.starts_at)
  const from = clockOn(day, began)
  const to = clockOn(day, ended)
  if (from === null || to === null) return null
  const end = to.getTime() < from.getTime() ? clockOn(midnight(day, 1), ended) : to
  if (end === null || end.getTime() - from.getTime() > MAX_MS) return null
  return { started_at: from.toISOString(), finished_at: end.toISOString() }
}

const clockOn = (day: Date, typed: string): Date | null => fromLocalValues(localDateValue(day), typed)
