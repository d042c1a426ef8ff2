import { AppError } from '#contract/errors.ts'
import type { HandlersOf } from '#service/access/call.ts'
import type { Services } from './services.ts'

export function scheduleHandlers(services: Pick<Services, 'db' | 'clock' | 'log'>): HandlersOf<'schedule'> {
  return {
    schedule: async (call) => {
      const { mode } = call.body
      if (call.scope.limited !== null && (mode === 'book' || mode === 'resolve')) {
        throw new AppError('forbidden', 'This role reads the schedule and books nothing.')
      }
      // Loaded with the first question: an app that starts has no time for it.
      const { handleSchedule } = await import('../booking/handle.ts')
      return handleSchedule(services, call)
    },
  }
}
