import { AppError } from '#contract/errors.ts'

export interface Delimiters {
  readonly element: string
  /** Null if ISA11 is a letter or digit: before version 00402, ISA11 was not a repetition separator. */
  readonly repetition: string | null
  readonly component: string
  readonly segment: string
}

export interface Segment {
  readonly tag: string
  /** `elements[0]` is element 01 of the guide. */
  readonly elements: readonly string[]
  readonly raw: string
}

export interface Transaction {
  readonly code: string
  readonly segments: readonly Segment[]
}

/** X12.5: the elements of the ISA segment have fixed widths. */
const HEADER_LENGTH = 106
const headerWidths = [3, 2, 10, 2, 10, 2, 15, 2, 15, 6, 4, 1, 5, 9, 1, 1, 1]
const LONGEST = 4 * 1024 * 1024

/** @throws AppError `engine-failed`, whose message describes the structure, not the content */
export function readInterchange(text: string) {
  if (text.length > LONGEST) throw malformed('it is too long')
  const body = text.replace(/^\uFEFF/, '').trimStart()
  const delimiters = delimitersOf(body)
  const segments = segmentsOf(body, delimiters)
  return { delimiters, transactions: transactionsOf(segments) }
}

export function at({ elements }: Segment, number: number): string | null {
  const value = elements[number - 1]?.trim()
  return value === undefined || value === '' ? null : value
}

export function repeats(value: string | null, { repetition }: Delimiters): string[] {
  if (value === null) return []
  return (repetition === null ? [value] : value.split(repetition)).filter((part) => part !== '')
}

export function malformed(reason: string): AppError {
  return new AppError('engine-failed', `The payer’s answer cannot be read: ${reason}.`)
}

function delimitersOf(body: string): Delimiters {
  if (!body.startsWith('ISA')) throw malformed('it does not begin with ISA')
  if (body.length < HEADER_LENGTH) throw malformed('its header is cut off')
  const [element, component, segment] = [body[3]!, body[104]!, body[105]!]
  const parts = body.slice(0, HEADER_LENGTH - 1).split(element)
  if (parts.length !== headerWidths.length || parts.some((part, index) => part.length !== headerWidths[index]))
    throw malformed('its header does not have the fixed widths')
  const repetition = /[A-Za-z0-9]/.test(parts[11]!) ? null : parts[11]!
  const all = [element, component, segment, ...(repetition === null ? [] : [repetition])]
  if (new Set(all).size !== all.length || all.some((character) => /[A-Za-z0-9 ]/.test(character)))
    throw malformed('its delimiters cannot be told apart')
  return { element, repetition, component, segment }
}

function segmentsOf(body: string, { element, segment }: Delimiters): Segment[] {
  const written = body.split(segment)
  if (written.pop()?.trim() !== '') throw malformed('it breaks off inside a segment')
  return written.flatMap((part) => {
    const raw = part.replace(/^[\r\n]+|[\r\n]+$/g, '')
    if (raw === '') return []
    const [tag = '', ...elements] = raw.split(element)
    if (!/^[A-Z][A-Z0-9]{1,2}$/.test(tag)) throw malformed('a segment has no name')
    return [{ tag, elements, raw }]
  })
}

/** Reads ISA (GS (ST … SE)* GE)* IEA. Each trailer has a count and repeats a control number. Ignores TA1 outside of groups. */
function transactionsOf(segments: readonly Segment[]): Transaction[] {
  const found: Transaction[] = []
  const [isa, ...rest] = segments
  let group: Segment | null = null
  let groups = 0
  let inGroup = 0
  let open: { start: Segment; segments: Segment[] } | null = null
  let isOver = false
  for (const segment of rest) {
    if (isOver) throw malformed('something follows its end')
    if (open !== null && !['SE', 'ST', 'GE', 'GS', 'IEA', 'ISA'].includes(segment.tag)) open.segments.push(segment)
    else if (segment.tag === 'GS' && group === null) [group, inGroup] = [segment, 0]
    else if (segment.tag === 'ST' && group !== null && open === null) open = { start: segment, segments: [] }
    else if (segment.tag === 'SE' && open !== null) {
      requireEnd(segment, open.segments.length + 2, at(open.start, 2))
      found.push({ code: at(open.start, 1) ?? '', segments: open.segments })
      ;[open, inGroup] = [null, inGroup + 1]
    } else if (segment.tag === 'GE' && group !== null && open === null) {
      requireEnd(segment, inGroup, at(group, 6))
      ;[group, groups] = [null, groups + 1]
    } else if (segment.tag === 'IEA' && group === null) {
      requireEnd(segment, groups, at(isa!, 13))
      isOver = true
    } else if (segment.tag !== 'TA1' || group !== null) throw malformed('a segment stands where it may not')
  }
  if (!isOver) throw malformed('it has no end')
  return found
}

function requireEnd(end: Segment, count: number, control: string | null): void {
  if (at(end, 1) === null || Number(at(end, 1)) !== count) throw malformed('a count does not match')
  if (at(end, 2) !== control) throw malformed('a control number does not match')
}
