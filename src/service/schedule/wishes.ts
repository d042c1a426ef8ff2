import { AppError } from '#contract/errors.ts'
import { wallTimeSchema } from '#contract/model/availability.ts'
import { dayMs, readClock, readWall, weekdays } from './wall.ts'
import type { Wall, Weekday } from './wall.ts'
import type { Avoid, Wanted } from './world.ts'

/** Wishes as they were given, by fields and by words; where both speak, the narrower holds. */
export type Wishes = Pick<Wanted, 'before' | 'after' | 'earliest' | 'latest' | 'days' | 'avoid'>

export interface Constraints {
  readonly buffer_before?: number | undefined
  readonly buffer_after?: number | undefined
  readonly earliest?: string | undefined
  readonly latest?: string | undefined
  readonly days?: readonly Weekday[] | undefined
  readonly avoid?: readonly string[] | undefined
}

/** @throws AppError `validation-failed` where something to avoid is in no notation of ours */
export function readConstraints(constraints: Constraints): Wishes {
  return {
    before: constraints.buffer_before ?? null,
    after: constraints.buffer_after ?? null,
    earliest: constraints.earliest === undefined ? null : readClock(constraints.earliest),
    latest: constraints.latest === undefined ? null : readClock(constraints.latest),
    days: constraints.days === undefined ? null : new Set(constraints.days),
    avoid: (constraints.avoid ?? []).map(readAvoid),
  }
}

export function both(one: Wishes, other: Wishes): Wishes {
  return {
    before: highest(one.before, other.before),
    after: highest(one.after, other.after),
    earliest: highest(one.earliest, other.earliest),
    latest: one.latest === null || other.latest === null ? (one.latest ?? other.latest) : Math.min(one.latest, other.latest),
    days:
      one.days === null || other.days === null
        ? (one.days ?? other.days)
        : new Set([...one.days].filter((day) => other.days!.has(day))),
    avoid: [...one.avoid, ...other.avoid],
  }
}

const highest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other)

const clock = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`

/** One day, or from one wall to another. */
function timeIn(text: string): { from: Wall; to: Wall } | null {
  const [from = '', to] = text.includes('/') ? text.split('/') : [`${text}T00:00`]
  if (![from, to ?? from].every((wall) => wallTimeSchema.safeParse(wall).success)) return null
  return { from: readWall(from), to: to === undefined ? readWall(from) + dayMs : readWall(to) }
}

/** `2026-12-24`, `2026-12-24T12:00/2026-12-26T00:00`, `12:00-13:00`, `TU`, or `TU 12:00-13:00`. */
function readAvoid(text: string, index: number): Avoid {
  const time = timeIn(text)
  if (time !== null && time.from < time.to) return { kind: 'time', ...time }
  const [whole, weekday, begins, ends] =
    new RegExp(`^(${weekdays.join('|')})?(?:(?:^| )(${clock})-(${clock}))?$`).exec(text) ?? []
  const stretch =
    begins === undefined || ends === undefined ? { from: 0, to: 24 * 60 } : { from: readClock(begins), to: readClock(ends) }
  if (!whole || stretch.from >= stretch.to) {
    throw new AppError('validation-failed', undefined, [
      {
        pointer: `/constraints/avoid/${index}`,
        code: 'invalid_value',
        message: 'not a date, a time with an end, or a time of the week',
      },
    ])
  }
  return { kind: 'weekly', day: (weekday as Weekday | undefined) ?? null, stretch }
}
