import type { MethodInput } from '#contract/bridge/methods.ts'
import type { Client } from '#contract/model/client.ts'
import type { Participant, Session, SessionType } from '#contract/model/session.ts'
import { isWithin, linesOf } from '#renderer/lib/text.ts'
import { type Wrong, wrongOf } from '#renderer/lib/use-form.ts'
import { clientsStrings } from '#renderer/strings/clients.ts'
import { fromLocalValues, localDateValue, localTimeValue } from '#renderer/lib/local-values.ts'

export interface NewSessionFields extends Pick<Session, 'session_type' | 'modality'> {
  readonly client_id: string | null
  readonly date: string
  readonly time: string
  readonly minutes: string
  readonly others: string
}

const words = clientsStrings.newSession

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

export function checkSession({ client_id, date, time, minutes }: NewSessionFields): Wrong<NewSessionFields> {
  return wrongOf({
    client_id: client_id === null && words.clientMissing,
    time: fromLocalValues(date, time) === null && words.when,
    minutes: !isWithin(minutes, 5, 480) && words.lengthWrong,
  })
}

const otherRoles: Partial<Record<SessionType, Participant['role']>> = {
  couple: 'partner',
  family: 'family',
  group: 'group_member',
}

export function toSessionDraft(fields: NewSessionFields, client: Client | undefined): MethodInput<'sessions.create'> | null {
  const at = fromLocalValues(fields.date, fields.time)
  if (at === null || client === undefined || Object.keys(checkSession(fields)).length > 0) return null
  const others = linesOf(fields.others)
  const role = otherRoles[fields.session_type] ?? 'other'
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
