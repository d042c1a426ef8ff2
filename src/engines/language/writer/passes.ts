import type { Line } from './source.ts'
import { AppError } from '#contract/errors.ts'
import { noticesOf } from '../notices.ts'
import type { NoteCheck } from '#contract/model/note.ts'

export type Pass = ReturnType<typeof passOf>

const LINE_OVERHEAD = 8

export function cutIntoPasses(lines: readonly Line[], budget: number): Pass[] {
  const passes: Pass[] = []
  let current: Line[] = []
  let used = 0
  const close = (keep: number): void => {
    const done = current.slice(0, current.length - keep)
    if (done.length > 0) passes.push(passOf(done))
    current = current.slice(current.length - keep)
    used = current.reduce((sum, line) => sum + costOf(line), 0)
  }
  for (const line of lines.flatMap((each) => shortened(each, budget))) {
    const cost = costOf(line)
    if (used + cost > budget && current.length > 0) close(tailToKeep(current, budget - cost))
    current.push(line)
    used += cost
  }
  close(0)
  return passes
}

export function halved({ lines, letters }: Pass): [Pass, Pass] | null {
  if (lines.length === 1) {
    const [line] = lines
    if (!line || line.text.length < 400) return null
    const parts = shortened(line, Math.ceil(costOf(line) / 2) + LINE_OVERHEAD)
    const [first, ...rest] = parts
    return first && rest.length > 0 ? [passOf([first]), passOf(rest)] : null
  }
  let sum = 0
  let at = lines.findIndex((line) => (sum += line.text.length) >= letters / 2)
  at = Math.min(Math.max(1, at), lines.length - 1)
  const before = lines[at - 1]
  if (before?.is_therapist === true && !lines[at]?.is_therapist && at > 1) at -= 1
  return [passOf(lines.slice(0, at)), passOf(lines.slice(at))]
}

const passOf = (lines: readonly Line[]) => ({ lines, letters: lines.reduce((sum, line) => sum + line.text.length, 0) })

const costOf = (line: Line): number => tokensOf(line.text) + LINE_OVERHEAD

function tailToKeep(lines: readonly Line[], room: number): number {
  let keep = 0
  let cost = 0
  for (let at = lines.length - 1; at > 0 && lines[at]?.is_therapist === true; at -= 1) {
    cost += costOf(lines[at]!)
    if (cost > room) break
    keep += 1
  }
  return keep
}

function shortened(line: Line, budget: number): Line[] {
  if (costOf(line) <= budget) return [line]
  const most = Math.max(60, budget - LINE_OVERHEAD)
  const parts: Line[] = []
  let rest = line.text
  while (rest !== '') {
    let end = rest.length
    while (tokensOf(rest.slice(0, end)) > most) {
      const space = rest.lastIndexOf(' ', Math.floor(end * 0.9))
      end = space > 0 ? space : Math.floor(end / 2)
    }
    parts.push({ ...line, text: rest.slice(0, end).trim() })
    rest = rest.slice(end).trim()
  }
  return parts
}

/** In tokens. Limits the text per prompt even in a larger context, because models miss more in the middle of a long text. */
const MAX_READ = 24_000
const MAX_ANSWER = 6_000
const MIN_READ = 300
const RESERVE = 120

export function budgetOf(context: number, instructions: string): { read: number; answer: number } {
  const answer = Math.max(300, Math.min(MAX_ANSWER, Math.floor(context * 0.3)))
  const read = Math.min(MAX_READ, context - answer - tokensOf(instructions) - RESERVE)
  if (read < MIN_READ)
    throw new AppError(
      'engine-not-ready',
      'The model can read too little at once. Start it with a larger context, 8,192 tokens for example, and say so in Settings.',
    )
  return { read, answer }
}

/** A high estimate of the number of tokens: three characters per token in Latin script, one in other scripts. */
export function tokensOf(text: string): number {
  let plain = 0
  let other = 0
  for (const letter of text) {
    if (letter.codePointAt(0)! < 0x250) plain += 1
    else other += 1
  }
  return Math.ceil(plain / 3) + other
}

export interface Coverage {
  readonly read: readonly Pass[]
  readonly unread: readonly Pass[]
  readonly silent: readonly Pass[]
  readonly is_doubtful: boolean
}

const LETTERS_WORTH_ASENTENCE = 800

export function coverageChecks({ read, unread, silent, is_doubtful }: Coverage, whole: string): NoteCheck[] {
  const done = lettersOf(read)
  const share = String(Math.floor((100 * done) / Math.max(1, done + lettersOf(unread))))
  const passes = read.length === 1 ? 'one pass' : `${read.length} passes`
  const telling = silent.filter(({ letters }) => letters >= LETTERS_WORTH_ASENTENCE)
  const where = (parts: readonly Pass[]): string => parts.slice(0, 10).map(stretchOf).join(', ')
  return noticesOf([
    ['coverage', unread.length === 0, { whole, passes }],
    ['coverage-partly', unread.length > 0, { share, whole, passes, where: where(unread) }],
    ['coverage-silent', telling.length > 0, { where: where(telling) }],
    ['coverage-doubtful', is_doubtful],
  ])
}

const lettersOf = (passes: readonly Pass[]): number => passes.reduce((sum, pass) => sum + pass.letters, 0)

function stretchOf({ lines }: Pass): string {
  const first = lines[0]
  const last = lines.at(-1)
  if (!first || !last) return ''
  const { start_ms } = first.segment
  const { end_ms } = last.segment
  return start_ms === null || end_ms === null
    ? `turns ${first.number} to ${last.number}`
    : `${clockOf(start_ms)} to ${clockOf(end_ms)}`
}

function clockOf(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const pad = (value: number): string => String(value).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  return `${hours > 0 ? `${hours}:` : ''}${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`
}
