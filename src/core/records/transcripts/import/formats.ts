import { AppError } from '#contract/errors.ts'
import { z } from 'zod'
import { segmentSchema, speakerSchema, type Segment } from '#contract/model/transcript.ts'

const voiceTag = /<v(?:\.[^\s>]*)?\s+[^>]+>/i

interface Line {
  readonly number: number
  readonly text: string
}

export function readVtt(text: string): Turn[] {
  if (!/^\uFEFF?WEBVTT(?:[ \t].*)?(?:\n|$)/.test(text)) throw unreadable('Line 1: a WebVTT file begins with WEBVTT.')
  const blocks = blocksOf(text).slice(1)
  return readCues(blocks.filter((block) => !/^(?:NOTE|STYLE|REGION)(?:\s|$)/.test(block[0]!.text)))
}

export const readSrt = (text: string): Turn[] => readCues(blocksOf(text))

function blocksOf(text: string): Line[][] {
  const blocks: Line[][] = [[]]
  const lines = text.replace(/^\uFEFF/, '').split('\n')
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') blocks.push([])
    else blocks.at(-1)!.push({ number: index + 1, text: line })
  }
  return blocks.filter((block) => block.length > 0)
}

function readCues(blocks: readonly Line[][]): Turn[] {
  const turns = blocks.flatMap(readCue)
  if (turns.length === 0) throw unreadable('There are no captions in this file.')
  if (blocks.some((block) => block.some((line) => voiceTag.test(line.text)))) return turns
  return foldStray(turns, speakingLabels(turns.flatMap((turn) => turn.label ?? [])))
}

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
  const timing = block.slice(0, 2).findIndex((line) => line.text.includes('-->'))
  if (timing < 0) throw unreadable(`Line ${block[0]!.number}: expected the times of a caption.`)
  const line = block[timing]!
  const [from = '', to = ''] = line.text.split('-->')
  const start = parseTime(from)
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

const plain = (text: string): string =>
  text
    .replace(/<\/?[a-z0-9][^>]*>|<\/?>/gi, '')
    .replace(/\{\\[^}]*\}/g, '')
    .replace(/&(amp|lt|gt|nbsp|quot|lrm|rlm);/g, (_, name: string) => entities[name]!)
    .replace(/^\s*[-–]\s+/, '')
    .replace(/\s+/g, ' ')
    .trim()

export type Turn = Pick<Segment, 'start_ms' | 'end_ms' | 'text'> & { readonly label: string | null }

export const MAX_TURNS = 50_000
export const MAX_TURN = 20_000

/** `detail` must not contain text from the file. */
export const unreadable = (detail: string): AppError => new AppError('import-unreadable', detail)

const labelled = /^\s*(?:\*\*)?([\p{L}][\p{L}\p{N}.'’_\-() ]{0,39}?)(?:\*\*)?\s*[:：](?!\/\/)(?:\*\*)?\s*(.*)$/u

export function splitLabel(line: string): { label: string | null; text: string } {
  const match = labelled.exec(line)
  if (match === null || match[1]!.trim().split(/\s+/).length > 4) return { label: null, text: line.trim() }
  return { label: match[1]!.trim(), text: match[2]!.trim() }
}

function parseTime(text: string): number | null {
  const match = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?$/.exec(text.trim())
  if (match === null) return null
  const [, hours = '0', minutes = '0', seconds = '0', fraction = '0'] = match
  if (Number(minutes) > 59 && match[1] !== undefined) return null
  if (Number(seconds) > 59) return null
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'))
}

export function speakingLabels(labels: readonly string[]): Set<string> {
  const counts = new Map<string, number>()
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1)
  return new Set([...counts].filter(([label, count]) => count > 1 || isNameLike(label)).map(([label]) => label))
}

function isNameLike(label: string): boolean {
  const words = label.split(/\s+/)
  return words.length === 1 || (words.length <= 3 && words.every((word) => !/^\p{Ll}/u.test(word)))
}

const ownSchema = z.object({ speakers: z.array(speakerSchema).max(40), segments: z.array(segmentSchema).max(50_000) })

const seconds = z.number().min(0).max(1e6)
const whisperSchema = z.object({
  segments: z.array(
    z.object({
      start: seconds.nullish(),
      end: seconds.nullish(),
      text: z.string(),
      speaker: z.union([z.string(), z.number()]).nullish(),
    }),
  ),
})
const whisperCppSchema = z.object({
  transcription: z.array(z.object({ offsets: z.object({ from: z.number().min(0), to: z.number().min(0) }), text: z.string() })),
})
const textOnlySchema = z.object({ text: z.string() })

type ReadJson = { readonly own: z.infer<typeof ownSchema> } | { readonly turns: Turn[] } | { readonly text: string }

export function readJson(text: string): ReadJson {
  const value = parse(text)
  const own = ownSchema.safeParse(isRecord(value) && isRecord(value['transcript']) ? value['transcript'] : value)
  if (own.success) return { own: own.data }
  const whisper = whisperSchema.safeParse(value)
  if (whisper.success) return { turns: whisper.data.segments.map(fromWhisper) }
  const whisperCpp = whisperCppSchema.safeParse(value)
  if (whisperCpp.success) return { turns: whisperCpp.data.transcription.map(fromWhisperCpp) }
  const hasSegments = isRecord(value) && 'segments' in value
  const plain = textOnlySchema.safeParse(value)
  if (plain.success && !hasSegments) return { text: plain.data.text }
  throw unreadable(describe(hasSegments ? (own.error.issues[0] ?? whisper.error.issues[0]) : undefined))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    // Parser errors may quote the text, so report only the line number.
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
    const line = position === undefined ? null : text.slice(0, Number(position)).split('\n').length
    throw unreadable(line === null ? 'This is not valid JSON.' : `Line ${line}: this is not valid JSON.`)
  }
}

function describe(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'This JSON is neither a transcript of Afterword nor of Whisper.'
  const [list, index, field] = issue.path
  if (typeof index !== 'number') return 'This JSON is neither a transcript of Afterword nor of Whisper.'
  return `Entry ${index + 1} of ${String(list)} cannot be read${field === undefined ? '' : ` (${String(field)})`}.`
}

const inMs = (time: number | null | undefined): number | null => (time == null ? null : Math.round(time * 1000))

function fromWhisper({ speaker, start, end, text }: z.infer<typeof whisperSchema>['segments'][number]): Turn {
  return { label: speaker == null ? null : String(speaker), start_ms: inMs(start), end_ms: inMs(end), text: text.trim() }
}

function fromWhisperCpp({ offsets, text }: z.infer<typeof whisperCppSchema>['transcription'][number]): Turn {
  return { label: null, start_ms: Math.round(offsets.from), end_ms: Math.round(offsets.to), text: text.trim() }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
