import type { Client, ClientPatch } from '#contract/model/client.ts'
import type { MethodInput } from '#contract/bridge/methods.ts'
import { clientsStrings } from '#renderer/strings/clients.ts'

export interface ClientFormFields {
  readonly display_name: string
  readonly given_name: string
  readonly pronouns: string
  readonly date_of_birth: string
  readonly phone: string
  readonly email: string
  readonly diagnoses: string
  readonly goals: string
  readonly vocabulary: string
  readonly family_name: string
  readonly payer_id: string
  readonly payer_name: string
  readonly member_id: string
  readonly group_number: string
  readonly relationship: Insurance['relationship']
}

type Insurance = NonNullable<Client['insurance']>

export type WrongFields = Partial<Record<keyof ClientFormFields, string>>

export const emptyFields: ClientFormFields = {
  display_name: '',
  given_name: '',
  pronouns: '',
  date_of_birth: '',
  phone: '',
  email: '',
  diagnoses: '',
  goals: '',
  vocabulary: '',
  family_name: '',
  payer_id: '',
  payer_name: '',
  member_id: '',
  group_number: '',
  relationship: 'self',
}

export function fieldsOf(client: Client): ClientFormFields {
  return {
    display_name: client.display_name,
    given_name: client.given_name ?? '',
    pronouns: client.pronouns ?? '',
    date_of_birth: client.date_of_birth ?? '',
    phone: client.phone ?? '',
    email: client.email ?? '',
    diagnoses: client.diagnoses.map(({ code, description }) => `${code} ${description}`.trim()).join('\n'),
    goals: client.goals.join('\n'),
    vocabulary: client.vocabulary.join('\n'),
    family_name: client.family_name ?? '',
    payer_id: client.insurance?.payer_id ?? '',
    payer_name: client.insurance?.payer_name ?? '',
    member_id: client.insurance?.member_id ?? '',
    group_number: client.insurance?.group_number ?? '',
    relationship: client.insurance?.relationship ?? 'self',
  }
}

export function rebased(
  { of, fields }: { readonly of: Client; readonly fields: ClientFormFields },
  client: Client,
): ClientFormFields {
  const before = fieldsOf(of)
  const typed = Object.entries(fields).filter(([name, value]) => value !== before[name as keyof ClientFormFields])
  return { ...fieldsOf(client), ...Object.fromEntries(typed) }
}

export function checkFields(fields: ClientFormFields, now: Date = new Date()): WrongFields {
  const wrong: WrongFields = {}
  if (fields.display_name.trim() === '') wrong.display_name = clientsStrings.form.nameMissing
  if (fields.date_of_birth !== '' && !isPastDate(fields.date_of_birth, now)) wrong.date_of_birth = clientsStrings.form.bornWrong
  if (fields.email.trim() !== '' && !/^\S+@\S+$/.test(fields.email.trim())) wrong.email = clientsStrings.form.emailWrong
  if (linesOf(fields.diagnoses).some((line) => !/^[A-Z]\d/i.test(line))) wrong.diagnoses = clientsStrings.form.diagnosesWrong
  return { ...wrong, ...wrongOnCard(fields) }
}

function wrongOnCard(fields: ClientFormFields): WrongFields {
  if (insuranceOf(fields) === null) return {}
  const { payerNameMissing, payerIdMissing, payerIdWrong, memberIdMissing, memberIdWrong } = clientsStrings.form
  const [payerId, memberId] = [fields.payer_id.trim(), fields.member_id.trim()]
  const wrong: WrongFields = {}
  if (fields.payer_name.trim() === '') wrong.payer_name = payerNameMissing
  if (payerId === '') wrong.payer_id = payerIdMissing
  else if (!/^[A-Z0-9]{2,80}$/i.test(payerId)) wrong.payer_id = payerIdWrong
  if (memberId === '') wrong.member_id = memberIdMissing
  else if (!/^[A-Z0-9][A-Z0-9 -]{1,79}$/i.test(memberId)) wrong.member_id = memberIdWrong
  return wrong
}

function insuranceOf(fields: ClientFormFields): Insurance | null {
  const card = {
    payer_id: fields.payer_id.trim(),
    payer_name: fields.payer_name.trim(),
    member_id: fields.member_id.trim(),
    group_number: lineOf(fields.group_number),
  }
  const isEmpty = Object.values(card).every((value) => value === '' || value === null)
  return isEmpty ? null : { ...card, relationship: fields.relationship }
}

function isPastDate(value: string, now: Date): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value)
  if (!match) return false
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value) && date < now && date.getUTCFullYear() > 1880
}

export function toDraft(fields: ClientFormFields): MethodInput<'clients.create'> {
  return { ...optional(fields), display_name: fields.display_name.trim() }
}

export function toPatch(fields: ClientFormFields, client: Client): ClientPatch {
  const next = { ...optional(fields), display_name: fields.display_name.trim() }
  const changed = Object.entries(next).filter(
    ([key, value]) => JSON.stringify(client[key as keyof typeof next]) !== JSON.stringify(value),
  )
  return Object.fromEntries(changed)
}

function optional(fields: ClientFormFields) {
  return {
    given_name: lineOf(fields.given_name),
    pronouns: lineOf(fields.pronouns),
    date_of_birth: lineOf(fields.date_of_birth),
    phone: lineOf(fields.phone),
    email: lineOf(fields.email),
    diagnoses: linesOf(fields.diagnoses).slice(0, 20).map(diagnosisOf),
    goals: linesOf(fields.goals).slice(0, 20),
    vocabulary: linesOf(fields.vocabulary).slice(0, 200),
    family_name: lineOf(fields.family_name),
    insurance: insuranceOf(fields),
  }
}

function lineOf(value: string): string | null {
  return value.trim() === '' ? null : value.trim()
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim().slice(0, 200))
    .filter((line) => line !== '')
}

function diagnosisOf(line: string): Client['diagnoses'][number] {
  const [, code = '', description = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? []
  return { code: code.toUpperCase(), description }
}
