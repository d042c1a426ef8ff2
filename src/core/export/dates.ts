/** Dates as exported pages show them, in the session's own time zone. */

export function longDate(timestamp: string, zone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone: zone, day: 'numeric', month: 'long', year: 'numeric' }).format(
    new Date(timestamp),
  )
}

/** Of a date without a time, e.g. of birth. */
export function longDay(date: string): string {
  return longDate(`${date}T00:00:00Z`, 'UTC')
}

export function clockTime(timestamp: string, zone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(new Date(timestamp))
}

export function moment(timestamp: string, zone: string): string {
  return `${longDate(timestamp, zone)} at ${clockTime(timestamp, zone)} (${zone})`
}

export function fileDate(timestamp: string, zone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(new Date(timestamp))
}
