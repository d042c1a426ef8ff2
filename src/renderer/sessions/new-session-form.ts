import type { MethodInput } from '#contract/bridge/methods.ts'
import type { Client } from '#contract/model/client.ts'
import type { Participant, Session, SessionType } from '#contract/model/session.ts'
import { clientsStrings } from '#renderer/strings/clients.ts'
import { fromLocalValues, localDateValue, localTimeValue } from '#renderer/lib/local-values.ts'

export interface NewSessionFields {
  readonly client_id: string | null
  readonly date: string
  readonly time: string
  readonly minutes: string
  readonly session_type: SessionType
  readonly modality: Session['modality']
  readonly others: string
}

const words = clientsStrings.newSession

/** The next full or half hour, or the last one until five minutes after it. */
export function nextHalfHour(now: Date): Date {
  const rounded = new Date(now)
  rounded.setSeconds(0, 0)
  const past = rounded.getMinutes() % 30
  rounded.setMinutes(rounded.getMinutes() + (past <= 5 ? -past : 30 - past))
  return rounded
}

export function newFields(clientId: string | null, now: Date): NewSessionFields {
  const at = nextHalfHour(now)
  return {
    client_id: clientId,
    date: localDateValue(at),
    time: localTimeValue(at),
    minutes: '50',
    session_type: 'individual',
    modality: 'in_person',
    others: '',
  }
}

export function checkSession(fields: NewSessionFields): Partial<Record<keyof NewSessionFields, string>> {
  const minutes = Number(fields.minutes)
  return {
    ...(fields.client_id === null ? { client_id: words.clientMissing } : {}),
    ...(fromLocalValues(fields.date, fields.time) === null ? { time: words.when } : {}),
    ...(Number.isInteger(minutes) && minutes >= 5 && minutes <= 480 ? {} : { minutes: words.lengthWrong }),
  }
}

const otherRoles: Readonly<Record<SessionType, Participant['role']>> = {
  individual: 'other',
  couple: 'partner',
  family: 'family',
  group: 'group_member',
  intake: 'other',
  crisis: 'other',
  consultation: 'other',
}

export function toSessionDraft(fields: NewSessionFields, client: Client | undefined): MethodInput<'sessions.create'> | null {
  const at = fromLocalValues(fields.date, fields.time)
  if (at === null || client === undefined || Object.keys(checkSession(fields)).length > 0) return null
  const others = fields.others
    .split('\n')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const role = otherRoles[fields.session_type]
  return {
    client_id: client.id,
    session_type: fields.session_type,
    starts_at: at.toISOString(),
    duration_minutes: Number(fields.minutes),
    modality: fields.modality,
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    // An empty list means the client alone. Otherwise the list names everyone who must consent.
    participants:
      others.length === 0 ? [] : [{ name: client.display_name, role: 'client' }, ...others.map((name) => ({ name, role }))],
  }
}
