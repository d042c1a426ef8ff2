import { messages } from './messages.ts'

export const { week: weekStrings, hours: hoursStrings } = messages

const reasons: Readonly<Record<string, string>> = messages.week.reasons

/** Why times are not available, by the names of the scheduler's constraints. */
export function reasonWords(core: readonly string[]): string {
  const words = core.map((reason) => reasons[reason] ?? reasons[reason.split(':')[0] ?? ''] ?? messages.week.otherReason)
  return [...new Set(words)].join(', ')
}
