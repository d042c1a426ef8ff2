import type { Delimiters } from './interchange.ts'
import type { EligibilityInquiry, Person } from '../port.ts'

const usualDelimiters = { element: '*', repetition: '^', component: ':', segment: '~' } as const satisfies Delimiters

interface Envelope {
  readonly sender: string
  readonly receiver: string
  readonly at: number
  readonly control: number
  readonly isTest: boolean
  /** GS01: HS is the inquiry, HB the response. */
  readonly group: 'HS' | 'HB'
}

const guide = '005010X279A1'

export function segment(tag: string, ...elements: readonly (string | null)[]): string {
  const written = elements.map((element) => element ?? '')
  while (written.at(-1) === '') written.pop()
  return [tag, ...written].join(usualDelimiters.element)
}

export function writeInterchange(code: '270' | '271', body: readonly string[], envelope: Envelope): string {
  const { date, time } = momentOf(envelope.at)
  const control = String(envelope.control).padStart(9, '0')
  const { repetition, component, segment: end } = usualDelimiters
  const blank = ' '.repeat(10)
  const parties = `ZZ*${wide(envelope.sender)}*ZZ*${wide(envelope.receiver)}`
  const usage = envelope.isTest ? 'T' : 'P'
  const lines = [
    `ISA*00*${blank}*00*${blank}*${parties}*${date.slice(2)}*${time}*${repetition}*00501*${control}*0*${usage}*${component}`,
    segment('GS', envelope.group, plain(envelope.sender), plain(envelope.receiver), date, time, '1', 'X', guide),
    segment('ST', code, '0001', guide),
    ...body,
    segment('SE', String(body.length + 2), '0001'),
    segment('GE', '1', '1'),
    segment('IEA', '1', control),
  ]
  return lines.map((line) => line + end).join('')
}

/** Date and time are in UTC, because X12 envelopes have no time zone. */
export function momentOf(at: number): { date: string; time: string } {
  const moment = new Date(at).toISOString()
  return { date: moment.slice(0, 10).replaceAll('-', ''), time: moment.slice(11, 16).replace(':', '') }
}

const letters: Readonly<Record<string, string>> = { Ø: 'O', Ł: 'L', Æ: 'AE', Œ: 'OE', Đ: 'D', Þ: 'TH', Ð: 'D', ẞ: 'SS' }

/** Converts to uppercase ASCII. Delimiters become spaces, so a name can't end a segment. */
export function plain(value: string): string {
  return value
    .toUpperCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\x20-\x7e]/g, (letter) => letters[letter] ?? ' ')
    .replaceAll(/[*~^:|<>{}[\]\\`"]/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
}

function wide(value: string): string {
  return plain(value).slice(0, 15).padEnd(15)
}

/** TRN03, originating company: "9" and nine characters. */
const traceCompany = '9AFTERWORD'

/** Codes of INS02. */
export const relationships = { spouse: '01', child: '19', other: '34' } as const

export function buildInquiry(inquiry: EligibilityInquiry, envelope: Omit<Envelope, 'group' | 'at'>): string {
  const { payer, provider, subscriber, dependent, trace, asked_at } = inquiry
  const { date, time } = momentOf(asked_at)
  const question = [...serviceDate(inquiry), ...questions(inquiry)]
  const traced = segment('TRN', '1', plain(trace), traceCompany)
  const body = [
    segment('BHT', '0022', '13', plain(trace), date, time),
    segment('HL', '1', null, '20', '1'),
    segment('NM1', 'PR', '2', plain(payer.name).slice(0, 60), null, null, null, null, 'PI', plain(payer.id)),
    segment('HL', '2', '1', '21', '1'),
    segment('NM1', '1P', '2', plain(provider.organization_name).slice(0, 60), null, null, null, null, 'XX', provider.npi),
    segment('HL', '3', '2', '22', dependent === null ? '0' : '1'),
    ...(dependent === null ? [traced] : []),
    named('IL', subscriber, 'MI', plain(subscriber.member_id)),
    ...(subscriber.group_number === null ? [] : [segment('REF', '6P', plain(subscriber.group_number))]),
    born(subscriber),
    ...(dependent === null
      ? question
      : [
          segment('HL', '4', '3', '23', '0'),
          traced,
          named('03', dependent),
          born(dependent),
          segment('INS', 'N', relationships[dependent.relationship]),
          ...question,
        ]),
  ]
  return writeInterchange('270', body, { ...envelope, at: asked_at, group: 'HS' })
}

function named(kind: string, { family_name, given_name }: Person, qualifier?: string, id?: string): string {
  const names = [plain(family_name).slice(0, 60), plain(given_name).slice(0, 35)] as const
  return segment('NM1', kind, '1', ...names, null, null, null, qualifier ?? null, id ?? null)
}

const born = ({ date_of_birth }: Person): string => segment('DMG', 'D8', date_of_birth.replaceAll('-', ''))

function serviceDate({ service_date }: EligibilityInquiry): string[] {
  return service_date === null ? [] : [segment('DTP', '291', 'D8', service_date.replaceAll('-', ''))]
}

function questions({ service_type_codes, cpt_codes, place_of_service }: EligibilityInquiry): string[] {
  const place = place_of_service === null ? [] : [segment('III', 'ZZ', place_of_service)]
  const types = service_type_codes.map(plain).join(usualDelimiters.repetition)
  return [
    segment('EQ', types),
    ...place,
    ...cpt_codes.flatMap((code) => [segment('EQ', null, `HC${usualDelimiters.component}${plain(code)}`), ...place]),
  ]
}
