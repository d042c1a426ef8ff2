import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amountOf, countOf, percentOf } from '#service/payer/reading/costs.ts'
import { readCoverage, errorsOf, isOutage } from '#service/payer/reading/read-coverage.ts'
import type { Asked } from '#service/payer/reading/relevant.ts'
import { readResponse } from '#service/payer/x12/response.ts'
import { response } from './payer-kit.ts'

const asked: Asked = { cpt_codes: [], network: 'auto', place_of_service: null }
const read = (lines: readonly string[], more: Partial<Asked> = {}) =>
  readCoverage(readResponse(response(lines), null), { ...asked, ...more })

describe('amounts', () => {
  test.each([
    ['20', '20.00'],
    ['20.5', '20.50'],
    ['.5', '0.50'],
    ['0', '0.00'],
    ['020.000', '20.00'],
    ['20.005', null],
    ['-5', null],
    ['1e3', null],
    ['1,500', null],
    ['', null],
    ['.', null],
    [null, null],
  ])('%s is %s', (text, amount) => expect(amountOf(text)).toBe(amount))

  test.each([
    ['.2', '20'],
    ['0.125', '12.5'],
    ['1', '100'],
    ['0', '0'],
    ['20', '20'],
    ['x', null],
  ])('a share of %s is %s percent', (text, percent) => expect(percentOf(text)).toBe(percent))

  test('no amount loses a cent, however large', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), fc.nat(99), (whole, cents) => {
        const fraction = String(cents).padStart(2, '0')
        expect(amountOf(`${whole}.${fraction}`)).toBe(`${whole}.${fraction}`)
      }),
    )
  })
  test('visits are whole numbers', () =>
    expect([countOf('30'), countOf('30.0'), countOf('2.5'), countOf(null)]).toEqual([30, 30, null, null]))
})

describe('what the lines say', () => {
  test('nothing said is null and unknown everywhere', () => {
    const { status, plan, mental_health, patient_estimate, alternatives } = read([])
    expect({ status, plan, patient_estimate, alternatives }).toEqual({
      status: 'unknown',
      plan: null,
      patient_estimate: null,
      alternatives: [],
    })
    expect(mental_health).toEqual({
      covered: 'unknown',
      network: 'unknown',
      copay: null,
      coinsurance_percent: null,
      deductible: null,
      out_of_pocket: null,
      visit_limit: null,
      authorization_required: 'unknown',
      telehealth_covered: 'unknown',
    })
  })
  test('a copayment of nought that was said is nought', () => {
    const { mental_health, patient_estimate } = read(['EB*1*IND*30^MH', 'EB*B*IND*MH***27*0'])
    expect([mental_health.copay?.amount, patient_estimate?.amount]).toEqual(['0.00', '0.00'])
  })
  test('an office visit’s copayment is no copayment of therapy, only a guess that says so', () => {
    const { mental_health, patient_estimate } = read(['EB*1*IND*30^MH', 'EB*B*IND*98***27*35*****Y'])
    expect([mental_health.copay, patient_estimate]).toEqual([
      null,
      { amount: '35.00', basis: ['EB#2'], confidence: 'inferred', disclaimer: 'not a guarantee of payment' },
    ])
  })
  test('the line nearest to what is asked counts: the procedure, then psychotherapy, then mental health', () => {
    const lines = ['EB*1*IND*30^MH', 'EB*B*IND*MH***27*20', 'EB*B*IND*A6***27*25', 'EB*B*IND****27*30******HC:90837']
    expect(read(lines.slice(0, 2)).mental_health.copay?.amount).toBe('20.00')
    expect(read(lines).mental_health.copay?.amount).toBe('25.00')
    expect(read(lines, { cpt_codes: ['90837'] })).toMatchObject({
      mental_health: { copay: { amount: '30.00' } },
      basis: { 'mental_health.copay': ['EB#4'] },
    })
  })
  test('inside and outside of the network are kept apart; a line that holds on both sides counts on both', () => {
    const lines = ['EB*1*IND*30^MH', 'EB*B*IND*MH***27*20*****Y', 'EB*B*IND*MH***27*60*****N', 'EB*C*IND*30***23*900*****W']
    const [inside, outside] = [read(lines), read(lines, { network: 'out' })]
    expect([inside.mental_health.network, inside.mental_health.copay?.amount, inside.alternatives?.[0]?.copay?.amount]).toEqual([
      'in',
      '20.00',
      '60.00',
    ])
    expect([
      outside.mental_health.network,
      outside.mental_health.copay?.amount,
      outside.alternatives?.[0]?.copay?.amount,
    ]).toEqual(['out', '60.00', '20.00'])
    for (const one of [inside, outside]) expect(one.mental_health.deductible?.individual?.total).toBe('900.00')
  })
  test('lines that agree are all cited; lines that do not are listed, and none is picked', () => {
    const agreed = read(['EB*1*IND*30^MH', 'EB*C*IND*30***23*900', 'EB*C*IND*30***23*900.00'])
    expect(agreed.basis?.['mental_health.deductible.individual.total']).toEqual(['EB#2', 'EB#3'])
    const { mental_health, conflicts } = read(['EB*1*IND*30', 'EB*6*IND*30', 'EB*C*IND*30***23*900', 'EB*C*IND*30***23*1000'])
    expect(mental_health.deductible).toBeNull()
    expect(conflicts).toEqual([
      { field: 'status', rows: ['EB#1', 'EB#2'], values: ['active', 'inactive'] },
      { field: 'mental_health.deductible.individual.total', rows: ['EB#3', 'EB#4'], values: ['900.00', '1000.00'] },
    ])
  })
  test('a limit in HSD counts like one in EB; a place that is not ours does not', () => {
    const { mental_health } = read(['EB*1*IND*30^MH', 'EB*F*IND*MH', 'HSD*VS*24***22', 'EB*B*IND*MH***27*99', 'III*ZZ*21'])
    expect([mental_health.visit_limit, mental_health.copay]).toEqual([
      { total: 24, remaining: null, period: 'service_year' },
      null,
    ])
  })
  test('a message is shown and never read into a value', () => {
    const { mental_health, benefits } = read(['EB*1*IND*30^MH', 'MSG*TELEHEALTH COVERED WITH $0 COPAY, PRIOR AUTH REQUIRED'])
    expect(mental_health).toMatchObject({ telehealth_covered: 'unknown', copay: null, authorization_required: 'unknown' })
    expect(benefits[0]?.messages).toEqual(['TELEHEALTH COVERED WITH $0 COPAY, PRIOR AUTH REQUIRED'])
  })
  test('two companies that each answer for mental health: neither is picked', () => {
    const other = (name: string) => ['EB*U*IND*MH', 'LS*2120', `NM1*VN*2*${name}`, 'LE*2120']
    const { plan, conflicts } = read(['EB*1*IND*30*PR*P', ...other('ONE'), ...other('TWO')])
    expect([plan?.carve_out, conflicts?.map(({ field, rows }) => [field, rows])]).toEqual([
      null,
      [['plan.carve_out', ['EB#2', 'EB#3']]],
    ])
  })
  test('every value that stands cites a line that is there', () => {
    const line = fc.tuple(
      fc.constantFrom('1', '6', 'A', 'B', 'C', 'F', 'G', 'I', 'U'),
      fc.constantFrom('', 'IND', 'FAM'),
      fc.constantFrom('30', 'MH', 'A6', '98', '30^MH'),
      fc.constantFrom('', '23', '27', '29'),
      fc.constantFrom('', '20', '35.5'),
      fc.constantFrom('', '.2'),
      fc.constantFrom('', 'Y', 'N', 'U'),
      fc.constantFrom('', 'Y', 'N', 'W'),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.constantFrom('auto', 'in', 'out'), (drawn, network) => {
        const lines = drawn.map(([eb, level, stc, time, amount, percent, auth, side]) =>
          `EB*${eb}*${level}*${stc}***${time}*${amount}*${percent}***${auth}*${side}`.replace(/\*+$/, ''),
        )
        const { mental_health, basis, conflicts, patient_estimate } = read(lines, { network })
        const cites = (field: string): boolean =>
          Object.entries(basis ?? {}).some(([path, rows]) => path.startsWith(`mental_health.${field}`) && rows.length > 0)
        const { network: _side, ...values } = mental_health
        for (const [field, value] of Object.entries(values))
          if (value !== null && value !== 'unknown') expect([field, cites(field)]).toEqual([field, true])
        for (const { rows, values: said } of conflicts ?? [])
          expect([new Set(said).size > 1, rows.length]).toEqual([true, said.length])
        if (patient_estimate !== null) expect(patient_estimate.basis.length).toBeGreaterThan(0)
      }),
      { numRuns: 300 },
    )
  })
})

test('only a payer that is out is asked again by itself', () => {
  const codes = (...list: string[]) => list.map((code) => ({ code, followup: 'C', location: '2100A' }))
  expect([codes('42'), codes('80'), codes('42', '79')].map(isOutage)).toEqual([true, true, true])
  expect([codes('79'), codes('75'), codes('42', '75'), codes('80', '79'), []].map(isOutage)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ])
  expect(errorsOf(codes('ZZ'))[0]?.hint).toContain('Call the payer')
})
