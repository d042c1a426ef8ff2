import { fileURLToPath } from 'node:url'
import type { Clock } from '#base/clock.ts'
import type { NoteExport } from '#core/export/words.ts'
import { noteSchema } from '#contract/model/note.ts'
import type { Note } from '#contract/model/note.ts'
import { sessionSchema } from '#contract/model/session.ts'
import { transcriptSchema } from '#contract/model/transcript.ts'
import type { Segment, Transcript } from '#contract/model/transcript.ts'

export const resources = fileURLToPath(new URL('../../../resources', import.meta.url))
export const stillClock: Clock & { at: number } = { at: 0, now: () => Date.UTC(2026, 10, 25), elapsed: () => stillClock.at }

const id = (last: number): string => `01935d1c-0000-7000-8000-${String(last).padStart(12, '0')}`
const stored = { created_at: '2026-11-24T22:00:00.000Z', updated_at: '2026-11-24T22:00:00.000Z', version: 1 }

const session = sessionSchema.parse({
  ...stored,
  id: id(1),
  client_id: id(2),
  session_type: 'couple',
  starts_at: '2026-11-24T21:00:00.000Z',
  ends_at: '2026-11-24T21:50:00.000Z',
  started_at: '2026-11-24T21:02:10.000Z',
  finished_at: '2026-11-24T21:51:40.000Z',
  duration_minutes: 50,
  time_zone: 'America/Chicago',
  cpt_code: '90834',
  participants: [
    { name: 'Élodie Čapková', role: 'client' },
    { name: 'Γιώργος Παπαδόπουλος', role: 'partner' },
  ],
  series_id: null,
  occurrence_start: null,
})

function statement(number: number, text: string): Note['sections'][number]['statements'][number] {
  return {
    id: `s${number}`,
    text,
    evidence: [],
    support: 'clinician_entered',
    origin: 'person',
    finding: null,
    safety: false,
    confirmed_at: null,
  }
}

const hash = (letter: string): string => letter.repeat(64)

export const paragraphs = [
  'Élodie reported that the nights have been calmer since Анна Щёголева, her sister, moved in; she quoted Αθανάσιος: “ας δούμε” (let us see).',
  'Both described the argument of 17 November in the same order. <b>She</b> said 5 < 6 & "that is enough"; he answered \\(\\) %PDF {braces} $HOME `ls` =1+1.',
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsvorsitzendenstellvertretervertretungsbescheinigungsnummer',
]

export const letterhead: NoteExport['settings'] = {
  therapist_id: id(9),
  therapist_name: 'Dr. Zoë Müller-Łukasz',
  therapist_credential: 'LMFT',
  therapist_license: 'L00000',
  therapist_license_state: 'Oregon',
  therapist_npi: '1234567893',
  supervisor_name: null,
  supervisor_license: null,
  practice_name: 'Riverside Practice',
  practice_address: '218 Alder Street, Suite 4, Ridgemont, OR 97000',
  practice_phone: '(555) 010-0142',
  practice_npi: null,
}

export function noteExport(change: Partial<Note> = {}, client: Partial<NoteExport['client']> = {}): NoteExport {
  const note = noteSchema.parse({
    ...stored,
    id: id(3),
    session_id: session.id,
    client_id: session.client_id,
    template: 'soap',
    sections: [
      { key: 'subjective', title: 'Subjective', statements: paragraphs.map((text, index) => statement(index, text)) },
      { key: 'objective', title: 'Objective', statements: [] },
      { key: 'assessment', title: 'Assessment', statements: [statement(10, 'First line.\r\nSecond line.\u0007\u202e')] },
      {
        key: 'plan',
        title: 'Plan',
        statements: [
          statement(11, 'Homework: ten minutes of talking without phones — each evening.'),
          statement(12, 'Next visit 1 December 2026.'),
        ],
      },
    ],
    unsupported: [{ text: 'never exported', reason: 'no evidence' }],
    omissions: [],
    checks: [],
    engine: { name: 'rules', version: '1', model: null },
    status: 'draft',
    signature: null,
    addenda: [],
    ...change,
  })
  return {
    note,
    form_name: null,
    locale: 'en-US',
    client: {
      display_name: 'Élodie Čapková',
      date_of_birth: '1990-01-31',
      given_name: null,
      family_name: null,
      diagnoses: [{ code: 'F43.22', description: 'Adjustment disorder with anxiety' }],
      insurance: null,
      ...client,
    },
    record_number: 'AS-00417',
    session,
    billing: { place_of_service: '11', modifier: null, add_on_code: null },
    settings: letterhead,
    exported_at: '2026-11-28T18:00:00.000Z',
  }
}

export const signed: Partial<Note> = {
  status: 'amended',
  signature: {
    by: 'Dr. Zoë Müller-Łukasz',
    credential: 'LMFT',
    at: '2026-11-24T22:10:00.000Z',
    method: 'click',
    content_hash: hash('a'),
  },
  addenda: [
    {
      id: id(4),
      text: 'The sister is called Hanna.',
      reason: 'A name was misheard.',
      by: 'Dr. Zoë Müller-Łukasz',
      at: '2026-11-26T09:00:00.000Z',
      content_hash: hash('b'),
    },
  ],
}

/** About three pages. */
export function longNote(): Partial<Note> {
  const sections = ['Data', 'Assessment', 'Plan'].map((title, part) => ({
    key: title.toLowerCase(),
    title,
    statements: Array.from({ length: 14 }, (_, index) =>
      statement(
        part * 100 + index,
        `Statement ${part + 1}.${index + 1}: ${'they spoke about the move, the money and the mornings, and what each needs of the other. '.repeat(3)}`,
      ),
    ),
  }))
  return { ...signed, template: 'dap', sections }
}

export function transcript(segments: Partial<Segment>[]): Transcript {
  return transcriptSchema.parse({
    ...stored,
    id: id(5),
    session_id: session.id,
    language: 'en',
    duration_ms: 60_000,
    speakers: [
      { id: 'a', label: 'Therapist', role: 'therapist' },
      { id: 'b', label: 'Élodie <E>', role: 'client' },
    ],
    segments: segments.map((segment, index) => ({
      id: `g${index}`,
      speaker_id: 'a',
      start_ms: null,
      end_ms: null,
      text: '',
      confidence: null,
      ...segment,
    })),
    engine: { name: 'typed', version: '1', model: null },
  })
}

export { session }
