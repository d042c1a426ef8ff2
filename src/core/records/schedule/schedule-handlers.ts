import type { Handlers, MethodName } from '#contract/bridge/methods.ts'
import { ask } from './ask.ts'
import type { BookParts } from './book.ts'
import { book } from './book.ts'
import { createWorkingTime } from './working-time.ts'

type Names = Extract<MethodName, `schedule.${string}`>

type Parts = BookParts & Parameters<typeof ask>[0]

/** The therapist's calendar: the service thinks, the records here keep. */
export function scheduleHandlers(parts: Parts): Handlers<Names> {
  const workingTime = createWorkingTime(parts)
  return {
    'schedule.ask': (input) => ask(parts, input),
    'schedule.book': (input) => book(parts, input),
    'schedule.workingTime': () => workingTime.read(),
    'schedule.setHours': (input) => workingTime.setHours(input),
    'schedule.addTimeOff': (input) => workingTime.addTimeOff(input),
    'schedule.removeTimeOff': (input) => workingTime.removeTimeOff(input),
  }
}
