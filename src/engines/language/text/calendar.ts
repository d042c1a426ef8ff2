import calendar from './calendar.json' with { type: 'json' }

export const weekdays = calendar.weekdays.split(' ')
export const months = calendar.months.split(' ')
export const times: readonly (readonly string[])[] = [...[...weekdays, ...months].map((word) => [word]), ...calendar.times]
export const exclusiveTimes = calendar.exclusive
export const DAY_MS = 86_400_000
