import { AppError } from '#contract/errors.ts'

/** What every format is read into before speakers get their roles. */
export interface Turn {
  /** As the file names whoever speaks; null where it does not say. */
  readonly label: string | null
  readonly start_ms: number | null
  readonly end_ms: number | null
  readonly text: string
}

export const mostTurns = 50_000
export const longestTurn = 20_000

/** The detail says which line and what is wrong with it, never what stands there. */
export function unreadable(detail: string): AppError {
  return new AppError('import-unreadable', detail)
}

/**
 * `Name: words`, as turns are written in plain text. A name is short, begins with a letter, and is no sentence; an
 * address such as `https://` is none.
 */
const labelled = /^\s*(?:\*\*)?([\p{L}][\p{L}\p{N}.'’_\-() ]{0,39}?)(?:\*\*)?\s*[:：](?!\/\/)(?:\*\*)?\s*(.*)$/u

export function splitLabel(line: string): { label: string | null; text: string } {
  const match = labelled.exec(line)
  if (match === null || match[1]!.trim().split(/\s+/).length > 4) return { label: null, text: line.trim() }
  return { label: match[1]!.trim(), text: match[2]!.trim() }
}

/** `01:02:03.456`, `02:03,456` or `02:03`, in milliseconds; null where it is no time. */
export function parseTime(text: string): number | null {
  const match = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?$/.exec(text.trim())
  if (match === null) return null
  const [, hours = '0', minutes = '0', seconds = '0', fraction = '0'] = match
  if (Number(minutes) > 59 && match[1] !== undefined) return null
  if (Number(seconds) > 59) return null
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'))
}

/**
 * The labels that are people: said more than once, or written as a name is. "and then she said: stop" inside a turn is
 * thereby not taken for somebody of that name.
 */
export function speakingLabels(labels: readonly string[]): Set<string> {
  const counts = new Map<string, number>()
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1)
  return new Set([...counts].filter(([label, count]) => count > 1 || isNameLike(label)).map(([label]) => label))
}

function isNameLike(label: string): boolean {
  const words = label.split(/\s+/)
  return words.length === 1 || (words.length <= 3 && words.every((word) => !/^\p{Ll}/u.test(word)))
}
