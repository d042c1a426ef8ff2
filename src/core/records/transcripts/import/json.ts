import { z } from 'zod'
import type { Segment, Speaker } from '#contract/model/transcript.ts'
import { segmentSchema, speakerSchema } from '#contract/model/transcript.ts'
import { type Turn, unreadable } from './turns.ts'

/** A transcript as this app exports it: speakers with roles, segments with ids. */
export interface OwnTranscript {
  readonly speakers: Speaker[]
  readonly segments: Segment[]
}

const ownSchema = z.object({ speakers: z.array(speakerSchema).max(40), segments: z.array(segmentSchema).max(50_000) })

/** `verbose_json` of Whisper and what speaks like it, WhisperX's and whisper.cpp's spellings included. Times in seconds. */
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

export type ReadJson = { readonly own: OwnTranscript } | { readonly turns: Turn[] } | { readonly text: string }

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
    // The engine's message quotes the text around the fault; only its position may be told.
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

function fromWhisper(segment: z.infer<typeof whisperSchema>['segments'][number]): Turn {
  return {
    label: segment.speaker === null || segment.speaker === undefined ? null : String(segment.speaker),
    start_ms: segment.start === null || segment.start === undefined ? null : Math.round(segment.start * 1000),
    end_ms: segment.end === null || segment.end === undefined ? null : Math.round(segment.end * 1000),
    text: segment.text.trim(),
  }
}

function fromWhisperCpp(segment: z.infer<typeof whisperCppSchema>['transcription'][number]): Turn {
  return {
    label: null,
    start_ms: Math.round(segment.offsets.from),
    end_ms: Math.round(segment.offsets.to),
    text: segment.text.trim(),
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
