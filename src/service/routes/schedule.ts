import { AppError } from '#contract/errors.ts'
import { check, makeRoom, offer, tell } from '../booking/answer.ts'
import { questionOf } from '../booking/ask.ts'
import { bookOffer, bookStart } from '../booking/book.ts'
import type { Call, HandlersOf, Services } from '../handler.ts'
import { worldZones } from '../schedule/zone.ts'
import { inPractice } from '../store/in-practice.ts'

export function scheduleHandlers({ db, clock }: Pick<Services, 'db' | 'clock'>): HandlersOf<'schedule'> {
  return {
    schedule: async (call) => {
      const { mode, proposal_id } = call.body
      if (call.scope.limited !== null && (mode === 'book' || mode === 'resolve')) {
        throw new AppError('forbidden', 'This role reads the schedule and books nothing.')
      }
      if (mode === 'book') {
        return (write) =>
          proposal_id === null
            ? bookStart(write, call, clock, worldZones)
            : bookOffer(write, call, clock, worldZones, proposal_id)
      }
      // Looked for outside of the write: nobody else has to wait for the engine.
      const question = await inPractice(db, call.practice, (read) => questionOf(read, call, call.body, worldZones))
      const finding = findingOf(call, question)
      return (write) => tell(write, call, clock, question, finding)
    },
  }
}

function findingOf({ body }: Call<'schedule'>, question: Parameters<typeof check>[0]) {
  if (body.mode === 'check') return check(question)
  return body.mode === 'resolve' ? makeRoom(question, body.max_moves) : offer(question)
}
