import { speakingLabels, splitLabel, type Turn, unreadable } from './turns.ts'

/**
 * Turns that begin with `Name:`, or paragraphs parted by empty lines. A line without a name belongs to the turn before
 * it. A time in brackets before the name is read as the start of the turn.
 */
export function readPlainText(text: string): Turn[] {
  const lines = text.split('\n').map(splitTime)
  const turns = isDialogue(lines.map((line) => line.rest)) ? readDialogue(lines) : readParagraphs(lines)
  const spoken = turns.filter((turn) => turn.text !== '')
  if (spoken.length === 0) throw unreadable('There are no words in this file.')
  return spoken
}

interface TimedLine {
  readonly start_ms: number | null
  readonly rest: string
}

function splitTime(line: string): TimedLine {
  const match = /^\s*[[(](?:(\d{1,2}):)?(\d{1,2}):(\d{2})(?:\.\d+)?[\])]\s*(.*)$/.exec(line)
  if (match === null) return { start_ms: null, rest: line }
  const seconds = (Number(match[1] ?? 0) * 60 + Number(match[2])) * 60 + Number(match[3])
  return { start_ms: seconds * 1000, rest: match[4]! }
}

/** Two named turns, or a first line with a name, make a dialogue; one stray colon does not. */
function isDialogue(lines: readonly string[]): boolean {
  const written = lines.filter((line) => line.trim() !== '')
  const named = written.filter((line) => splitLabel(line).label !== null)
  return named.length >= 2 || (written.length === 1 && named.length === 1)
}

function readDialogue(lines: readonly TimedLine[]): Turn[] {
  const people = speakingLabels(lines.flatMap((line) => splitLabel(line.rest).label ?? []))
  const turns: Turn[] = []
  for (const line of lines) {
    const { label, text } = splitLabel(line.rest)
    const last = turns.at(-1)
    if (label !== null && people.has(label)) {
      turns.push({ label, start_ms: line.start_ms, end_ms: null, text })
    } else if (line.rest.trim() !== '') {
      const words = line.rest.trim()
      if (last === undefined || line.start_ms !== null)
        turns.push({ label: last?.label ?? null, start_ms: line.start_ms, end_ms: null, text: words })
      else turns[turns.length - 1] = { ...last, text: `${last.text} ${words}`.trim() }
    }
  }
  return turns
}

function readParagraphs(lines: readonly TimedLine[]): Turn[] {
  const turns: Turn[] = []
  let isOpen = false
  for (const line of lines) {
    const text = line.rest.trim()
    const last = turns.at(-1)
    if (text === '') isOpen = false
    else if (isOpen && last !== undefined && line.start_ms === null)
      turns[turns.length - 1] = { ...last, text: `${last.text} ${text}` }
    else turns.push({ label: null, start_ms: line.start_ms, end_ms: null, text })
    if (text !== '') isOpen = true
  }
  return turns
}
