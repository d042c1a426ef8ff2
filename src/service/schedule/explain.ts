import type { BusyIndex } from './busy-index.ts'
import { messageOf } from './found.ts'
import { supposed } from './hours.ts'
import type { Search } from './propose.ts'
import type { Scored } from './score.ts'
import { minuteMs } from './wall.ts'

/** Why a time is offered, in plain words that name nobody. */
export function whyOf({ rule, wanted }: Search, index: BusyIndex, { assessed, measures }: Scored): string[] {
  const { place, slots } = assessed
  const first = slots[0]!
  const touches = (start: number, end: number): boolean => index.of('clinician', place.clinician.id, start, end).length > 0
  const isBeside = touches(first.start - 16 * minuteMs, first.start) || touches(first.end, first.end + 16 * minuteMs)
  return [
    place.room === null ? 'Client and clinician are free.' : 'Client, clinician and room are free.',
    ...(rule === null
      ? []
      : [`${slots.length - assessed.blocked.size} of ${slots.length} sessions of the series can take place.`]),
    ...(measures.same_time_each_week === 1 ? ['It is the weekday and time at which the client usually comes.'] : []),
    ...(measures.keep_existing !== null && measures.keep_existing > 0.85 ? ['It is within a day of the present time.'] : []),
    ...(measures.min_gaps === 1 && isBeside ? ['It follows on another appointment without a gap.'] : []),
    ...(place.clinician.hours[0]?.id === supposed && wanted.earliest === null && wanted.latest === null
      ? ['No working hours are stored, so Monday to Friday from 08:00 to 18:00 was assumed.']
      : []),
  ]
}

/** What speaks against it all the same. */
export function tradeoffsOf({ assessed, measures }: Scored): string[] {
  const { slots, blocked, conflicts } = assessed
  const soft = conflicts.filter(({ slot, found }) => !blocked.has(slot) && found.kind !== 'series_partial')
  const kinds = new Map(
    soft.map(({ found }) => [messageOf(found), soft.filter((one) => messageOf(one.found) === messageOf(found))]),
  )
  return [
    ...(blocked.size === 0 ? [] : [`${blocked.size} of ${slots.length} sessions cannot take place and are left out.`]),
    ...[...kinds].map(([message, those]) =>
      slots.length === 1 ? message : `${message} (${those.length} of ${slots.length} sessions)`,
    ),
    ...(measures.same_time_each_week !== null && measures.same_time_each_week < 1
      ? ['It is not the usual weekday and time.']
      : []),
    ...(measures.min_gaps < 1 ? ['It leaves a pause too short for another session.'] : []),
  ]
}
