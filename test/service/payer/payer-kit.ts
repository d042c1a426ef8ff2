import type { EligibilityInquiry } from '#service/payer/port.ts'

/** A question as the service would ask it. */
export function anInquiry(more: Partial<EligibilityInquiry> = {}): EligibilityInquiry {
  return {
    trace: '0198a5c0-0000-7000-8000-000000000001',
    asked_at: Date.UTC(2026, 10, 24, 15, 4),
    payer: { id: '87726', name: 'Northlake Health' },
    provider: { npi: '1999999984', organization_name: 'Quiet Street Practice' },
    subscriber: {
      member_id: 'W123456789',
      given_name: 'Ana',
      family_name: 'López',
      date_of_birth: '1990-01-31',
      group_number: 'G-77',
    },
    dependent: null,
    service_date: '2026-11-24',
    service_type_codes: ['30', 'MH'],
    cpt_codes: ['90837'],
    place_of_service: '11',
    ...more,
  }
}

/** A 271 with these segments in the subscriber's level, in the envelopes of any payer. */
export function response(lines: readonly string[], { dependent = [] as readonly string[] } = {}): string {
  const body = [
    'ST*271*0001*005010X279A1',
    'BHT*0022*11*1*20261124*1504',
    'HL*1**20*1',
    'NM1*PR*2*NORTHLAKE HEALTH*****PI*87726',
    'HL*2*1*21*1',
    'NM1*1P*2*QUIET STREET PRACTICE*****XX*1999999984',
    `HL*3*2*22*${dependent.length > 0 ? '1' : '0'}`,
    'NM1*IL*1*LOPEZ*ANA****MI*W123456789',
    ...lines,
    ...(dependent.length > 0 ? ['HL*4*3*23*0', 'NM1*03*1*LOPEZ*TEO', ...dependent] : []),
  ]
  return `${[
    'ISA*00*          *00*          *ZZ*NORTHLAKE      *ZZ*AFTERWORD      *261124*1504*^*00501*000000007*0*P*:',
    'GS*HB*NORTHLAKE*AFTERWORD*20261124*1504*1*X*005010X279A1',
    ...body,
    `SE*${body.length + 1}*0001`,
    'GE*1*1',
    'IEA*1*000000007',
  ].join('~')}~`
}
