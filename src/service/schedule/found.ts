import type { z } from 'zod'
import type { conflictKindSchema } from '#contract/model/schedule.ts'
import type { Busy } from './world.ts'

export type ConflictKind = z.infer<typeof conflictKindSchema>

export interface Found {
  readonly kind: ConflictKind
  readonly severity: 'hard' | 'soft'
  readonly by: string
  readonly with: { readonly type: string; readonly id: string | null } | null
  readonly busy: Busy | null
}

const severities: Readonly<Record<ConflictKind, 'hard' | 'soft'>> = {
  clinician_double: 'hard',
  client_double: 'hard',
  room_double: 'hard',
  buffer_short: 'soft',
  outside_hours: 'hard',
  time_off: 'hard',
  room_closed: 'hard',
  licence_state: 'hard',
  authorization_exhausted: 'soft',
  payer_same_day: 'soft',
  max_daily_load: 'soft',
  series_partial: 'soft',
  dst_gap: 'soft',
  dst_overlap: 'soft',
  past: 'hard',
  group_capacity: 'hard',
}

type Other = { readonly kind: 'availability' | 'room' | 'client' | 'authorization'; readonly id: string }

export function found(kind: ConflictKind, by: string, other: Busy | Other | null = null, severity = severities[kind]): Found {
  if (other === null) return { kind, severity, by, with: null, busy: null }
  if ('kind' in other) return { kind, severity, by, with: { type: other.kind, id: other.id }, busy: null }
  const shown = other.shown ? { type: 'session', id: other.id } : { type: 'busy', id: null }
  return { kind, severity, by, with: shown, busy: other }
}

export const isHard = ({ severity }: Found): boolean => severity === 'hard'
/** True for hard conflicts and for the constraints of the request. A session at such a time is not proposed. */
export const rulesOut = ({ severity, by }: Found): boolean => severity === 'hard' || by.startsWith('constraints.')

const messages: Readonly<Record<ConflictKind, string>> = {
  clinician_double: 'The clinician already has an appointment at this time.',
  client_double: 'The client is not free at this time.',
  room_double: 'The room is taken at this time.',
  buffer_short: 'There is less time than wanted between this and the clinician’s next appointment.',
  outside_hours: 'This is outside the clinician’s working hours.',
  time_off: 'The clinician is away, or the practice is closed.',
  room_closed: 'The room cannot be used at this time.',
  licence_state: 'The clinician holds no licence in the state where the client will be.',
  authorization_exhausted: 'The sessions that the payer has authorized are used up by then.',
  payer_same_day: 'The client has another session that day; many payers pay for one a day.',
  max_daily_load: 'The clinician already has as many sessions that day as they take.',
  series_partial: 'Some sessions of the series cannot take place.',
  dst_gap: 'The clocks go forward over this time, so it is an hour later that day.',
  dst_overlap: 'The clocks go back and show this time twice; the first one is meant.',
  past: 'This time has passed.',
  group_capacity: 'More people would come than the room holds.',
}

const wishes: Readonly<Record<string, string>> = {
  'constraints.earliest': 'This is earlier than asked for.',
  'constraints.latest': 'This ends later than asked for.',
  'constraints.days': 'This is on a day that was not asked for.',
  'constraints.avoid': 'This is in a time that was to be avoided.',
}

export const messageOf = ({ kind, by }: Found): string => wishes[by] ?? messages[kind]
