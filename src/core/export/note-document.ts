import { addOnCodes, type Coded, cptCodes, modifiers, placesOfService } from '#domain/billing-codes.ts'
import type { Signature } from '#contract/model/note.ts'
import type { Session } from '#contract/model/session.ts'
import { formatsOf, localDateIn, paperOf } from '#base/locale.ts'
import { foldName } from '#domain/names.ts'
import { clean, cleanLine, modalities, type NoteExport, sessionTypes, statusMarks, titleOf, words } from './words.ts'

export type NoteDocument = ReturnType<typeof noteDocument>

export function noteDocument(source: NoteExport) {
  const { note, session, settings } = source
  const zone = session?.time_zone ?? 'UTC'
  const at = session?.started_at ?? session?.starts_at ?? note.created_at
  const title = cleanLine(titleOf(source))
  const formats = formatsOf(source.locale, zone)
  return {
    /** Without the client's name, because file names appear in file lists, backups, and mail. */
    file_stem: `note-${localDateIn(at, zone)}`,
    language: 'en' as const,
    paper: paperOf(source.locale),
    title,
    mark: statusMarks[note.status],
    date: formats.weekdayAndDate(at),
    practice: {
      name: cleanLine(settings.practice_name ?? settings.therapist_name),
      lines: linesOf([
        settings.practice_address,
        joined([settings.practice_phone, settings.practice_npi && words.groupNpi(settings.practice_npi)]),
      ]),
    },
    foot: joined([fullName(source), cleanLine(source.record_number ?? ''), `${title}, ${formats.date(at)}`]),
    fields: fieldsOf(source, formats),
    sections: note.sections.map((section) => ({
      key: section.key,
      title: cleanLine(section.title),
      paragraphs: paragraphsOf(section.statements.map(({ text }) => clean(text)).filter((text) => text !== '')),
    })),
    signatures: signaturesOf(source, formats),
    origin: note.signature && words.origin(formats.date(source.exported_at)),
    addenda: note.addenda.map((addendum, index) => ({
      heading: words.addendum(index + 1, cleanLine(addendum.by), formats.moment(addendum.at)),
      reason: words.reason(clean(addendum.reason)),
      text: clean(addendum.text),
      hash: addendum.content_hash,
    })),
  }
}

type Formats = ReturnType<typeof formatsOf>

/** The document with each of its texts changed. */
export const mapText = (document: NoteDocument, change: (text: string) => string): NoteDocument =>
  JSON.parse(JSON.stringify(document), (_, value: unknown) => (typeof value === 'string' ? change(value) : value)) as NoteDocument

/** Statements form one paragraph, except those that have line breaks or don't end like a sentence. */
function paragraphsOf(statements: readonly string[]): string[] {
  const paragraphs: string[] = []
  let isOpen = false
  for (const text of statements) {
    const isSentence = !text.includes('\n') && /[.!?…][\p{Pe}\p{Pf}"']*$/u.test(text)
    if (isOpen && !text.includes('\n')) paragraphs.push(`${paragraphs.pop()} ${text}`)
    else paragraphs.push(text)
    isOpen = isSentence
  }
  return paragraphs.length === 0 ? [words.nothing] : paragraphs
}

export interface Field {
  readonly label: string
  readonly value: string
  /** Needs the whole width of the page. */
  readonly isWide: boolean
}

/** One wide field or up to two others in each row. */
export function fieldRows(fields: readonly Field[]): Field[][] {
  const rows: Field[][] = []
  for (const field of fields) {
    const last = rows.at(-1)
    if (last?.length === 1 && !last[0]!.isWide && !field.isWide) last.push(field)
    else rows.push([field])
  }
  return rows
}

type Row = readonly [label: string, value: string | null, isWide?: boolean]

/** What payers require is named even if the records lack it. */
const required = (value: string | null): string => (value === null || value === '' ? words.missing_value : value)

function fieldsOf(source: NoteExport, formats: Formats): Field[] {
  const { client, session, settings } = source
  const born = client.date_of_birth
  const diagnoses = client.diagnoses.map(({ code, description }) => cleanLine(`${code} ${description}`)).join('\n')
  const rows: Row[] = [
    [words.client, fullName(source)],
    [words.born, required(born && formatsOf(source.locale, 'UTC').date(born))],
    [words.record, source.record_number],
    ...(session === null ? [] : sessionRows(source, session, formats)),
    [words.payer, payerOf(client)],
    [words.present, session && othersIn(session), true],
    [words.diagnoses, required(diagnoses), true],
    ...(source.note.signature === null ? unsignedRows(settings) : []),
  ]
  return rows.flatMap(([label, value, isWide = false]) => {
    const lines = clean(value ?? '')
      .split('\n')
      .map(cleanLine)
    return lines.join('') === '' ? [] : [{ label, value: lines.join('\n'), isWide }]
  })
}

function sessionRows({ billing }: NoteExport, session: Session, formats: Formats): Row[] {
  const { cpt_code, modality, session_type } = session
  const place = billing.place_of_service
  return [
    [words.type, sessionTypes[session_type]],
    ...timeRows(session, formats),
    [words.zone, formats.zone(session.starts_at)],
    [words.code, required(cpt_code && coded(cpt_code, cptCodes))],
    [words.add_on, billing.add_on_code && coded(billing.add_on_code, addOnCodes)],
    [words.modifier, billing.modifier && coded(billing.modifier, modifiers)],
    [words.place, place === null ? modalities[modality] : coded(place, placesOfService)],
  ]
}

const coded = (code: string, known: readonly Coded[]): string =>
  [code, known.find((each) => each.code === code)?.name].filter((part) => part !== undefined).join(' ')

/** Payers require actual times. If the start or the end is unknown, the scheduled ones are shown as such. */
function timeRows({ started_at, finished_at, starts_at, ends_at }: Session, { clock }: Formats): Row[] {
  const span = (from: string, to: string): string =>
    words.times(clock(from), clock(to), Math.floor((Date.parse(to) - Date.parse(from)) / 60_000))
  if (started_at !== null && finished_at !== null) return [[words.time, span(started_at, finished_at)]]
  return [
    [words.time, words.missing_value],
    [words.planned, span(starts_at, ends_at)],
  ]
}

function othersIn(session: Session): string {
  const others = session.participants.filter(({ role }) => role !== 'client')
  return others.map(({ name, role }) => `${name} (${role.replaceAll('_', ' ')})`).join(', ')
}

function payerOf({ insurance }: NoteExport['client']): string | null {
  return insurance && words.ending(insurance.payer_name, insurance.member_id.slice(-4))
}

/** The display name if it has the last name, which payers need. Otherwise first and last name, and then the display name. */
function fullName({ client: { given_name, family_name, display_name } }: NoteExport): string {
  const isFull = !given_name || !family_name || foldName(display_name).includes(foldName(family_name))
  return cleanLine(isFull ? display_name : `${given_name} ${family_name} (${display_name})`)
}

function unsignedRows(settings: NoteExport['settings']): Row[] {
  return [
    [words.clinician, [named(settings.therapist_name, settings.therapist_credential), licenseOf(settings)].join('\n'), true],
    [words.supervisor, supervisorOf(settings), true],
  ]
}

function signaturesOf({ note, settings }: NoteExport, formats: Formats) {
  const { signature, cosignature, signed_by } = note
  if (signature === null) return []
  const isTherapist = signed_by === settings.therapist_id || signature.by === settings.therapist_name
  const of = ({ by, credential, at, content_hash: hash }: Signature, how: string, lines: (string | null)[]) => {
    return { how, name: named(by, credential), at: formats.moment(at), lines: linesOf(lines), hash }
  }
  const supervisor = supervisorOf(settings)
  const own = isTherapist ? [licenseOf(settings), supervisor && `${words.supervisor}: ${supervisor}`] : []
  return [of(signature, words.signed_how, own), ...(cosignature ? [of(cosignature, words.cosigned_how, [])] : [])]
}

const licenseOf = ({ therapist_license: license, therapist_license_state: state, therapist_npi: npi }: NoteExport['settings']) =>
  joined([license && words.license(license, state), npi && words.npi(npi)])

const supervisorOf = ({ supervisor_name: name, supervisor_license: license }: NoteExport['settings']): string | null =>
  name && named(name, license)

const joined = (parts: readonly (string | null)[]): string => parts.filter((part) => part !== null && part !== '').join(' · ')

const linesOf = (parts: readonly (string | null)[]): string[] =>
  parts.map((part) => cleanLine(part ?? '')).filter((line) => line !== '')

function named(name: string, credential: string | null): string {
  return cleanLine(credential === null || credential === '' ? name : `${name}, ${credential}`)
}
