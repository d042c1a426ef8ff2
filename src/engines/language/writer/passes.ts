import type { Line } from './lines.ts'
import { tokensOf } from './tokens.ts'

export interface Pass {
  readonly lines: readonly Line[]
  readonly letters: number
}

/** Number, name and punctuation around each line. */
const lineOverhead = 8

/**
 * Cuts a session so that each part fits. Cuts fall before a turn of the therapist wherever one is near, so that a
 * question stays with its answer; a turn longer than a whole part is cut at a space and keeps its number.
 */
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

/** In two halves, for a model that could read less than it was thought to; null where nothing is left to halve. */
export function halved({ lines, letters }: Pass): [Pass, Pass] | null {
  if (lines.length === 1) {
    const [line] = lines
    if (!line || line.text.length < 400) return null
    const parts = shortened(line, Math.ceil(costOf(line) / 2) + lineOverhead)
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

function passOf(lines: readonly Line[]): Pass {
  return { lines, letters: lines.reduce((sum, line) => sum + line.text.length, 0) }
}

function costOf(line: Line): number {
  return tokensOf(line.text) + lineOverhead
}

/** A question that waits for its answer goes along with it, as far as that fits. */
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
  const most = Math.max(60, budget - lineOverhead)
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
