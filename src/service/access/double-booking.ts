import { AppError } from '#contract/errors.ts'
import type { Call } from './call.ts'
import { DoubleBooking } from '#service/store/sessions.ts'
import type { Database } from '#service/store/tables.ts'
import { idsWithin } from './reach.ts'

/** What is refused because of another session names that session to whoever reaches it, and to nobody else. */
export async function namingTheOther<Done>(
  db: Database,
  { practice, scope }: Pick<Call, 'practice' | 'scope'>,
  work: () => Promise<Done>,
): Promise<Done> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DoubleBooking)) throw error
    const { whose, other } = error
    if (!(await idsWithin(db, practice, scope, 'sessions', [other])).has(other)) throw error
    throw new AppError('double-booking', `${whose} is already booked at this time (session ${other}).`)
  }
}
