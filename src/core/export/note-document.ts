import type { Session } from '#contract/model/session.ts'
import { formatsOf, localDateIn, paperOf } from '#base/locale.ts'
import { clean, cleanLine, modalities, type NoteExport, sessionTypes, statusMarks, titleOf, words } from './words.ts'

export type NoteDocument = ReturnType<typeof noteDocument>

export function noteDocument(source: NoteExport) {
  const { note, client, session } = source
  const zone = session?.time_zone ?? 'UTC'
  const at = session?.started_at ?? session?.starts_at ?? note.created_at
  const title = cleanLine(titleOf(source))
  const signer = note.signature
  const formats = formatsOf(source.locale, zone)
  return {
    /** Without the client's name, because file names appear in file lists, backups, and mail. */
    file_stem: `note-${localDateIn(at, zone)}`,
    language: 'en' as const,
    paper: paperOf(source.locale),
    title,
    mark: statusMarks[note.status],
    head: { client: cleanLine(client.display_name), session: `${title} · ${formats.date(at)}` },
    fields: fieldsOf(source, at, formats),
    sections: note.sections.map((section) => ({
      title: cleanLine(section.title),
      statements:
        section.statements.length === 0 ? [words.nothing] : section.statements.map((statement) => clean(statement.text)),
    })),
    signature: signer && {
      line: words.signed(named(signer.by, signer.credential), formats.moment(signer.at)),
      hash: signer.content_hash,
    },
    addenda: note.addenda.map((addendum, index) => ({
      heading: words.addendum(index + 1, cleanLine(addendum.by), formats.moment(addendum.at)),
      reason: words.reason(clean(addendum.reason)),
      text: clean(addendum.text),
      hash: addendum.content_hash,
    })),
  }
}

type Formats = ReturnType<typeof formatsOf>

function fieldsOf(source: NoteExport, at: string, formats: Formats) {
  const { client, session } = source
  const rows: [label: string, value: string | null][] = [
    [words.client, client.display_name],
    [words.born, client.date_of_birth === null ? null : formatsOf(source.locale, 'UTC').date(client.date_of_birth)],
    [words.date, formats.weekdayAndDate(at)],
    ...(session === null ? [] : sessionRows(session, formats)),
    [words.diagnoses, client.diagnoses.map(({ code, description }) => `${code} ${description}`).join('; ')],
    [words.clinician, named(source.therapist_name, source.therapist_credential)],
    [words.practice, source.practice_name],
  ]
  return rows.map(([label, value]) => ({ label, value: cleanLine(value ?? '') })).filter(({ value }) => value !== '')
}

function sessionRows(session: Session, formats: Formats): [string, string | null][] {
  const others = session.participants.filter(({ role }) => role !== 'client')
  return [
    timeRow(session, formats),
    [words.type, sessionTypes[session.session_type]],
    [words.place, modalities[session.modality]],
    [words.present, others.map(({ name, role }) => `${name} (${role.replaceAll('_', ' ')})`).join(', ')],
    [words.code, session.cpt_code],
  ]
}

/** Payers require actual times. If the start or the end is unknown, both planned times are used. */
function timeRow(session: Session, { clock, clockAndZone }: Formats): [string, string] {
  const isKnown = session.started_at !== null && session.finished_at !== null
  const from = isKnown ? session.started_at! : session.starts_at
  const to = isKnown ? session.finished_at! : session.ends_at
  const minutes = Math.floor((Date.parse(to) - Date.parse(from)) / 60_000)
  return [
    isKnown ? words.time : words.planned,
    `${clock(from)} to ${clockAndZone(to)} (${minutes} ${minutes === 1 ? 'minute' : 'minutes'})`,
  ]
}

function named(name: string, credential: string | null): string {
  return cleanLine(credential === null || credential === '' ? name : `${name}, ${credential}`)
}
