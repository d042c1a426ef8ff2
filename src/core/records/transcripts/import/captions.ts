import { parseTime, speakingLabels, splitLabel, type Turn, unreadable } from './turns.ts'

const voiceTag = /<v(?:\.[^\s>]*)?\s+[^>]+>/i

interface Line {
  readonly number: number
  readonly text: string
}

/** WebVTT (W3C): header, notes and styles left out, voice tags as speakers, other tags dropped. */
export function readVtt(text: string): Turn[] {
  if (!/^\uFEFF?WEBVTT(?:[ \t].*)?(?:\n|$)/.test(text)) throw unreadable('Line 1: a WebVTT file begins with WEBVTT.')
  const blocks = blocksOf(text).slice(1)
  return readCues(blocks.filter((block) => !/^(?:NOTE|STYLE|REGION)(?:\s|$)/.test(block[0]!.text)))
}

/** SubRip: a number, the times, the words. */
export function readSrt(text: string): Turn[] {
  return readCues(blocksOf(text))
}

function blocksOf(text: string): Line[][] {
  const blocks: Line[][] = []
  let block: Line[] = []
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (line.trim() !== '') block.push({ number: index + 1, text: line })
    else if (block.length > 0) {
      blocks.push(block)
      block = []
    }
  }
  if (block.length > 0) blocks.push(block)
  return blocks
}

function readCues(blocks: readonly Line[][]): Turn[] {
  const turns = blocks.flatMap(readCue)
  if (turns.length === 0) throw unreadable('There are no captions in this file.')
  if (blocks.some((block) => block.some((line) => voiceTag.test(line.text)))) return turns
  return foldStray(turns, speakingLabels(turns.flatMap((turn) => turn.label ?? [])))
}

/** A label that is nobody's goes back into the words it was taken from. */
function foldStray(turns: readonly Turn[], people: ReadonlySet<string>): Turn[] {
  const folded: Turn[] = []
  for (const turn of turns) {
    const last = folded.at(-1)
    const text = `${turn.label}: ${turn.text}`
    if (turn.label === null || people.has(turn.label)) folded.push(turn)
    else if (last !== undefined && last.start_ms === turn.start_ms && last.end_ms === turn.end_ms) {
      folded[folded.length - 1] = { ...last, text: `${last.text} ${text}` }
    } else folded.push({ ...turn, label: null, text })
  }
  return folded
}

function readCue(block: readonly Line[]): Turn[] {
  // The line above the times is the cue's own name or number, and need not be there.
  const timing = block.slice(0, 2).findIndex((line) => line.text.includes('-->'))
  if (timing < 0) throw unreadable(`Line ${block[0]!.number}: expected the times of a caption.`)
  const line = block[timing]!
  const [from = '', to = ''] = line.text.split('-->')
  const start = parseTime(from)
  // Settings such as `align:start` follow the end in WebVTT.
  const end = parseTime(to.trim().split(/\s+/)[0] ?? '')
  if (start === null || end === null) throw unreadable(`Line ${line.number}: the times cannot be read.`)
  if (end < start) throw unreadable(`Line ${line.number}: the caption ends before it begins.`)
  return readVoices(
    block
      .slice(timing + 1)
      .map((words) => words.text)
      .join('\n'),
  ).map((voice) => ({ ...voice, start_ms: start, end_ms: end }))
}

/** `<v Name>words</v>`, or `Name: words`, several in one cue allowed. */
function readVoices(payload: string): { label: string | null; text: string }[] {
  const parts = payload.split(/<v(?:\.[^\s>]*)?\s+([^>]+)>/i)
  const voices = parts.length > 1 ? fromVoiceTags(parts) : fromLines(payload.split('\n'))
  return voices.map(({ label, text }) => ({ label, text: plain(text) })).filter((voice) => voice.text !== '')
}

function fromVoiceTags(parts: readonly string[]): { label: string | null; text: string }[] {
  const voices = [{ label: null as string | null, text: parts[0]! }]
  for (let index = 1; index < parts.length; index += 2) voices.push({ label: plain(parts[index]!), text: parts[index + 1] ?? '' })
  return voices
}

function fromLines(lines: readonly string[]): { label: string | null; text: string }[] {
  const voices: { label: string | null; text: string }[] = []
  for (const line of lines) {
    const { label, text } = splitLabel(plain(line))
    const last = voices.at(-1)
    if (last !== undefined && label === null) voices[voices.length - 1] = { ...last, text: `${last.text} ${text}` }
    else voices.push({ label, text })
  }
  return voices
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', quot: '"', lrm: '', rlm: '' }

function plain(text: string): string {
  return text
    .replace(/<\/?[a-z0-9][^>]*>|<\/?>/gi, '')
    .replace(/\{\\[^}]*\}/g, '')
    .replace(/&(amp|lt|gt|nbsp|quot|lrm|rlm);/g, (_, name: string) => entities[name]!)
    .replace(/^\s*[-–]\s+/, '')
    .replace(/\s+/g, ' ')
    .trim()
}
