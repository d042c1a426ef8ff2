import data from './words.json' with { type: 'json' }
import type { BuiltInTemplate } from '#contract/model/template.ts'
import type { Client } from '#contract/model/client.ts'
import type { Note } from '#contract/model/note.ts'
import type { Session } from '#contract/model/session.ts'
import type { Transcript } from '#contract/model/transcript.ts'

const templateTitles: Record<BuiltInTemplate, string> = data.templates

export const statusMarks: Record<NoteExport['note']['status'], string | null> = data.statuses

type ExportedSession = NonNullable<NoteExport['session']>

export const sessionTypes: Record<ExportedSession['session_type'], string> = data.session_types

export const modalities: Record<ExportedSession['modality'], string> = data.modalities

export function titleOf({ note, form_name }: Pick<NoteExport, 'note' | 'form_name'>): string {
  const { template } = note
  return Object.hasOwn(templateTitles, template) ? templateTitles[template as BuiltInTemplate] : (form_name ?? words.note)
}

export const words = {
  ...data.labels,
  signed: (name: string, at: string) => `Signed electronically by ${name} on ${at}`,
  addendum: (number: number, name: string, at: string) => `Addendum ${number}, by ${name} on ${at}`,
  reason: (text: string) => `Reason: ${text}`,
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
} as const

export const marked = (text: string, mark: string | null): string => (mark === null ? text : `${text} · ${mark}`)

export const clean = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .replace(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/gu, '')
    .trim()

export const cleanLine = (text: string): string => clean(text).replace(/\s+/g, ' ')

export interface NoteExport {
  readonly note: Note
  readonly form_name: string | null
  readonly client: Pick<Client, 'display_name' | 'date_of_birth' | 'diagnoses'>
  readonly session: Session | null
  readonly therapist_name: string
  readonly therapist_credential: string | null
  readonly practice_name: string | null
  readonly locale: string
}

export interface TranscriptExport {
  readonly transcript: Transcript
  readonly session: Session | null
}
