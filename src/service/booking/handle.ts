import type { Call, Effect } from '#service/access/call.ts'
import type { ScheduleAnswer } from '#contract/model/schedule.ts'
import { worldZones } from '../schedule/zone.ts'
import { inPractice } from '../store/in-practice.ts'
import type { Database } from '../store/tables.ts'
import { check, makeRoom, offer, tell } from './answer.ts'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { Finding } from './answer.ts'
import type { Question } from './ask.ts'
import { questionOf } from './ask.ts'
import { bookOffer, bookStart } from './book.ts'

export interface BookingServices {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
}

/** One call of `POST /ai/schedule`. */
export async function handleSchedule(
  { db, clock, log }: BookingServices,
  call: Call<'schedule'>,
): Promise<Effect<ScheduleAnswer>> {
  const { mode, proposal_id } = call.body
  const tools = { clock, log, zones: worldZones }
  if (mode === 'book') {
    return (write) => (proposal_id === null ? bookStart(write, call, tools) : bookOffer(write, call, tools, proposal_id))
  }
  // Looked for outside of the write: nobody else has to wait for the engine.
  const question = await inPractice(db, call.practice, (read) => questionOf(read, call, call.body, tools))
  const finding = await findingOf(call, question)
  return (write) => tell(write, call, clock, question, finding)
}

function findingOf({ body }: Call<'schedule'>, question: Question): Promise<Finding> {
  if (body.mode === 'check') return check(question)
  return body.mode === 'resolve' ? makeRoom(question, body.max_moves) : offer(question)
}
