import type { EligibilityInquiry, Person } from '../port.ts'
import type { Envelope } from './write.ts'
import { momentOf, plain, segment, usualDelimiters, writeInterchange } from './write.ts'

/** TRN03: who gave the trace its number; "9" and nine characters of one's own. */
const traceCompany = '9AFTERWORD'

/** INS02. */
const relationships = { spouse: '01', child: '19', other: '34' } as const

/**
 * The 270 of 005010X279A1: payer, provider, subscriber, dependent, each a level below the one before. The trace and the
 * question stand with the patient.
 */
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

/** One EQ for the service types together, one for each procedure; the place belongs to each. */
function questions({ service_type_codes, cpt_codes, place_of_service }: EligibilityInquiry): string[] {
  const place = place_of_service === null ? [] : [segment('III', 'ZZ', place_of_service)]
  const types = service_type_codes.map(plain).join(usualDelimiters.repetition)
  return [
    segment('EQ', types),
    ...place,
    ...cpt_codes.flatMap((code) => [segment('EQ', null, `HC${usualDelimiters.component}${plain(code)}`), ...place]),
  ]
}
