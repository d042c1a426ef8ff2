import type { Delimiters } from './interchange.ts'

/** What the guide recommends and everybody uses. */
export const usualDelimiters = { element: '*', repetition: '^', component: ':', segment: '~' } as const satisfies Delimiters

/** Who sends to whom; `isTest` says so in ISA15. */
export interface Envelope {
  readonly sender: string
  readonly receiver: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** 1 to 999,999,999. */
  readonly control: number
  readonly isTest: boolean
  /** GS01: HS asks, HB answers. */
  readonly group: 'HS' | 'HB'
}

const guide = '005010X279A1'

/** A segment; empty elements at its end are left out, as the standard wants. */
export function segment(tag: string, ...elements: readonly (string | null)[]): string {
  const written = elements.map((element) => element ?? '')
  while (written.at(-1) === '') written.pop()
  return [tag, ...written].join(usualDelimiters.element)
}

/** One transaction of this guide with its envelopes. */
export function writeInterchange(code: '270' | '271', body: readonly string[], envelope: Envelope): string {
  const { date, time } = momentOf(envelope.at)
  const control = String(envelope.control).padStart(9, '0')
  const { repetition, component, segment: end } = usualDelimiters
  const lines = [
    // Written by hand: every place is filled, also the empty ones.
    [
      'ISA*00',
      ' '.repeat(10),
      '00',
      ' '.repeat(10),
      'ZZ',
      wide(envelope.sender),
      'ZZ',
      wide(envelope.receiver),
      date.slice(2),
      time,
      repetition,
      '00501',
      control,
      '0',
      envelope.isTest ? 'T' : 'P',
      component,
    ].join('*'),
    segment('GS', envelope.group, plain(envelope.sender), plain(envelope.receiver), date, time, '1', 'X', guide),
    segment('ST', code, '0001', guide),
    ...body,
    segment('SE', String(body.length + 2), '0001'),
    segment('GE', '1', '1'),
    segment('IEA', '1', control),
  ]
  return lines.map((line) => line + end).join('')
}

/** UTC: an interchange does not say its zone. */
export function momentOf(at: number): { date: string; time: string } {
  const moment = new Date(at).toISOString()
  return { date: moment.slice(0, 10).replaceAll('-', ''), time: moment.slice(11, 16).replace(':', '') }
}

/** Letters that no decomposition makes plain. */
const letters: Readonly<Record<string, string>> = { Ø: 'O', Ł: 'L', Æ: 'AE', Œ: 'OE', Đ: 'D', Þ: 'TH', Ð: 'D', ẞ: 'SS' }

/**
 * A value in the basic character set of X12: capitals without marks. What would be read as a delimiter becomes a space,
 * so that nobody's name can end a segment.
 */
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
