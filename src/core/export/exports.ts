import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Clock } from '#base/clock.ts'
import { exportPath, type ExportTicket } from '#contract/bridge/library.ts'
import type { Handlers } from '#contract/bridge/methods.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { AppError } from '#contract/errors.ts'
import { localDateIn } from '#base/locale.ts'
import { noteDocx } from './note-docx.ts'
import { noteDocument, type NoteDocument } from './note-document.ts'
import { clean, cleanLine, type NoteExport, type TranscriptExport, words } from './words.ts'
import { notePdf } from './note-pdf.ts'

export interface ExportPorts {
  note(id: string): Promise<NoteExport>
  transcript(sessionId: string): Promise<TranscriptExport>
  clock: Clock
  resources: string
  platform: string
}

const LIFETIME_MS = 5 * 60_000
const MAX_WAITING = 20

const mediaTypes = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  txt: 'text/plain; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  json: 'application/json',
  csv: 'text/csv; charset=utf-8',
} as const

export type ExportFormat = keyof typeof mediaTypes

export type Exports = ReturnType<typeof createExports>

export function createExports(ports: ExportPorts) {
  const waiting = new Map<string, { readonly ticket: ExportTicket; readonly bytes: Buffer; readonly until: number }>()

  function drop(id: string): void {
    waiting.get(id)?.bytes.fill(0)
    waiting.delete(id)
  }

  function purge(): void {
    const now = ports.clock.elapsed()
    for (const [id, { until }] of waiting) if (until <= now || waiting.size > MAX_WAITING) drop(id)
  }

  function issue(stem: string, format: ExportFormat, bytes: Buffer): ExportTicket {
    const id = randomUUID()
    const ticket = { url: exportPath(id), file_name: `${stem}.${format}`, media_type: mediaTypes[format] }
    waiting.set(id, { ticket, bytes, until: ports.clock.elapsed() + LIFETIME_MS })
    purge()
    return ticket
  }

  const eol = ports.platform === 'win32' ? '\r\n' : '\n'

  return {
    issue,
    handlers: {
      'exports.note': async ({ id, format }) => {
        const document = noteDocument(await ports.note(id))
        const pdf = format === 'pdf' ? await notePdf(document, join(ports.resources, 'fonts'), ports.clock) : null
        const bytes = pdf?.bytes ?? (format === 'docx' ? await noteDocx(document) : Buffer.from(noteText(document, eol)))
        return { ...issue(document.file_stem, format, bytes), unprintable: pdf?.unprintable ?? [] }
      },
      'exports.noteText': async ({ id, section_key }) => {
        const document = noteDocument(await ports.note(id))
        return { text: section_key === undefined ? noteText(document, eol) : sectionText(document, section_key, eol) }
      },
      'exports.transcript': async ({ session_id, format }) => {
        const { transcript, session } = await ports.transcript(session_id)
        const day = localDateIn(session?.started_at ?? session?.starts_at ?? transcript.created_at, session?.time_zone ?? 'UTC')
        return issue(`transcript-${day}`, format, Buffer.from(writers[format](transcript)))
      },
    } satisfies Handlers<'exports.note' | 'exports.noteText' | 'exports.transcript'>,
    serve: async (request: Request): Promise<Response> => {
      if (request.method !== 'GET') return new Response(null, { status: 405, headers: { allow: 'GET' } })
      purge()
      const id = new URL(request.url).pathname.split('/').at(-1) ?? ''
      const found = waiting.get(id)
      if (!found) return new Response(null, { status: 404, headers: { 'cache-control': 'no-store' } })
      const body = Uint8Array.from(found.bytes)
      drop(id)
      return new Response(body, { headers: headersOf(found.ticket, body.length) })
    },
    clear: (): void => {
      for (const id of waiting.keys()) drop(id)
    },
  }
}

const writers = {
  txt: transcriptText,
  vtt: transcriptVtt,
  json: (transcript: Transcript): string => `${JSON.stringify(transcript, null, 2)}\n`,
}

function headersOf(ticket: ExportTicket, length: number): Record<string, string> {
  return {
    'content-type': ticket.media_type,
    'content-length': String(length),
    'content-disposition': `attachment; filename="${ticket.file_name}"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
}

/** Text to paste into an EHR: one line a paragraph, without markup, sections in the order of their template. */
export function noteText(document: NoteDocument, eol: string): string {
  const { practice, signatures, origin, addenda } = document
  const blocks = [
    [practice.name, ...practice.lines],
    [document.title.toUpperCase(), document.date, document.mark ?? ''],
    document.fields.map(({ label, value }) => `${label}: ${value.replaceAll('\n', '; ')}`),
    ...document.sections.map(({ title, paragraphs }) => [title.toUpperCase(), ...paragraphs]),
    ...signatures.map(({ how, name, at, lines, hash }) => [words.signed(how, name, at), ...lines, `${words.hash}: ${hash}`]),
    [origin ?? ''],
    ...addenda.map(({ heading, reason, text, hash }) => [heading, reason, text, `${words.hash}: ${hash}`]),
  ]
  const filled = blocks.map((lines) => lines.filter((line) => line !== '').join('\n')).filter((block) => block !== '')
  return `${filled.join('\n\n')}\n`.replaceAll('\n', eol)
}

/** The text of one section, for an EHR that has a field for each. */
function sectionText({ sections }: NoteDocument, key: string, eol: string): string {
  const section = sections.find((each) => each.key === key)
  if (section === undefined) throw new AppError('not-found')
  return section.paragraphs.join('\n').replaceAll('\n', eol)
}

type Segment = Transcript['segments'][number]

function transcriptText(transcript: Transcript): string {
  const name = namer(transcript)
  const lines = transcript.segments.map((segment) => {
    const time = segment.start_ms === null ? '' : `[${clockOf(segment.start_ms).slice(0, 8)}] `
    return `${time}${name(segment)}: ${cleanLine(segment.text)}`
  })
  return lines.map((line) => `${line}\n`).join('')
}

function transcriptVtt(transcript: Transcript): string {
  if (transcript.segments.length > 0 && transcript.segments.every(({ start_ms }) => start_ms === null)) {
    throw new AppError(
      'validation-failed',
      'This transcript has no times, so it can’t be exported as WebVTT. Choose txt or json.',
    )
  }
  const name = namer(transcript)
  const segments = inTime(transcript.segments)
  const blocks = segments.map((segment, index) => {
    const text = escapeCue(cleanLine(segment.text))
    const voice = escapeCue(name(segment))
    if (segment.start_ms === null) return `NOTE ${voice}: ${text}`
    // A cue without an end time lasts until the next cue or, if its time is known, the end of the transcript. Every cue lasts
    // at least 1 ms.
    const next = segments.slice(index + 1).find(({ start_ms }) => start_ms !== null)?.start_ms ?? transcript.duration_ms ?? 0
    const end = Math.max(segment.end_ms ?? next, segment.start_ms + 1)
    return `${clockOf(segment.start_ms)} --> ${clockOf(end)}\n<v ${voice}>${text}</v>`
  })
  return `${['WEBVTT', ...blocks].join('\n\n')}\n`
}

function inTime(segments: readonly Segment[]): Segment[] {
  let last = 0
  const keyed = segments.map((segment) => ({ segment, at: (last = segment.start_ms ?? last) }))
  return keyed.toSorted((a, b) => a.at - b.at).map(({ segment }) => segment)
}

function namer(transcript: Transcript): (segment: Segment) => string {
  const labels = new Map(transcript.speakers.map(({ id, label }) => [id, clean(label)]))
  return ({ speaker_id }) => cleanLine(labels.get(speaker_id ?? '') ?? '') || 'Speaker'
}

const escapeCue = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function clockOf(milliseconds: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  const rest = String(milliseconds % 1000).padStart(3, '0')
  return `${two(milliseconds / 3_600_000)}:${two((milliseconds / 60_000) % 60)}:${two((milliseconds / 1000) % 60)}.${rest}`
}
