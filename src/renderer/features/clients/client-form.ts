import type { Client, ClientPatch } from '#contract/model/client.ts'
import type { MethodInput } from '#contract/bridge/methods.ts'
import { linesOf, textOrNull } from '#renderer/lib/text.ts'
import { type Wrong, wrongOf } from '#renderer/lib/use-form.ts'
import { clientsStrings } from '#renderer/strings/clients.ts'

type Insurance = NonNullable<Client['insurance']>

const own = ['given_name', 'pronouns', 'date_of_birth', 'phone', 'email', 'family_name'] as const
const onCard = ['payer_id', 'payer_name', 'member_id', 'group_number'] as const
type Own = (typeof own)[number]
type OnCard = (typeof onCard)[number]

export interface ClientFormFields extends Readonly<
  Record<'display_name' | 'diagnoses' | 'goals' | 'vocabulary' | Own | OnCard, string>
> {
  readonly relationship: Insurance['relationship']
}

const pick = <Name extends string, Value>(names: readonly Name[], valueOf: (name: Name) => Value): Record<Name, Value> =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>

export function fieldsOf(client: Client | null): ClientFormFields {
  const { diagnoses = [], goals = [], vocabulary = [] } = client ?? {}
  return {
    ...pick(own, (name) => client?.[name] ?? ''),
    ...pick(onCard, (name) => client?.insurance?.[name] ?? ''),
    display_name: client?.display_name ?? '',
    diagnoses: diagnoses.map(({ code, description }) => `${code} ${description}`.trim()).join('\n'),
    goals: goals.join('\n'),
    vocabulary: vocabulary.join('\n'),
    relationship: client?.insurance?.relationship ?? 'self',
  }
}

export const emptyFields = fieldsOf(null)

export function rebased(
  { of, fields }: { readonly of: Client; readonly fields: ClientFormFields },
  client: Client,
): ClientFormFields {
  const before = fieldsOf(of)
  const typed = Object.entries(fields).filter(([name, value]) => value !== before[name as keyof ClientFormFields])
  return { ...fieldsOf(client), ...Object.fromEntries(typed) }
}

export function checkFields(fields: ClientFormFields, now: Date = new Date()): Wrong<ClientFormFields> {
  const { nameMissing, bornWrong, emailWrong, diagnosesWrong } = clientsStrings.form
  const email = fields.email.trim()
  return wrongOf({
    display_name: fields.display_name.trim() === '' && nameMissing,
    date_of_birth: fields.date_of_birth !== '' && !isPastDate(fields.date_of_birth, now) && bornWrong,
    email: email !== '' && !/^\S+@\S+$/.test(email) && emailWrong,
    diagnoses: linesOf(fields.diagnoses).some((line) => !/^[A-Z]\d/i.test(line)) && diagnosesWrong,
    ...wrongOnCard(fields),
  })
}

function wrongOnCard(fields: ClientFormFields) {
  if (insuranceOf(fields) === null) return {}
  const { payerNameMissing, payerIdMissing, payerIdWrong, memberIdMissing, memberIdWrong } = clientsStrings.form
  const wrongId = (typed: string, right: RegExp, missing: string, wrong: string): string | false =>
    typed.trim() === '' ? missing : !right.test(typed.trim()) && wrong
  return {
    payer_name: fields.payer_name.trim() === '' && payerNameMissing,
    payer_id: wrongId(fields.payer_id, /^[A-Z0-9]{2,80}$/i, payerIdMissing, payerIdWrong),
    member_id: wrongId(fields.member_id, /^[A-Z0-9][A-Z0-9 -]{1,79}$/i, memberIdMissing, memberIdWrong),
  }
}

function insuranceOf(fields: ClientFormFields): Insurance | null {
  const card = pick(onCard, (name) => fields[name].trim())
  if (Object.values(card).every((value) => value === '')) return null
  return { ...card, group_number: textOrNull(card.group_number), relationship: fields.relationship }
}

function isPastDate(value: string, now: Date): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value)
  if (!match) return false
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value) && date < now && date.getUTCFullYear() > 1880
}

export function toDraft(fields: ClientFormFields) {
  const short = (text: string): string[] => linesOf(text).map((line) => line.slice(0, 200))
  return {
    ...pick(own, (name) => textOrNull(fields[name])),
    display_name: fields.display_name.trim(),
    diagnoses: short(fields.diagnoses).slice(0, 20).map(diagnosisOf),
    goals: short(fields.goals).slice(0, 20),
    vocabulary: short(fields.vocabulary).slice(0, 200),
    insurance: insuranceOf(fields),
  } satisfies MethodInput<'clients.create'>
}

export function toPatch(fields: ClientFormFields, client: Client): ClientPatch {
  const changed = Object.entries(toDraft(fields)).filter(
    ([key, value]) => JSON.stringify(client[key as keyof Client]) !== JSON.stringify(value),
  )
  return Object.fromEntries(changed)
}

function diagnosisOf(line: string): Client['diagnoses'][number] {
  const [, code = '', description = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? []
  return { code: code.toUpperCase(), description }
}
