import type { EligibilityInquiry, Person } from '../port.ts'

/** Nine digits that tell this question from the ones before; the gateway wants no letters. */
function controlNumber(trace: string): string {
  const digits = BigInt(`0x${trace.replaceAll(/[^0-9a-f]/gi, '') || '0'}`) % 1_000_000_000n
  return String(digits).padStart(9, '0')
}

const relationships = { spouse: '01', child: '19', other: '34' } as const
const day = (date: string): string => date.replaceAll('-', '')

function person({ given_name, family_name, date_of_birth }: Person) {
  return { firstName: given_name, lastName: family_name, dateOfBirth: day(date_of_birth) }
}

export function stediRequest(inquiry: EligibilityInquiry): object {
  const { payer, provider, subscriber, dependent, service_date, service_type_codes, cpt_codes, place_of_service } = inquiry
  return {
    controlNumber: controlNumber(inquiry.trace),
    tradingPartnerServiceId: payer.id,
    provider: { organizationName: provider.organization_name, npi: provider.npi },
    subscriber: {
      ...person(subscriber),
      memberId: subscriber.member_id,
      ...(subscriber.group_number === null ? {} : { groupNumber: subscriber.group_number }),
    },
    ...(dependent === null
      ? {}
      : { dependents: [{ ...person(dependent), individualRelationshipCode: relationships[dependent.relationship] }] }),
    encounter: {
      serviceTypeCodes: service_type_codes,
      ...(service_date === null ? {} : { dateOfService: day(service_date) }),
      ...(place_of_service === null ? {} : { industryCode: place_of_service }),
      // The shape takes procedures one by one.
      ...(cpt_codes.length === 0
        ? {}
        : { medicalProcedures: cpt_codes.map((procedureCode) => ({ productOrServiceIDQualifier: 'HC', procedureCode })) }),
    },
  }
}
