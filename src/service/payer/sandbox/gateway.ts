import { AppError } from '#contract/errors.ts'
import { groupsOf, type Level, levelCodes, levelsOf, readResponse } from '../x12/response.ts'
import { at, malformed, readInterchange, type Segment } from '../x12/interchange.ts'
import { momentOf, segment, writeInterchange, buildInquiry } from '../x12/write.ts'
import { isSandboxPayer, type PayerGateway, sandboxPayer } from '../port.ts'
import members from './members.json' with { type: 'json' }

interface SandboxMember {
  readonly about: readonly string[]
  readonly lines: readonly string[]
}

export const sandboxPrefix = 'AWTEST-'

const sandboxMembers: Readonly<Record<string, SandboxMember>> = members
const sandboxDown = 'AWTEST-DOWN'
/** Member ids such as `AWTEST-AAA43` or `AWTEST-AAA72N` are rejected with that AAA03 code and follow-up letter (default C). */
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
  return { about: level === null ? [refusal] : [], lines: [], refusals: level === null ? {} : { [level]: [refusal] } }
}

function levelOf(code: string): string | null {
  if (['04', '41', '42', '79', '80', 'T4'].includes(code)) return levelCodes.payer
  return Number(code) >= 43 && Number(code) <= 51 ? levelCodes.provider : null
}

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
    accepts: isSandboxPayer,
  }
}
