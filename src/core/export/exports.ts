import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Clock } from '#base/clock.ts'
import type { ExportTicket } from '#contract/bridge/library.ts'
import { exportPath } from '#contract/bridge/media.ts'
import type { Handlers } from '#contract/bridge/methods.ts'
import { fileDate } from './dates.ts'
import { noteDocx } from './note-docx.ts'
import { noteDocument } from './note-document.ts'
import type { NoteExport, TranscriptExport } from './note-export.ts'
import { noteText } from './note-text.ts'
import { notePdf } from './note-pdf.ts'
import { transcriptJson, transcriptText, transcriptVtt } from './transcript-files.ts'

export interface ExportPorts {
  /** @throws AppError `not-found` */
  note(id: string): Promise<NoteExport>
  /** @throws AppError `not-found` */
  transcript(sessionId: string): Promise<TranscriptExport>
  clock: Clock
  /** The app's resources folder; the PDF's font lies in it under fonts/. */
  resources: string
}

export interface Exports {
  handlers: Handlers<'exports.note' | 'exports.noteText' | 'exports.transcript'>
  /** A ticket for a file that somebody else has made. */
  issue(stem: string, format: ExportFormat, bytes: Buffer): ExportTicket
  /** Answers GET /exports/{id}, once for each ticket. */
  serve(request: Request): Promise<Response>
  /** Drops and zeroes what waits to be fetched. */
  clear(): void
}

const lifetimeMs = 5 * 60_000
/** More than a person asks for in five minutes; the oldest goes first. */
const mostWaiting = 20

const mediaTypes = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  txt: 'text/plain; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  json: 'application/json',
  csv: 'text/csv; charset=utf-8',
} as const

export type ExportFormat = keyof typeof mediaTypes

interface Waiting {
  readonly ticket: ExportTicket
  readonly bytes: Buffer
  readonly until: number
}

/** Exported files are made in memory and fetched by the window; on our side they never touch the disk. */
export function createExports(ports: ExportPorts): Exports {
  const waiting = new Map<string, Waiting>()

  function drop(id: string): void {
    waiting.get(id)?.bytes.fill(0)
    waiting.delete(id)
  }

  function purge(): void {
    const now = ports.clock.elapsed()
    for (const [id, { until }] of waiting) if (until <= now || waiting.size > mostWaiting) drop(id)
  }

  function issue(stem: string, format: ExportFormat, bytes: Buffer): ExportTicket {
    const id = randomUUID()
    const ticket = { url: exportPath(id), file_name: `${stem}.${format}`, media_type: mediaTypes[format] }
    waiting.set(id, { ticket, bytes, until: ports.clock.elapsed() + lifetimeMs })
    purge()
    return ticket
  }

  const fonts = join(ports.resources, 'fonts')
  const writers = { txt: transcriptText, vtt: transcriptVtt, json: transcriptJson }

  return {
    issue,
    handlers: {
      'exports.note': async ({ id, format }) => {
        const document = noteDocument(await ports.note(id))
        const bytes = format === 'pdf' ? await notePdf(document, fonts, ports.clock) : await noteDocx(document)
        return issue(document.file_stem, format, bytes)
      },
      'exports.noteText': async ({ id }) => ({ text: noteText(noteDocument(await ports.note(id))) }),
      'exports.transcript': async ({ session_id, format }) => {
        const { transcript, session } = await ports.transcript(session_id)
        const day = fileDate(session?.started_at ?? session?.starts_at ?? transcript.created_at, session?.time_zone ?? 'UTC')
        return issue(`transcript-${day}`, format, Buffer.from(writers[format](transcript)))
      },
    },
    serve: async (request) => {
      if (request.method !== 'GET') return new Response(null, { status: 405, headers: { allow: 'GET' } })
      purge()
      const id = new URL(request.url).pathname.split('/').at(-1) ?? ''
      const found = waiting.get(id)
      if (!found) return new Response(null, { status: 404, headers: { 'cache-control': 'no-store' } })
      const body = Uint8Array.from(found.bytes)
      drop(id)
      return new Response(body, { headers: headersOf(found.ticket, body.length) })
    },
    clear: () => {
      for (const id of waiting.keys()) drop(id)
    },
  }
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
