import { dateSchema } from '#contract/model/common.ts'
import type { EligibilityRaw, RawBenefit, RawDate, RawEntity, RawReference, Rejection } from '../port.ts'
import { at, type Delimiters, malformed, readInterchange, repeats, type Segment, type Transaction } from './interchange.ts'

export function readResponse(text: string, trace: string | null): EligibilityRaw {
  const { delimiters, transactions } = readInterchange(text)
  const [transaction, another] = transactions.filter(({ code }) => code === '271')
  if (transaction === undefined) throw malformed('it holds no eligibility answer (271)')
  if (another !== undefined) throw malformed('it holds more than one eligibility answer')
  const levels = levelsOf(transaction)
  if (!levels.some(({ code }) => code === levelCodes.payer)) throw malformed('it names no payer')
  if (trace !== null) refuseAnother(levels, trace)
  const people = levels.filter(({ code }) => code === levelCodes.dependent || code === levelCodes.subscriber)
  // A dependent's level follows the subscriber's, so reversing puts the dependent first.
  const nearest = people.toReversed()
  let row = 0
  return {
    media_type: 'application/edi-x12',
    text,
    payer: payerOf(levels),
    dates: nearest.flatMap((level) => datesIn(groupsOf(level, 'EB').own)),
    references: nearest.flatMap((level) => referencesIn(groupsOf(level, 'EB').own)),
    benefits: people.flatMap((level) =>
      groupsOf(level, 'EB').groups.map((group) => benefitOf(group, level, (row += 1), delimiters)),
    ),
    rejections: levels.flatMap((level) => rejectionsOf(level)),
  }
}

/** TRN01 = 2 marks the returned trace of the request. */
function refuseAnother(levels: readonly Level[], trace: string): void {
  const returned = levels.flatMap(({ segments }) => segments.filter((segment) => segment.tag === 'TRN' && at(segment, 1) === '2'))
  const isOurs = returned.some((segment) => at(segment, 2)?.toUpperCase() === trace.toUpperCase())
  if (returned.length > 0 && !isOurs) throw malformed('it answers another question')
}

function payerOf(levels: readonly Level[]): EligibilityRaw['payer'] {
  const level = levels.find(({ code }) => code === levelCodes.payer)
  const named = level?.segments.find((segment) => segment.tag === 'NM1')
  return { name: named === undefined ? null : at(named, 3), id: named === undefined ? null : at(named, 9) }
}

function benefitOf(group: Group, level: Level, row: number, delimiters: Delimiters): RawBenefit {
  const [line, ...under] = group
  const places = under.filter((segment) => segment.tag === 'III' && at(segment, 1) === 'ZZ')
  return {
    row,
    whose: level.code === levelCodes.dependent ? 'dependent' : 'subscriber',
    eb: at(line, 1) ?? '',
    level: at(line, 2),
    stc: repeats(at(line, 3), delimiters),
    insurance_type: at(line, 4),
    plan: at(line, 5),
    time: at(line, 6),
    amount: at(line, 7),
    percent: at(line, 8),
    quantity_type: at(line, 9),
    quantity: at(line, 10),
    auth: at(line, 11),
    in_network: at(line, 12),
    procedure: at(line, 13)?.split(delimiters.component)[1]?.trim() || null,
    messages: under.flatMap((segment) => (segment.tag === 'MSG' ? (at(segment, 1) ?? []) : [])),
    dates: datesIn(under),
    references: referencesIn(under),
    deliveries: under
      .filter(({ tag }) => tag === 'HSD')
      .map((segment) => ({ quantity_type: at(segment, 1), quantity: at(segment, 2), time: at(segment, 5) })),
    places: places.flatMap((segment) => at(segment, 2) ?? []),
    entities: entitiesIn(under),
    segments: group.map(({ raw }) => raw),
  }
}

/** Loop 2120 is between LS and LE, but some payers omit both, so NM1 alone starts an entity. */
function entitiesIn(segments: readonly Segment[]): RawEntity[] {
  const found: { kind: string; name: string | null; id: string | null; phone: string | null }[] = []
  for (const segment of segments) {
    if (segment.tag === 'NM1') found.push({ kind: at(segment, 1) ?? '', name: nameOf(segment), id: at(segment, 9), phone: null })
    const last = found.at(-1)
    if (segment.tag === 'PER' && last) last.phone ??= phoneIn(segment)
  }
  return found
}

const nameOf = (segment: Segment): string | null =>
  [at(segment, 4), at(segment, 3)].filter((part) => part !== null).join(' ') || null

/** PER03 to PER08: pairs of qualifier and number. */
function phoneIn(segment: Segment): string | null {
  for (const place of [3, 5, 7]) if (at(segment, place) === 'TE') return at(segment, place + 1)
  return null
}

/** Letters of loop names by HL03 level; 2100C, for example, is the subscriber's name. */
const loopLetters: Readonly<Record<string, string>> = { '20': 'A', '21': 'B', '22': 'C', '23': 'D' }

function rejectionsOf(level: Level): Rejection[] {
  const letter = loopLetters[level.code] ?? '?'
  let loop = '2000'
  return level.segments.flatMap((segment) => {
    if (segment.tag === 'NM1' && loop === '2000') loop = '2100'
    if (segment.tag === 'EB') loop = '2110'
    if (segment.tag !== 'AAA') return []
    return [{ code: at(segment, 3) ?? '', followup: at(segment, 4) ?? '', location: `${loop}${letter}` }]
  })
}

function referencesIn(segments: readonly Segment[]): RawReference[] {
  return segments.flatMap((segment) => {
    const [qualifier, value] = [at(segment, 1), at(segment, 2)]
    return segment.tag === 'REF' && qualifier !== null && value !== null ? [{ qualifier, value }] : []
  })
}

function datesIn(segments: readonly Segment[]): RawDate[] {
  return segments.flatMap((segment) => {
    const [qualifier, form, value] = [at(segment, 1), at(segment, 2), at(segment, 3)]
    if (segment.tag !== 'DTP' || qualifier === null || value === null) return []
    const [start, end] = (form === 'RD8' ? value.split('-') : [value]).map(dateOf)
    if (start === undefined || start === null || end === null) return []
    return [{ qualifier, start, end: end ?? null }]
  })
}

const dateOf = (text: string): string | null => (/^\d{8}$/.test(text.trim()) ? dayOf(text) : null)

export function dayOf(text: string): string | null {
  const date = text.trim().replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
  return dateSchema.safeParse(date).success ? date : null
}

export const levelCodes = { payer: '20', provider: '21', subscriber: '22', dependent: '23' } as const

export type Level = ReturnType<typeof levelsOf>[number]

type Group = readonly [Segment, ...Segment[]]

export function levelsOf({ segments }: Transaction) {
  const levels: { id: string; parent: string | null; code: string; segments: Segment[] }[] = []
  for (const segment of segments) {
    if (segment.tag !== 'HL') {
      levels.at(-1)?.segments.push(segment)
      continue
    }
    const [id, parent, code] = [at(segment, 1), at(segment, 2), at(segment, 3)]
    if (id === null || code === null) throw malformed('a level has no number')
    if (levels.some((level) => level.id === id)) throw malformed('two levels have one number')
    if (parent !== null && !levels.some((level) => level.id === parent)) throw malformed('a level hangs in the air')
    levels.push({ id, parent, code, segments: [] })
  }
  return levels
}

export function groupsOf({ segments }: Level, tag: 'EB' | 'EQ'): { own: readonly Segment[]; groups: Group[] } {
  const first = segments.findIndex((segment) => segment.tag === tag)
  if (first === -1) return { own: segments, groups: [] }
  const groups: [Segment, ...Segment[]][] = []
  for (const segment of segments.slice(first)) {
    if (segment.tag === tag) groups.push([segment])
    else groups.at(-1)?.push(segment)
  }
  return { own: segments.slice(0, first), groups }
}
