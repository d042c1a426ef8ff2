import calendar from './calendar.json' with { type: 'json' }

export const weekdays = calendar.weekdays.split(' ')
export const months = calendar.months.split(' ')
/** A word for a time, and other words that mean it. */
export const times: readonly (readonly string[])[] = [...[...weekdays, ...months].map((word) => [word]), ...calendar.times]
/** Of the words of one kind, only one can be true. */
export const exclusiveTimes = calendar.exclusive
export const DAY_MS = 86_400_000
