import type { Handlers, MethodName, MethodRequest } from '#contract/bridge/methods.ts'
import { allPages } from '#client/answer.ts'
import type { ServiceClient } from '#client/client.ts'
import type { ScheduleAsk, WorkingTime, ScheduleBook } from '#contract/bridge/schedule.ts'
import { AppError } from '#contract/errors.ts'
import type { ScheduleAnswer, ScheduleProposal } from '#contract/model/schedule.ts'
import { knownClinicians } from '#core/outbox/sending.ts'
import type { Clock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Session } from '#contract/model/session.ts'
import { existing, type Change } from '#core/records/change.ts'
import type { SessionRepository } from '../sessions/session-repository.ts'
import { bookSession, changeSession, endOf, instant } from '../sessions/change-session.ts'
import type { RecordParts } from '#core/records/repositories.ts'

type Names = Extract<MethodName, `schedule.${string}`>

type Parts = BookParts & Parameters<typeof ask>[0]

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

interface AskParts {
  readonly client: () => ServiceClient
  readonly sessions: SessionRepository
  readonly therapistId: () => string
  readonly isUnknownToService: (clientId: string) => boolean
}

async function ask({ client, sessions, therapistId, isUnknownToService }: AskParts, input: ScheduleAsk): Promise<ScheduleAnswer> {
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
    if (error instanceof AppError && error.code === 'not-found' && isUnknownToService(client_id))
      throw new AppError('client-not-there')
    // The client is in the vault but has not been sent yet.
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

interface WorkingTimeParts {
  readonly client: () => ServiceClient
  readonly therapistId: () => string
  readonly clock: Clock
}

function createWorkingTime({ client, therapistId, clock }: WorkingTimeParts) {
  let last: WorkingTime | null = null
  return { read, setHours, addTimeOff, removeTimeOff }

  async function read(): Promise<WorkingTime> {
    try {
      const query = { clinician_id: therapistId() }
      const all = await allPages((page) => client().call('listAvailability', { query: { ...query, ...page } }))
      const kept = all.filter(({ status }) => status === 'active')
      const hours = kept.find((one) => one.kind === 'hours' && one.clinician_id === therapistId()) ?? null
      const away = kept.filter((one) => one.kind === 'closure' || (one.kind === 'time_off' && one.clinician_id === therapistId()))
      last = { hours, away, is_current: true }
      return last
    } catch (error) {
      if (error instanceof AppError && error.code === 'not-offered') return { hours: null, away: [], is_current: true }
      if (last === null || !(error instanceof AppError) || error.code !== 'service-unreachable') throw error
      return { ...last, is_current: false }
    }
  }

  async function setHours(hours: MethodRequest<'schedule.setHours'>): Promise<WorkingTime> {
    const { hours: before } = await read()
    const body = { kind: 'hours' as const, clinician_id: therapistId(), ...hours }
    const version = before === null ? {} : { ifMatch: before.version }
    await client().call('putAvailability', { params: { id: before?.id ?? newId(clock) }, body, ...version })
    return read()
  }

  async function addTimeOff(off: MethodRequest<'schedule.addTimeOff'>): Promise<WorkingTime> {
    const body = { kind: 'time_off' as const, clinician_id: therapistId(), ...off }
    await client().call('putAvailability', { params: { id: newId(clock) }, body })
    return read()
  }

  async function removeTimeOff({ id }: { id: string }): Promise<WorkingTime> {
    const { data } = await client().call('getAvailability', { params: { id } })
    if (data.kind !== 'time_off') throw new AppError('not-found')
    await client().call('putAvailability', { params: { id }, body: { ...data, status: 'withdrawn' }, ifMatch: data.version })
    return read()
  }
}

interface BookParts extends Pick<RecordParts, 'clients' | 'sessions' | 'transcripts' | 'change' | 'clock'> {
  readonly therapistId: () => string
}

function book(parts: BookParts, input: ScheduleBook): Session[] {
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

function moveOne({ sessions, transcripts }: BookParts, writing: Change, { session_id, version, starts_at }: Move): void {
  const before = existing(sessions.find(session_id))
  if (before.version !== version || (before.status !== 'scheduled' && before.status !== 'proposed'))
    throw new AppError('stale-version')
  const after = changeSession(sessions, writing, before, { starts_at })
  if (sessions.overlaps(after)) throw new AppError('double-booking')
  transcripts.move(session_id, after.starts_at)
}

function draftOf(input: ScheduleBook, { clock, therapistId }: BookParts, starts_at: string) {
  const { client_id, session_type, duration_minutes, modality, time_zone, room_id } = input
  return {
    id: newId(clock),
    client_id,
    session_type,
    starts_at,
    duration_minutes,
    modality,
    clinician_id: therapistId(),
    status: 'scheduled' as const,
    participants: [],
    time_zone,
    recurrence: null,
    room_id,
    cpt_code: null,
    presenting_concerns: [],
  }
}
