import type { ClientRow } from '#contract/bridge/clients.ts'
import type { MethodOutput } from '#contract/bridge/methods.ts'
import type { SessionRow, Work } from '#contract/bridge/sessions.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import type { Consent, ConsentScope } from '#contract/model/consent.ts'
import type { Session } from '#contract/model/session.ts'

/** Invented people and one invented day, Tuesday 24 November 2026, for looking at pages. */
export const at = (day: number, hour: number, minute = 0): string => new Date(2026, 10, day, hour, minute).toISOString()
const id = (kind: number, number: number): string =>
  `0193${kind.toString(16).padStart(4, '0')}-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
const record = { created_at: at(-180, 9), updated_at: at(20, 9), version: 1 }
const idle: Work = { state: 'idle', progress: 0, error: null }
const allScopes: readonly ConsentScope[] = ['record', 'transcribe', 'draft']

const people: readonly (readonly [name: string, pronouns: string | null, state: Partial<ClientRow>])[] = [
  ['Ada and Jonah Pell', null, { next_session_at: null, last_session_at: at(24, 11) }],
  ['Bea Thornquist', 'she/her', { next_session_at: at(27, 15) }],
  ['Ines Caldeira', 'she/her', { unsigned_notes: 1, last_session_at: at(24, 10) }],
  ['Kofi Amadi-Reyes', 'he/him', { unsigned_notes: 1, next_session_at: at(25, 9) }],
  ['Lena Marsh', 'she/her', { next_session_at: at(25, 10) }],
  ['Maren Voss', 'she/her', { next_session_at: at(24, 14), last_session_at: at(17, 14), session_count: 10 }],
  ['Priya Nandakumar', 'she/her', { next_session_at: at(24, 16, 30) }],
  ['Samuel Orrin', 'he/him', { next_session_at: at(24, 15), consented: [] }],
  ['Teo Lindqvist', 'he/him', { next_session_at: at(27, 10) }],
  ['Wanda Pryce-Cholmondeley of Upper Lethbridge', null, { next_session_at: at(30, 9) }],
  ['Wes Halloran', 'they/them', { next_session_at: at(25, 13), session_count: 0, last_session_at: null }],
]

export const demoClients: readonly ClientRow[] = people.map(([name, pronouns, state], index) => ({
  client: {
    ...record,
    id: id(1, index),
    display_name: name,
    given_name: name.split(' ')[0] ?? null,
    family_name: null,
    pronouns,
    date_of_birth: '1992-03-09',
    email: null,
    phone: null,
    status: 'active',
    clinician_id: null,
    diagnoses: [],
    insurance: null,
    goals: [],
    vocabulary: [],
  },
  record_number: null,
  last_session_at: at(17, 14),
  next_session_at: null,
  session_count: 4,
  unsigned_notes: 0,
  consented: [...allScopes],
  ...state,
}))

export const clientNamed = (name: string): ClientRow => {
  const found = demoClients.find(({ client }) => client.display_name.startsWith(name))
  if (found === undefined) throw new Error(`nobody is called ${name}`)
  return found
}

interface RowOptions extends Partial<Omit<SessionRow, 'session'>> {
  readonly session?: Partial<Session>
}

let count = 0

/** When pages are looked at. */
const demoNow = at(24, 13, 48)

const owesNote = ({ session: { status, ends_at }, note: own }: Omit<SessionRow, 'owes_note'>): boolean => {
  if (status === 'cancelled' || status === 'no_show') return false
  return own === null ? status === 'completed' || ends_at <= demoNow : own.status === 'draft'
}

export function sessionRow(name: string, startsAt: string, { session = {}, ...options }: RowOptions = {}): SessionRow {
  const { client } = clientNamed(name)
  const minutes = session.duration_minutes ?? 50
  count += 1
  const row = {
    session: {
      ...record,
      id: id(2, count),
      client_id: client.id,
      session_type: 'individual',
      starts_at: startsAt,
      ends_at: new Date(Date.parse(startsAt) + minutes * 60_000).toISOString(),
      duration_minutes: minutes,
      modality: 'in_person',
      clinician_id: null,
      status: 'scheduled',
      participants: [],
      time_zone: 'Europe/Prague',
      recurrence: null,
      room_id: null,
      cpt_code: null,
      presenting_concerns: [],
      started_at: null,
      finished_at: null,
      series_id: null,
      occurrence_start: null,
      ...session,
    },
    cancellation: session.status === 'cancelled' ? { is_late: false, reason: null, is_deleted: false } : null,
    billing: { place_of_service: null, modifier: null, add_on_code: null },
    client_name: client.display_name,
    number: 11,
    consent: { granted: [...allScopes], missing: [] },
    recording: null,
    transcript: { present: false, work: idle },
    note: null,
    note_work: idle,
    ...options,
  } satisfies Omit<SessionRow, 'owes_note'>
  return { owes_note: owesNote(row), ...row }
}

const note = (status: NonNullable<SessionRow['note']>['status'], to_check = 0): SessionRow['note'] => ({
  id: id(3, 1),
  status,
  template: 'soap',
  to_check,
})
const held = { status: 'completed' } as const

export const demoSessions: readonly SessionRow[] = [
  sessionRow('Maren', at(27 - 31, 14), { session: { status: 'cancelled' } }),
  sessionRow('Maren', at(3, 14), { session: held, note: note('signed'), transcript: { present: true, work: idle } }),
  sessionRow('Maren', at(10, 14), { session: held, note: note('signed') }),
  sessionRow('Maren', at(17, 14), { session: held, note: note('signed') }),
  sessionRow('Kofi', at(23, 9), { session: held, note: note('draft') }),
  sessionRow('Teo', at(24, 9), { session: held, note: note('signed') }),
  sessionRow('Ines', at(24, 10), {
    session: { ...held, duration_minutes: 52 },
    note: note('draft', 2),
    transcript: { present: true, work: idle },
  }),
  sessionRow('Ada', at(24, 11), {
    session: { ...held, session_type: 'couple', duration_minutes: 78 },
    transcript: { present: false, work: { state: 'running', progress: 0.4, error: null } },
  }),
  sessionRow('Maren', at(24, 14)),
  sessionRow('Samuel', at(24, 15), {
    session: { modality: 'video' },
    consent: { granted: [], missing: [{ participant: { name: 'Samuel Orrin', role: 'client' }, scopes: [...allScopes] }] },
  }),
  sessionRow('Priya', at(24, 16, 30)),
  sessionRow('Kofi', at(25, 9)),
  sessionRow('Lena', at(25, 10)),
  sessionRow('Wes', at(25, 13), { number: 1 }),
]

export const withoutDraft = (row: SessionRow): SessionRow => (row.note?.status === 'draft' ? { ...row, note: null } : row)

/** @param unsigned how many there are, one each day from 18 November on, in place of those among `sessions` */
export function unfinishedSessions(sessions: readonly SessionRow[], unsigned: number | undefined, limit: number) {
  const owed =
    unsigned === undefined
      ? sessions.filter(({ owes_note, transcript }) => owes_note && transcript.work.state === 'idle')
      : Array.from({ length: unsigned }, (_, index) => sessionRow('Kofi', at(18 + index, 9), { note: note('draft') }))
  const latestFirst = owed.toSorted((a, b) => b.session.starts_at.localeCompare(a.session.starts_at))
  return { count: owed.length, rows: latestFirst.slice(0, limit) }
}

export const demoConsents: readonly Consent[] = [
  {
    ...record,
    id: id(4, 1),
    client_id: clientNamed('Maren').client.id,
    participant: { name: 'Maren Voss', role: 'client' },
    scopes: [...allScopes],
    text_version: 'spoken-2026-1',
    language: 'en',
    method: 'written',
    given_at: at(-172, 14),
    witness: null,
    revoked_at: null,
  },
  {
    ...record,
    id: id(4, 2),
    client_id: clientNamed('Maren').client.id,
    participant: { name: 'Maren Voss', role: 'client' },
    scopes: ['retain'],
    text_version: 'spoken-2026-1',
    language: 'en',
    method: 'spoken',
    given_at: at(3, 14),
    witness: null,
    revoked_at: at(17, 14),
  },
]

export const demoSettings: Settings = {
  therapist_id: id(5, 1),
  therapist_name: 'Dana Okell',
  therapist_credential: 'LMFT 48213',
  therapist_license: null,
  therapist_license_state: null,
  therapist_npi: null,
  supervisor_name: null,
  supervisor_license: null,
  practice_name: null,
  practice_address: null,
  practice_phone: null,
  practice_npi: null,
  speech_engine: 'server',
  speech_address: 'http://127.0.0.1:8000/v1',
  speech_model: 'whisper-small',
  speech_has_key: false,
  language_engine: 'rules',
  language_address: null,
  language_model: null,
  language_has_key: false,
  language_file: null,
  language_context_tokens: null,
  language: 'en',
  reduce_noise: false,
  model_mirror: null,
  service_address: null,
  service_has_key: false,
  default_template: 'soap',
  transcribe_when_finished: true,
  idle_lock_minutes: 10,
  hide_names: false,
  hide_from_capture: false,
  locale: null,
  theme: 'system',
  single_key_shortcuts: true,
  upload_limit: null,
  upload_on_metered: false,
  network_metered: false,
  microphone_id: null,
  notify_when_ready: true,
  updates_check: false,
  updates_mirror: null,
  snippets: [
    { name: 'mse', text: 'Alert and oriented. Engaged throughout the session.' },
    { name: 'mse-anxious', text: 'Restless and tense. Speech rapid. Thought process linear.' },
    { name: 'mse-low', text: 'Slowed movement and speech. Affect flat.' },
  ],
}

export const demoTemplate: MethodOutput<'templates.list'>[number] = {
  id: '01930000-0000-7000-8000-0000000000f1',
  created_at: '2026-11-20T10:00:00Z',
  updated_at: '2026-11-20T10:00:00Z',
  version: 1,
  name: 'Evening note',
  style: { length: 'usual', client_as: 'name' },
  sections: [
    { key: 'said', title: 'What was said', holds: ['said', 'risk'], when_empty: 'not_stated' },
    { key: 'plan', title: 'What comes next', holds: ['plan'], when_empty: 'not_stated' },
  ],
}
