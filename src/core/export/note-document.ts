import type { Session } from '#contract/model/session.ts'
import {
  clean,
  cleanLine,
  clockTime,
  fileDate,
  longDate,
  longDay,
  modalities,
  moment,
  type NoteExport,
  sessionTypes,
  statusMarks,
  titleOf,
  words,
} from './words.ts'

export type NoteDocument = ReturnType<typeof noteDocument>

export function noteDocument(source: NoteExport) {
  const { note, client, session } = source
  const zone = session?.time_zone ?? 'UTC'
  const at = session?.started_at ?? session?.starts_at ?? note.created_at
  const title = cleanLine(titleOf(source))
  const signer = note.signature
  const paper: 'LETTER' | 'A4' = zone.startsWith('America/') || zone === 'Pacific/Honolulu' ? 'LETTER' : 'A4'
  return {
    /** Without the client's name, because file names appear in file lists, backups, and mail. */
    file_stem: `note-${fileDate(at, zone)}`,
    language: 'en' as const,
    paper,
    title,
    mark: statusMarks[note.status],
    head: { client: cleanLine(client.display_name), session: `${title} · ${longDate(at, zone)}` },
    fields: fieldsOf(source, at, zone),
    sections: note.sections.map((section) => ({
      title: cleanLine(section.title),
      statements:
        section.statements.length === 0 ? [words.nothing] : section.statements.map((statement) => clean(statement.text)),
    })),
    signature: signer && {
      line: words.signed(named(signer.by, signer.credential), moment(signer.at, zone)),
      hash: signer.content_hash,
    },
    addenda: note.addenda.map((addendum, index) => ({
      heading: words.addendum(index + 1, cleanLine(addendum.by), moment(addendum.at, zone)),
      reason: words.reason(clean(addendum.reason)),
      text: clean(addendum.text),
      hash: addendum.content_hash,
    })),
  }
}

function fieldsOf(source: NoteExport, at: string, zone: string) {
  const { client, session } = source
  const rows: [label: string, value: string | null][] = [
    [words.client, client.display_name],
    [words.born, client.date_of_birth === null ? null : longDay(client.date_of_birth)],
    [words.date, longDate(at, zone)],
    ...(session === null ? [] : sessionRows(session, zone)),
    [words.diagnoses, client.diagnoses.map(({ code, description }) => `${code} ${description}`).join('; ')],
    [words.clinician, named(source.therapist_name, source.therapist_credential)],
    [words.practice, source.practice_name],
  ]
  return rows.map(([label, value]) => ({ label, value: cleanLine(value ?? '') })).filter(({ value }) => value !== '')
}

function sessionRows(session: Session, zone: string): [string, string | null][] {
  const others = session.participants.filter(({ role }) => role !== 'client')
  return [
    timeRow(session, zone),
    [words.type, sessionTypes[session.session_type]],
    [words.place, modalities[session.modality]],
    [words.present, others.map(({ name, role }) => `${name} (${role.replaceAll('_', ' ')})`).join(', ')],
    [words.code, session.cpt_code],
  ]
}

/** Payers require actual times. If the start or the end is unknown, both planned times are used. */
function timeRow(session: Session, zone: string): [string, string] {
  const isKnown = session.started_at !== null && session.finished_at !== null
  const from = isKnown ? session.started_at! : session.starts_at
  const to = isKnown ? session.finished_at! : session.ends_at
  const minutes = Math.floor((Date.parse(to) - Date.parse(from)) / 60_000)
  return [
    isKnown ? words.time : words.planned,
    `${clockTime(from, zone)} to ${clockTime(to, zone)} (${minutes} ${minutes === 1 ? 'minute' : 'minutes'}), ${zone}`,
  ]
}

function named(name: string, credential: string | null): string {
  return cleanLine(credential === null || credential === '' ? name : `${name}, ${credential}`)
}
