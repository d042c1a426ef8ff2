import data from './words.json' with { type: 'json' }
import type { BuiltInTemplate } from '#contract/model/template.ts'
import type { Client } from '#contract/model/client.ts'
import type { Note } from '#contract/model/note.ts'
import type { Session } from '#contract/model/session.ts'
import type { SessionBilling } from '#contract/bridge/sessions.ts'
import type { Settings } from '#contract/bridge/settings.ts'
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
  license: (number: string, state: string | null) => `License ${number}${state === null ? '' : ` (${state})`}`,
  npi: (number: string) => `NPI ${number}`,
  groupNpi: (number: string) => `Group NPI ${number}`,
  ending: (payer: string, digits: string) => `${payer} (ending ${digits})`,
  times: (from: string, to: string, minutes: number) => `${from} – ${to} (${minutes} min)`,
  /** Which values were fixed by the signature, and which were read from the records for this export. */
  origin: (day: string) =>
    `Text, signer, credential, and time of signing: as signed. All other details: from the records on ${day}.`,
  signed: (how: string, name: string, at: string) => `${how} by ${name} on ${at}`,
  addendum: (number: number, name: string, at: string) => `Addendum ${number}, by ${name} on ${at}`,
  reason: (text: string) => `Reason: ${text}`,
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
} as const

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
  readonly client: Pick<Client, 'display_name' | 'given_name' | 'family_name' | 'date_of_birth' | 'diagnoses' | 'insurance'>
  readonly record_number: string | null
  readonly session: Session | null
  readonly billing: SessionBilling
  readonly settings: Pick<Settings, `${'therapist' | 'practice' | 'supervisor'}_${string}` & keyof Settings>
  readonly locale: string
  readonly exported_at: string
}

export interface TranscriptExport {
  readonly transcript: Transcript
  readonly session: Session | null
}
