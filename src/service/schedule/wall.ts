/** Milliseconds since 1970-01-01T00:00 on a local clock, without a zone. Every day has 24 hours, so arithmetic is exact. */
export type Wall = number

export const MINUTE_MS = 60_000
export const DAY_MS = 24 * 60 * MINUTE_MS

export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
export type Weekday = (typeof weekdays)[number]

/** @throws RangeError if `Date.parse` cannot read the text, because comparisons with NaN fail silently */
export function readWall(text: string): Wall {
  const wall = Date.parse(`${text}Z`)
  if (Number.isNaN(wall)) throw new RangeError('not a wall time')
  return wall
}

export const writeWall = (wall: Wall): string => new Date(wall).toISOString().slice(0, 19)
export const dateOf = (wall: Wall): string => writeWall(wall).slice(0, 10)
export const clockOf = (wall: Wall): string => writeWall(wall).slice(11, 16)
export const dayOf = (wall: Wall): Wall => Math.floor(wall / DAY_MS) * DAY_MS
export const minuteOfDay = (wall: Wall): number => Math.floor((wall - dayOf(wall)) / MINUTE_MS)
/** 1970-01-01 was a Thursday. */
export const weekdayOf = (wall: Wall): Weekday => weekdays[(((Math.floor(wall / DAY_MS) + 3) % 7) + 7) % 7]!

export function readClock(text: string): number {
  const [hours, minutes] = text.split(':')
  return Number(hours) * 60 + Number(minutes)
}
