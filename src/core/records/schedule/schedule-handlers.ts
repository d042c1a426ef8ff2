import type { Handlers, MethodName } from '#contract/bridge/methods.ts'
import { allPages } from '#client/answer.ts'
import type { ServiceClient } from '#client/client.ts'
import type { ScheduleAsk, WorkingTime, ScheduleBook } from '#contract/bridge/schedule.ts'
import { AppError } from '#contract/errors.ts'
import type { ScheduleAnswer, ScheduleProposal } from '#contract/model/schedule.ts'
import { knownClinicians, failedWith } from '#core/outbox/sending.ts'
import { newId } from '#base/ids.ts'
import type { Session } from '#contract/model/session.ts'
import { existing, type Change } from '#core/records/change.ts'
import type { SessionRepository } from '../sessions/session-repository.ts'
import { bookSession, changeSession, endOf, instant, refuseDoubleBooking } from '../sessions/change-session.ts'
import type { RecordParts } from '#core/records/repositories.ts'

type Names = Extract<MethodName, `schedule.${string}`>

interface Parts extends Pick<RecordParts, 'clients' | 'sessions' | 'transcripts' | 'change' | 'clock' | 'settings'> {
  readonly client: () => ServiceClient
  readonly isUnknownToService: (clientId: string) => boolean
}

export const scheduleHandlers = (parts: Parts): Handlers<Names> => ({
  'schedule.ask': (input) => ask(parts, input),
  'schedule.book': (input) => book(parts, input),
  ...workingTimeHandlers(parts),
})

async function ask({ client, sessions, settings, isUnknownToService }: Parts, input: ScheduleAsk): Promise<ScheduleAnswer> {
  const { mode, client_id, session_type, start, rrule, session_id, window, text, time_zone, duration_minutes, modality } = input
  const request = {
    client_ids: [client_id],
    clinician_id: settings().therapist_id,
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
    if (failedWith(error, 'not-found') && isUnknownToService(client_id)) throw new AppError('client-not-there')
    if (failedWith(error, 'not-found'))
      throw new AppError('service-unreachable', 'The service has not been told of this client yet.', [], { cause: error })
    throw error
  }

  function isFreeHere({ occurrences, moves }: ScheduleProposal): boolean {
    if (moves.length > 0) return true
    return occurrences.every(({ start: from, end, utc_offset }) => {
      const [starts_at, ends_at] = [from, end].map((wall) => new Date(`${wall}${utc_offset}`).toISOString()) as [string, string]
      return sessions.overlapping({ id: session_id ?? '', starts_at, ends_at }) === undefined
    })
  }
}

function workingTimeHandlers({ client, settings, clock }: Parts): Handlers<Exclude<Names, 'schedule.ask' | 'schedule.book'>> {
  let last: WorkingTime | null = null
  const read = async (): Promise<WorkingTime> => {
    const clinician_id = settings().therapist_id
    try {
      const all = await allPages((page) => client().call('listAvailability', { query: { clinician_id, ...page } }))
      const kept = all.filter(({ status }) => status === 'active')
      const hours = kept.find((one) => one.kind === 'hours' && one.clinician_id === clinician_id) ?? null
      const away = kept.filter((one) => one.kind === 'closure' || (one.kind === 'time_off' && one.clinician_id === clinician_id))
      last = { hours, away, is_current: true }
      return last
    } catch (error) {
      if (failedWith(error, 'not-offered')) return { hours: null, away: [], is_current: true }
      if (last === null || !failedWith(error, 'service-unreachable')) throw error
      return { ...last, is_current: false }
    }
  }
  return {
    'schedule.workingTime': read,
    async 'schedule.setHours'(hours) {
      const { hours: before } = await read()
      const body = { kind: 'hours' as const, clinician_id: settings().therapist_id, ...hours }
      const version = before === null ? {} : { ifMatch: before.version }
      await client().call('putAvailability', { params: { id: before?.id ?? newId(clock) }, body, ...version })
      return read()
    },
    async 'schedule.addTimeOff'(off) {
      const body = { kind: 'time_off' as const, clinician_id: settings().therapist_id, ...off }
      await client().call('putAvailability', { params: { id: newId(clock) }, body })
      return read()
    },
    async 'schedule.removeTimeOff'({ id }) {
      const { data } = await client().call('getAvailability', { params: { id } })
      if (data.kind !== 'time_off') throw new AppError('not-found')
      await client().call('putAvailability', { params: { id }, body: { ...data, status: 'withdrawn' }, ifMatch: data.version })
      return read()
    },
  }
}

function book(parts: Parts, input: ScheduleBook): Session[] {
  const { clients, sessions, change } = parts
  existing(clients.find(input.client_id))
  return change(['sessions', 'clients'], (writing) => {
    for (const move of inFreeOrder(sessions, input.moves)) moveOne(parts, writing, move)
    const series_id = input.starts.length === 1 ? null : newId(parts.clock)
    return input.starts.map((start) => bookSession(sessions, writing, draftOf(input, parts, instant(start)), series_id))
  })
}

type Move = ScheduleBook['moves'][number]

function inFreeOrder(sessions: SessionRepository, moves: readonly Move[]): Move[] {
  const left = [...moves]
  const order: Move[] = []
  while (left.length > 0) {
    const next = left.findIndex((move) => left.every((other) => other === move || !meets(sessions, move, other)))
    if (next === -1) throw new AppError('conflict', 'These sessions would have to take each other’s places at the same time.')
    order.push(...left.splice(next, 1))
  }
  return order
}

function meets(sessions: SessionRepository, { session_id, starts_at }: Move, other: Move): boolean {
  const [moved, standing] = [existing(sessions.find(session_id)), existing(sessions.find(other.session_id))]
  const start = instant(starts_at)
  return start < standing.ends_at && endOf({ ...moved, starts_at: start }) > standing.starts_at
}

function moveOne({ sessions, transcripts }: Parts, writing: Change, { session_id, version, starts_at }: Move): void {
  const before = existing(sessions.find(session_id))
  if (before.version !== version || (before.status !== 'scheduled' && before.status !== 'proposed'))
    throw new AppError('stale-version')
  const after = changeSession(sessions, writing, before, { starts_at })
  refuseDoubleBooking(sessions, after)
  transcripts.move(session_id, after.starts_at)
}

function draftOf(input: ScheduleBook, { clock, settings }: Parts, starts_at: string) {
  const { client_id, session_type, duration_minutes, modality, time_zone, room_id } = input
  return {
    id: newId(clock),
    client_id,
    session_type,
    starts_at,
    duration_minutes,
    modality,
    clinician_id: settings().therapist_id,
    status: 'scheduled' as const,
    participants: [],
    time_zone,
    recurrence: null,
    room_id,
    cpt_code: null,
    presenting_concerns: [],
  }
}
