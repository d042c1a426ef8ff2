import { messages } from './messages.ts'

export const { calendar: calendarStrings, hours: hoursStrings } = messages

const reasons: Readonly<Record<string, string>> = messages.calendar.reasons

/** Says why no time is available. `core`: names of scheduling constraints that together rule out every time. */
export function reasonWords(core: readonly string[]): string {
  const words = core.map((reason) => reasons[reason] ?? reasons[reason.split(':')[0] ?? ''] ?? messages.calendar.otherReason)
  return [...new Set(words)].join(', ')
}
