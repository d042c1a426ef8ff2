import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from '#contract/errors.ts'
import { at, readInterchange } from '#service/payer/x12/interchange.ts'
import { readResponse, groupsOf, levelsOf } from '#service/payer/x12/response.ts'
import { plain, buildInquiry } from '#service/payer/x12/write.ts'
import { anInquiry, response } from './payer-kit.ts'

const envelope = { sender: 'AFTERWORD', receiver: 'NORTHLAKE', control: 7, isTest: false }
const lines = (text: string): string[] => text.split('~').filter((line) => line !== '')

const golden = [
  'ISA*00*          *00*          *ZZ*AFTERWORD      *ZZ*NORTHLAKE      *261124*1504*^*00501*000000007*0*P*:',
  'GS*HS*AFTERWORD*NORTHLAKE*20261124*1504*1*X*005010X279A1',
  'ST*270*0001*005010X279A1',
  'BHT*0022*13*0198A5C0-0000-7000-8000-000000000001*20261124*1504',
  'HL*1**20*1',
  'NM1*PR*2*NORTHLAKE HEALTH*****PI*87726',
  'HL*2*1*21*1',
  'NM1*1P*2*QUIET STREET PRACTICE*****XX*1999999984',
  'HL*3*2*22*0',
  'TRN*1*0198A5C0-0000-7000-8000-000000000001*9AFTERWORD',
  'NM1*IL*1*LOPEZ*ANA****MI*W123456789',
  'REF*6P*G-77',
  'DMG*D8*19900131',
  'DTP*291*D8*20261124',
  'EQ*30^MH',
  'III*ZZ*11',
  'EQ**HC:90837',
  'III*ZZ*11',
  'SE*17*0001',
  'GE*1*1',
  'IEA*1*000000007',
]

test('a question is the 270 that the guide describes, segment by segment', () => {
  expect(lines(buildInquiry(anInquiry(), envelope))).toEqual(golden)
})

test('a dependent stands below the subscriber, with the trace and the question', () => {
  const dependent = { given_name: 'Teo', family_name: 'López', date_of_birth: '2015-06-01', relationship: 'child' } as const
  const asked = { dependent, cpt_codes: [], place_of_service: null, service_date: null }
  expect(lines(buildInquiry(anInquiry(asked), envelope)).slice(8)).toEqual([
    'HL*3*2*22*1',
    'NM1*IL*1*LOPEZ*ANA****MI*W123456789',
    'REF*6P*G-77',
    'DMG*D8*19900131',
    'HL*4*3*23*0',
    'TRN*1*0198A5C0-0000-7000-8000-000000000001*9AFTERWORD',
    'NM1*03*1*LOPEZ*TEO',
    'DMG*D8*20150601',
    'INS*N*19',
    'EQ*30^MH',
    'SE*17*0001',
    'GE*1*1',
    'IEA*1*000000007',
  ])
})

test('an answer is read with its loops, its traces and everything nobody here knows', () => {
  const text = response([
    'TRN*2*0198A5C0-0000-7000-8000-000000000001*9AFTERWORD',
    'REF*6P*G-77',
    'DTP*291*RD8*20260101-20261231',
    'EB*1*IND*30^MH*PR*SILVER PPO',
    'XYZ*SOMETHING*NEW',
    'EB*B*IND*A6***27*20****N*Y*HC:90837',
    'MSG*PER VISIT',
    'III*ZZ*11',
    'EB*F*IND*MH',
    'HSD*VS*30***23',
    'DTP*292*D8*20260401',
    'EB*U*IND*MH',
    'LS*2120',
    'NM1*VN*2*CALM MINDS*****PI*77001',
    'PER*IC*DESK*EM*A@B.C*TE*8005550100',
    'LE*2120',
  ])
  const raw = readResponse(text, '0198a5c0-0000-7000-8000-000000000001')
  expect(raw.text).toBe(text)
  expect(raw.payer).toEqual({ id: '87726', name: 'NORTHLAKE HEALTH' })
  expect(raw.dates).toEqual([{ qualifier: '291', start: '2026-01-01', end: '2026-12-31' }])
  expect(raw.references).toEqual([{ qualifier: '6P', value: 'G-77' }])
  const [plan, copay, limit, elsewhere] = raw.benefits
  expect(plan).toMatchObject({ row: 1, eb: '1', stc: ['30', 'MH'], insurance_type: 'PR', plan: 'SILVER PPO', amount: null })
  expect(plan?.segments).toEqual(['EB*1*IND*30^MH*PR*SILVER PPO', 'XYZ*SOMETHING*NEW'])
  expect(copay).toMatchObject({
    row: 2,
    time: '27',
    amount: '20',
    auth: 'N',
    in_network: 'Y',
    procedure: '90837',
    places: ['11'],
  })
  expect(copay?.messages).toEqual(['PER VISIT'])
  expect(limit?.deliveries).toEqual([{ quantity_type: 'VS', quantity: '30', time: '23' }])
  expect(elsewhere?.entities).toEqual([{ kind: 'VN', name: 'CALM MINDS', id: '77001', phone: '8005550100' }])
  expect(raw.rejections).toEqual([])
})

test('refusals are read where they stand, their letters untouched', () => {
  const raw = readResponse(response(['AAA*N**75*C', 'EB*1*IND*30', 'AAA*Y**54*N'], { dependent: ['AAA*N**67*S'] }), null)
  expect(raw.rejections).toEqual([
    { code: '75', followup: 'C', location: '2100C' },
    { code: '54', followup: 'N', location: '2110C' },
    { code: '67', followup: 'S', location: '2100D' },
  ])
})

test('delimiters are the interchange’s own, whatever they are', () => {
  const text = response(['EB*1*IND*30^MH*PR*A:B PLAN']).replaceAll('*', '|').replaceAll('^', '!').replaceAll('~', '\n')
  expect(readResponse(text, null).benefits[0]).toMatchObject({ stc: ['30', 'MH'], plan: 'A:B PLAN' })
  expect(readResponse(response(['EB*1*IND*30']).replaceAll('~', '~\r\n'), null).benefits).toHaveLength(1)
})

test('an answer to another question is refused', () => {
  const text = response(['TRN*2*ANOTHER*9AFTERWORD', 'EB*1*IND*30'])
  expect(() => readResponse(text, 'mine')).toThrow(/answers another question/)
})

const whole = response(['TRN*2*T*9X', 'EB*1*IND*30', 'EB*B*IND*MH***27*20'])
test.each([
  ['nothing', ''],
  ['prose', 'The service is unavailable.'],
  ['a page', '<html><body>504</body></html>'],
  ['a header alone', whole.slice(0, 90)],
  ['a message that breaks off', whole.slice(0, -30)],
  ['a wrong count', whole.replace('SE*12', 'SE*13')],
  ['a wrong control number', whole.replace('IEA*1*000000007', 'IEA*1*000000008')],
  ['a level in the air', whole.replace('HL*3*2*22', 'HL*3*9*22')],
  ['two levels of one number', whole.replace('HL*3*2*22', 'HL*2*2*22')],
  ['another transaction', whole.replace('ST*271', 'ST*999')],
  ['a nameless segment', whole.replace('EB*1*IND*30', '*1*IND*30')],
])('%s is a clear failure that repeats nothing', (_, text) => {
  expect(whole).toContain('SE*12')
  const failure = failureOf(() => readResponse(text, null))
  expect(failure).toMatchObject({ code: 'engine-failed', detail: expect.stringMatching(/^The payer’s answer cannot be read: /) })
  expect(failure?.message).not.toContain('LOPEZ')
})

const letters = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

test('whatever names people have, a question holds what was asked and nothing more', () => {
  const names = fc.record({ given_name: letters, family_name: letters, date_of_birth: day })
  fc.assert(
    fc.property(names, letters, fc.option(names), letters, (person, member_id, dependent, payer) => {
      const inquiry = anInquiry({
        payer: { id: payer, name: payer },
        subscriber: { ...person, member_id, group_number: null },
        dependent: dependent && { ...dependent, relationship: 'other' },
      })
      const text = buildInquiry(inquiry, envelope)
      const [transaction] = readInterchange(text).transactions
      const levels = levelsOf(transaction!)
      expect(levels.map(({ code }) => code)).toEqual(['20', '21', '22', ...(dependent ? ['23'] : [])])
      const named = levels[2]!.segments.find(({ tag }) => tag === 'NM1')!
      const expected = [person.family_name, person.given_name, member_id].map((value) => plain(value) || null)
      expect([at(named, 3), at(named, 4), at(named, 9)]).toEqual([
        expected[0]?.slice(0, 60).trim() ?? null,
        expected[1]?.slice(0, 35).trim() ?? null,
        expected[2],
      ])
      expect(groupsOf(levels.at(-1)!, 'EQ').groups).toHaveLength(2)
      expect(text).toMatch(/^[\x20-\x7e]*$/)
    }),
    { numRuns: 200 },
  )
})

const fuzzRuns = process.env['AFTERWORD_FAULTS'] === 'full' ? 200_000 : 2_000

test('no text at all does anything but be read or be refused', () => {
  const cut = fc.tuple(fc.nat(whole.length), fc.nat(40), fc.string({ maxLength: 12 }))
  const damaged = cut.map(([start, length, text]) => whole.slice(0, start) + text + whole.slice(start + length))
  fc.assert(
    fc.property(fc.oneof(damaged, fc.string({ maxLength: 400 })), (text) => {
      const failure = failureOf(() => readResponse(text, null))
      if (failure !== null) expect(failure).toMatchObject({ code: 'engine-failed' })
    }),
    { numRuns: fuzzRuns },
  )
})

test('every segment of an answer is kept word for word', () => {
  const element = fc.stringMatching(/^[A-Z0-9 .,'()-]{0,12}$/)
  const line = fc.tuple(fc.stringMatching(/^[A-Z][A-Z0-9]{1,2}$/), fc.array(element, { minLength: 1, maxLength: 6 }))
  const free = line.filter(([tag]) => !['HL', 'SE', 'ST', 'GE', 'GS', 'IEA', 'ISA', 'EB', 'TRN'].includes(tag))
  fc.assert(
    fc.property(fc.array(free, { maxLength: 12 }), (under) => {
      const written = under.map(([tag, elements]) => [tag, ...elements].join('*'))
      const raw = readResponse(response(['EB*1*IND*30', ...written]), null)
      expect(raw.benefits[0]?.segments).toEqual(['EB*1*IND*30', ...written])
    }),
  )
})

function failureOf(work: () => unknown): AppError | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}
