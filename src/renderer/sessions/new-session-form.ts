import type { MethodInput } from '#contract/bridge/methods.ts'
import type { Client } from '#contract/model/client.ts'
import type { Participant, Session, SessionType } from '#contract/model/session.ts'
import { isWithin, linesOf } from '#renderer/lib/text.ts'
import { type Wrong, wrongOf } from '#renderer/lib/use-form.ts'
import { clientsStrings } from '#renderer/strings/clients.ts'
import { fromLocalValues, localDateValue, localTimeValue } from '#renderer/lib/local-values.ts'

export type WhenFields = Readonly<Record<'date' | 'time' | 'minutes', string>>
export type DetailFields = Readonly<Pick<Session, 'session_type' | 'modality'> & { others: string }>
export type NewSessionFields = WhenFields & DetailFields & { readonly client_id: string | null }

const words = clientsStrings.newSession

export function nextHalfHour(now: Date): Date {
  const rounded = new Date(now)
  rounded.setSeconds(0, 0)
  const past = rounded.getMinutes() % 30
  rounded.setMinutes(rounded.getMinutes() + (past <= 5 ? -past : 30 - past))
  return rounded
}

export function newFields(clientId: string | null, at: Date): NewSessionFields {
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

export const checkWhen = ({ date, time, minutes }: WhenFields): Wrong<WhenFields> =>
  wrongOf({
    time: fromLocalValues(date, time) === null && words.when,
    minutes: !isWithin(minutes, 5, 480) && words.lengthWrong,
  })

export const checkSession = (fields: NewSessionFields): Wrong<NewSessionFields> => ({
  ...wrongOf({ client_id: fields.client_id === null && words.clientMissing }),
  ...checkWhen(fields),
})

const otherRoles: Partial<Record<SessionType, Participant['role']>> = {
  couple: 'partner',
  family: 'family',
  group: 'group_member',
}

export function toSessionDraft(fields: NewSessionFields, client: Client | undefined): MethodInput<'sessions.create'> | null {
  const at = fromLocalValues(fields.date, fields.time)
  if (at === null || client === undefined || Object.keys(checkSession(fields)).length > 0) return null
  return {
    client_id: client.id,
    session_type: fields.session_type,
    starts_at: at.toISOString(),
    duration_minutes: Number(fields.minutes),
    modality: fields.modality,
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    participants: participantsOf(client.display_name, fields),
  }
}

/** An empty list means the client alone. Otherwise the list names everyone who must consent. */
export function participantsOf(client: string, fields: DetailFields, known: readonly Participant[] = []): Participant[] {
  const names = linesOf(fields.others)
  const role = otherRoles[fields.session_type] ?? 'other'
  const self = known.find((one) => one.role === 'client') ?? { name: client, role: 'client' }
  return names.length === 0 ? [] : [self, ...names.map((name) => known.find((one) => one.name === name) ?? { name, role })]
}
