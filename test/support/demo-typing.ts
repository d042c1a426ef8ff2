import type { EventPayload } from '#contract/bridge/events.ts'
import type { Handlers, MethodName } from '#contract/bridge/methods.ts'
import type { Note, Omission, Statement } from '#contract/model/note.ts'
import type { Template } from '#contract/model/template.ts'
import { ownStatement } from '#domain/note-review.ts'
import { sectionsOf } from '#domain/note-sections.ts'
import { demoTranscript } from './demo-insights.ts'
import { at } from './demo-records.ts'

/** `nothing`: neither transcript nor note. `draft`: a draft with its transcript. Edits are kept as long as the page is open. */
export type DemoTyping = 'nothing' | 'draft'

const emptyNote = (session_id: string, template: Template): Note => ({
  id: '01930007-0000-7000-8000-000000000001',
  session_id,
  client_id: null,
  template,
  sections: (sectionsOf(template, [], []) ?? []).map(({ key, title }) => ({ key, title, statements: [] })),
  unsupported: [],
  omissions: [],
  checks: [],
  engine: { name: 'typed', version: '1', model: null },
  status: 'draft',
  signature: null,
  addenda: [],
  created_at: at(24, 13),
  updated_at: at(24, 13),
  version: 1,
})

const withStatements = (note: Note, statements: Readonly<Record<string, readonly Statement[]>>): Note => ({
  ...note,
  sections: note.sections.map((section) => ({ ...section, statements: [...(statements[section.key] ?? [])] })),
})

const own = (text: string): Statement => ownStatement(text.toLowerCase().replaceAll(/\W+/g, '-').slice(0, 60), text)

const last = withStatements(emptyNote('01930002-0000-7000-8000-000000000099', 'soap'), {
  assessment: [own('Making progress toward goals 1 and 2.')],
  plan: [own('Continue the sleep diary.'), own('Call the sister before Sunday.')],
})

const said = demoTranscript.segments.slice(2, 5)

function draftOf(session_id: string): Note {
  const [first, second, third] = said.map(({ id, start_ms, end_ms, text }) => ({
    segment_id: id,
    start_ms,
    end_ms,
    quote: text.slice(0, 60),
    quote_sha256: null,
  }))
  const drafted = (text: string, evidence: Statement['evidence'], more: Partial<Statement> = {}): Statement => ({
    ...own(text),
    evidence,
    support: 'paraphrase',
    origin: 'rules',
    ...more,
  })
  const note = withStatements(emptyNote(session_id, 'soap'), {
    subjective: [
      drafted('Client reports calling her sister on Sunday and declining to host the family this year.', [first!]),
      drafted('When asked, client denied thoughts of ending her life.', [second!], { safety: true }),
      own('She described pride after the call, followed by guilt when her mother texted.'),
    ],
    objective: [drafted('Not assessed: mood, appetite.', [], { finding: { topic: 'mood, appetite', state: 'not_assessed' } })],
    plan: [drafted('Not stated in session.', [])],
  })
  const omission: Omission = { id: 'dose', kind: 'medication', text: 'A dose change', evidence: [third!], decision: 'open' }
  return { ...note, engine: { name: 'rules', version: '1', model: null }, omissions: [omission] }
}

/** `waiting`: a dictation for the plan of the session’s note was cut off. `not set up`: nothing transcribes. */
export type DemoDictation = 'waiting' | 'not set up' | 'silent'

type Change = (name: 'records.changed', payload: EventPayload<'records.changed'>) => void

export function demoDictation(kind: DemoDictation | undefined, emit: Change): Partial<Handlers<MethodName>> {
  const id = '01930008-0000-7000-8000-000000000001'
  let isWaiting = kind === 'waiting' || kind === 'silent'
  return {
    'dictations.list': ({ session_id }) => ({
      ready: kind !== 'not set up',
      waiting: isWaiting
        ? [{ id, session_id, section_key: 'plan', started_at: at(24, 13), saved_ms: 14_000, is_running: false }]
        : [],
    }),
    'app.openMicrophone': () => ({}),
    'dictations.start': () => ({ id, next_sequence: 0, saved_ms: 0 }),
    'recordings.append': ({ sequence }) => ({ next_sequence: sequence + 1, saved_ms: (sequence + 1) * 200 }),
    'dictations.transcribe': () => ({ text: kind === 'silent' ? '' : 'See her in a week.' }),
    'dictations.delete': () => {
      isWaiting = false
      emit('records.changed', { kinds: ['notes'] })
      return {}
    },
  }
}

const earlier = (note: Note) => ({
  by: null,
  begun_at: at(24, 12),
  at: at(24, 12),
  template: note.template,
  sections: note.sections.map((section) =>
    section.key === 'plan' ? { ...section, statements: [own('See her on Monday at nine.')] } : section,
  ),
})

export function demoTyping(
  kind: DemoTyping | undefined,
  emit: (name: 'records.changed', payload: EventPayload<'records.changed'>) => void,
): Partial<Handlers<MethodName>> {
  if (kind === undefined) return {}
  const idle = { state: 'idle', progress: 0, error: null } as const
  let note: Note | null = null
  const keep = (next: Note): Note => {
    note = next
    emit('records.changed', { kinds: ['notes'] })
    return next
  }
  return {
    'notes.get': ({ session_id }) => {
      note ??= kind === 'draft' ? draftOf(session_id) : null
      return { note, work: idle, is_outdated: false }
    },
    'notes.start': ({ session_id, template }) => keep(emptyNote(session_id, template)),
    'notes.save': ({ template, sections, omissions, version }) => {
      if (note === null) throw new Error('there is no note')
      return keep({ ...note, template: template ?? note.template, sections, omissions, version: version + 1 })
    },
    'notes.versions': () =>
      note === null
        ? []
        : [
            {
              number: 3,
              step: 'edited',
              by: null,
              begun_at: at(24, 13),
              at: at(24, 13, 40),
              template: note.template,
              sections: note.sections,
            },
            { ...earlier(note), number: 2, step: 'edited' },
            { ...earlier(note), number: 1, step: 'drafted', sections: draftOf(note.session_id ?? '').sections },
          ],
    'notes.restore': () => {
      if (note === null) throw new Error('there is no note')
      return keep({ ...note, ...earlier(note), version: note.version + 1 })
    },
    'notes.previous': () => ({ note: last, starts_at: at(17, 14) }),
    'transcripts.get': () => ({
      transcript: kind === 'draft' ? demoTranscript : null,
      work: idle,
      speech_ready: true,
    }),
  }
}
