import type { ServiceClient } from '#client/client.ts'
import type { ScheduleAsk } from '#contract/bridge/schedule.ts'
import { AppError } from '#contract/errors.ts'
import type { ScheduleAnswer, ScheduleProposal } from '#contract/model/schedule.ts'
import { knownClinicians } from '#core/outbox/known-clinician.ts'
import type { SessionRepository } from '../sessions/session-repository.ts'

interface Parts {
  readonly client: () => ServiceClient
  readonly sessions: SessionRepository
  readonly therapistId: () => string
  /** The service takes no clients, and this one was made here. */
  readonly isUnknownThere: (clientId: string) => boolean
}

/**
 * What the service's scheduler says. Sessions that it has not been told of yet stand in the way here.
 *
 * @throws AppError what the service refuses with, `service-unreachable` offline
 */
export async function ask({ client, sessions, therapistId, isUnknownThere }: Parts, input: ScheduleAsk): Promise<ScheduleAnswer> {
  const { mode, client_id, session_type, start, rrule, session_id, window, text, time_zone, duration_minutes, modality } = input
  const request = {
    client_ids: [client_id],
    clinician_id: therapistId(),
    type: session_type,
    duration_minutes,
    modality,
    tzid: time_zone,
    ...(start === undefined ? {} : { start }),
    ...(rrule === undefined ? {} : { rrule }),
    ...(session_id === undefined ? {} : { session_id }),
  }
  const more = { ...(window === undefined ? {} : { window }), ...(text === undefined ? {} : { text }) }
  const body = { mode, constraints: input.constraints, max_moves: input.max_moves, ...more }
  try {
    const { data } = await knownClinicians()(request, (asked) => client().call('schedule', { body: { ...body, request: asked } }))
    return { ...data, proposals: data.proposals.filter((proposal) => isFreeHere(proposal)) }
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found' && isUnknownThere(client_id))
      throw new AppError('client-not-there')
    // It is there, or it could not have been asked about: the service has still to hear of it.
    if (error instanceof AppError && error.code === 'not-found')
      throw new AppError('service-unreachable', 'The service has not been told of this client yet.', [], { cause: error })
    throw error
  }

  function isFreeHere({ occurrences, moves }: ScheduleProposal): boolean {
    if (moves.length > 0) return true
    return occurrences.every(({ start: from, end, utc_offset }) => {
      const [starts_at, ends_at] = [from, end].map((wall) => new Date(`${wall}${utc_offset}`).toISOString()) as [string, string]
      return !sessions.overlaps({ id: session_id ?? '', starts_at, ends_at })
    })
  }
}
