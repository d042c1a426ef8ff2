import type { Client } from '#contract/model/client.ts'
import type { Session } from '#contract/model/session.ts'
import { roleWords } from '#renderer/strings/clients.ts'
import { conflictStrings, statusWords } from '#renderer/strings/conflicts.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { formatDayTime, formatFullDate, formatLength } from '#renderer/strings/time.ts'

type NameOf = (name: string) => string
type Values = Omit<Client, 'status'> & Omit<Session, 'status'> & { readonly status: string }
type Say<Name extends keyof Values> = (value: NonNullable<Values[Name]>, nameOf: NameOf) => string

const upper = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)
const lines = (values: readonly string[]): string => values.join('\n')
const time = (at: string): string => upper(formatDayTime(at))
const name = (value: string, nameOf: NameOf): string => nameOf(value)

/** A field's value as one would say it; what has no words of its own is text already. */
const words: { readonly [Name in keyof Values]?: Say<Name> } = {
  display_name: name,
  given_name: name,
  family_name: name,
  date_of_birth: formatFullDate,
  status: (value) => statusWords[value] ?? value,
  diagnoses: (values) => lines(values.map(({ code, description }) => `${code} ${description}`)),
  insurance: ({ payer_name, member_id }) => lines([payer_name, member_id]),
  goals: lines,
  vocabulary: (values) => values.join(', '),
  session_type: (value) => sessionWords.type(value),
  starts_at: time,
  started_at: time,
  finished_at: time,
  duration_minutes: (value) => formatLength(value * 60_000),
  modality: (value) => upper(sessionWords.place(value)),
  participants: (values, nameOf) => lines(values.map((one) => `${nameOf(one.name)}, ${roleWords[one.role]}`)),
  presenting_concerns: lines,
}

export function valueWords(field: string, value: unknown, nameOf: NameOf): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return conflictStrings.empty
  const say = (words as Readonly<Record<string, ((value: never, nameOf: NameOf) => string) | undefined>>)[field]
  if (say !== undefined) return say(value as never, nameOf)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
}
