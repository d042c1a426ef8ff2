import { AppError } from '#contract/errors.ts'
import type { Level } from '../x12/response.ts'
import type { Segment } from '../x12/interchange.ts'
import { at, malformed, readInterchange } from '../x12/interchange.ts'
import { momentOf, segment, writeInterchange, buildInquiry } from '../x12/write.ts'
import type { PayerGateway } from '../port.ts'
import { readResponse, groupsOf, levelCodes, levelsOf } from '../x12/response.ts'
import { isSandboxPayer, sandboxPayer } from '../port.ts'

/** Fictional sandbox members by member id, each with the 271 segments of the patient level. Names are ignored. */
interface SandboxMember {
  readonly shows: string
  readonly about: readonly string[]
  readonly lines: readonly string[]
}

/** No real payer uses this prefix, and the sandbox accepts nothing else. */
export const sandboxPrefix = 'AWTEST-'

const group = ['REF*6P*AW-100*SANDBOX GROUP', 'DTP*291*RD8*20260101-20261231']
const active = ['EB*1*IND*30*PR*SILVER PPO', 'EB*1*IND*MH']
const limits = [
  'EB*C*IND*30***23*1500*****Y',
  'EB*C*IND*30***29*430*****Y',
  'EB*G*IND*30***23*6000*****Y',
  'EB*G*IND*30***29*2100*****Y',
]
const copay = 'EB*B*IND*MH***27*20****N*Y'

const sandboxMembers: Readonly<Record<string, SandboxMember>> = {
  'AWTEST-ACTIVE': {
    shows: 'Covered, $20 a visit in the network, 12 of 30 visits left, no authorization; video is not spoken of.',
    about: group,
    lines: [
      ...active,
      copay,
      'MSG*DEDUCTIBLE DOES NOT APPLY TO OFFICE VISITS',
      ...limits,
      'EB*F*IND*MH***23***VS*30',
      'EB*F*IND*MH***29***VS*12',
      'EB*A*IND*MH*****.4****N',
    ],
  },
  'AWTEST-INACTIVE': { shows: 'The plan has ended.', about: ['DTP*357*D8*20260331'], lines: ['EB*6*IND*30'] },
  'AWTEST-NOTFOUND': { shows: 'The payer finds no such person (AAA 75).', about: ['AAA*N**75*C'], lines: [] },
  'AWTEST-CARVEOUT': {
    shows: 'Covered, but another company answers for mental health.',
    about: group,
    lines: [
      'EB*1*IND*30*HM*GOLD HMO',
      'EB*U*IND*MH',
      'LS*2120',
      'NM1*VN*2*SANDBOX BEHAVIORAL*****PI*AWSANDBOX-BH',
      'PER*IC**TE*8005550100',
      'LE*2120',
    ],
  },
  'AWTEST-VISITS': {
    shows: 'Covered, but the visits of this year are used up.',
    about: group,
    lines: [...active, copay, 'EB*F*IND*MH***23***VS*20', 'EB*F*IND*MH***29***VS*0'],
  },
  'AWTEST-AUTH': {
    shows: 'Covered with the payer’s leave: authorization is required.',
    about: group,
    lines: [...active, 'EB*B*IND*MH***27*25****Y*Y', 'MSG*PRIOR AUTHORIZATION REQUIRED. CALL BEFORE THE FIRST VISIT'],
  },
  'AWTEST-CONFLICT': {
    shows: 'Covered, but two lines name different copayments; none is picked.',
    about: group,
    lines: [...active, copay, 'EB*B*IND*MH***27*35****N*Y'],
  },
  'AWTEST-VIDEO': {
    shows: 'Covered, also by video at home.',
    about: group,
    lines: [...active, 'EB*1*IND*MH', 'III*ZZ*10', copay],
  },
  'AWTEST-SHARE': {
    shows: 'Covered, the patient pays a fifth after the deductible; no amount can be said.',
    about: group,
    lines: [...active, 'EB*A*IND*MH*****.2****Y', ...limits],
  },
  'AWTEST-SILENT': { shows: 'Active, and nothing is said of mental health.', about: [], lines: ['EB*1*IND*30**BRONZE'] },
}

const sandboxDown = 'AWTEST-DOWN'
/** `AWTEST-AAA43`, `AWTEST-AAA72N`: rejected with this AAA03 code and follow-up letter (default C). */
const sandboxRefusal = /^AWTEST-AAA([0-9T][0-9])([CNPRSWXY]?)$/

function answerInquiry(text: string, at_ms: number): string {
  const { transactions } = readInterchange(text)
  const inquiry = transactions.find(({ code }) => code === '270')
  if (inquiry === undefined) throw malformed('it holds no eligibility question (270)')
  const levels = levelsOf(inquiry)
  const subscriber = levels.find(({ code }) => code === levelCodes.subscriber)
  const named = subscriber?.segments.find(({ tag }) => tag === 'NM1')
  const patient = levels.find(({ code }) => code === levelCodes.dependent) ?? subscriber
  if (subscriber === undefined || named === undefined || patient === undefined) throw malformed('it asks about nobody')
  const known = answerFor(at(named, 9) ?? '')
  const { date, time } = momentOf(at_ms)
  const reference = inquiry.segments.find(({ tag }) => tag === 'BHT')
  const body = [
    segment('BHT', '0022', '11', reference === undefined ? null : at(reference, 3), date, time),
    ...levels.flatMap((level) => echo(level, level === patient ? known : { about: [], lines: [], refusals: known.refusals })),
  ]
  return writeInterchange('271', body, {
    sender: sandboxPayer.id,
    receiver: 'AFTERWORD',
    at: at_ms,
    control: 1,
    isTest: true,
    group: 'HB',
  })
}

interface Known {
  readonly about: readonly string[]
  readonly lines: readonly string[]
  readonly refusals: Readonly<Record<string, readonly string[]>>
}

function answerFor(memberId: string): Known {
  const member = sandboxMembers[memberId]
  if (member !== undefined) return { ...member, refusals: {} }
  const [, code, letter] = sandboxRefusal.exec(memberId) ?? []
  if (code === undefined) throw new AppError('engine-not-ready', 'The sandbox payer knows its own test members alone.')
  const refusal = segment('AAA', 'N', null, code, letter || 'C')
  const level = levelOf(code)
  return level === null
    ? { about: [refusal], lines: [], refusals: {} }
    : { about: [], lines: [], refusals: { [level]: [refusal] } }
}

/** Code of the level at which a payer reports this AAA code. Null means the patient's level. */
function levelOf(code: string): string | null {
  if (['04', '41', '42', '79', '80', 'T4'].includes(code)) return levelCodes.payer
  return Number(code) >= 43 && Number(code) <= 51 ? levelCodes.provider : null
}

/** Repeats the request's segments before its EQ groups, returns the trace, and adds the answer. */
function echo(level: Level, known: Known): string[] {
  const { own } = groupsOf(level, 'EQ')
  const again = own.filter(({ tag }) => tag !== 'DTP').map((line) => (line.tag === 'TRN' ? returned(line) : line.raw))
  return [
    segment('HL', level.id, level.parent, level.code, level.code === levelCodes.dependent ? '0' : '1'),
    ...again,
    ...(known.refusals[level.code] ?? []),
    ...known.about,
    ...known.lines,
  ]
}

const returned = (trace: Segment): string => segment('TRN', '2', at(trace, 2), at(trace, 3))

/** Simulated payer for test keys and sample clients. Uses the real X12 writer and reader, but no network. */
export function sandboxGateway(): PayerGateway {
  return {
    name: 'sandbox',
    check: async (inquiry, signal) => {
      signal.throwIfAborted()
      const question = buildInquiry(inquiry, { sender: 'AFTERWORD', receiver: sandboxPayer.id, control: 1, isTest: true })
      if (inquiry.subscriber.member_id.toUpperCase() === sandboxDown)
        throw new AppError('payer-unavailable', 'The sandbox payer is down for this member, as it is meant to be.')
      return readResponse(answerInquiry(question, inquiry.asked_at), inquiry.trace)
    },
    payers: (q) =>
      `${sandboxPayer.id} ${sandboxPayer.name}`.toLowerCase().includes(q.toLowerCase())
        ? [{ payer_id: sandboxPayer.id, name: sandboxPayer.name }]
        : [],
    capabilities: (payerId) => ({ eligibility: isSandboxPayer(payerId), test_only: true }),
  }
}
