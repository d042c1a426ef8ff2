import type { Conflict } from '#contract/bridge/conflicts.ts'
import type { Handlers } from '#contract/bridge/methods.ts'
import type { Note } from '#contract/model/note.ts'
import { demoTranscript } from './demo-insights.ts'
import { at, clientNamed, demoSessions } from './demo-records.ts'
import { demoProposals } from './demo-week.ts'

const id = (number: number): string => `0199b0a0-0000-7000-8009-${String(number).padStart(12, '0')}`
const { client } = clientNamed('Lena Marsh')
const { session } = demoSessions[6]!
const about = (number: number) => ({
  id: id(number),
  version: 1,
  found_at: at(24, 10, 6),
  client_id: client.id,
  client_name: client.display_name,
  session_id: null,
  session_starts_at: null,
  decided_at: null,
  decided: {},
})

const note = (plan: string, minute: number, isSigned = false): Note => ({
  id: id(90),
  created_at: at(24, 9),
  updated_at: at(24, isSigned ? 10 : 9, minute),
  version: 3,
  session_id: session.id,
  client_id: client.id,
  template: 'soap',
  status: isSigned ? 'signed' : 'draft',
  sections: [
    { key: 'subjective', title: 'Subjective', statements: [statement('a', 'She took the bus on Monday.')] },
    { key: 'plan', title: 'Plan', statements: [statement('b', plan)] },
  ],
  unsupported: [],
  omissions: [],
  checks: [],
  engine: { name: 'rules', version: '1', model: null },
  signature: isSigned
    ? { by: 'Dana Okell', credential: null, at: at(24, 10, 6), method: 'click', content_hash: '0'.repeat(64) }
    : null,
  addenda: [],
})

function statement(key: string, text: string): Note['sections'][number]['statements'][number] {
  return {
    id: key,
    text,
    evidence: [],
    support: 'clinician_entered',
    origin: 'person',
    finding: null,
    safety: false,
    confirmed_at: null,
  }
}

const here = 'Continue weekly. Exposure step 3: one bus stop, with a friend. Review the ladder on 9 December.'
const there = 'Continue weekly. Exposure step 3: two bus stops, alone. Review the ladder on 2 December.'
const heard = (text: string) => ({
  ...demoTranscript,
  segments: demoTranscript.segments.map((segment, index) => (index === 1 ? { ...segment, text } : segment)),
})

/** Every kind of question there is. */
export const demoConflicts: readonly Conflict[] = [
  {
    ...about(1),
    kind: 'fields',
    record: 'client',
    fields: [
      { name: 'phone', mine: '555 0122', theirs: '555 0111' },
      { name: 'goals', mine: ['Take the bus alone', 'Sleep through the night'], theirs: ['Take the bus'] },
    ],
    combined: [
      { name: 'email', value: 'lena@example.org', changed: 'there' },
      { name: 'pronouns', value: 'she/her', changed: 'here' },
    ],
    mine_at: at(24, 9, 52),
    theirs_at: at(24, 10, 6),
  },
  {
    ...about(2),
    session_id: session.id,
    session_starts_at: session.starts_at,
    kind: 'document',
    record: 'note',
    mine: note(here, 52),
    theirs: note(there, 58),
    choices: ['mine', 'theirs'],
  },
  {
    ...about(3),
    session_starts_at: at(20, 10),
    kind: 'document',
    record: 'note',
    mine: note(here, 52),
    theirs: note(there, 6, true),
    choices: ['theirs'],
  },
  {
    ...about(4),
    kind: 'document',
    record: 'transcript',
    mine: heard('I took the bus, two stops.'),
    theirs: heard('I took the bus, three stops.'),
    choices: ['mine', 'theirs'],
  },
  {
    ...about(5),
    kind: 'booking',
    record: 'session',
    session: { ...session, starts_at: at(27, 10), client_id: client.id },
    reasons: [],
    proposals: demoProposals.proposals,
  },
  { ...about(6), kind: 'erased', record: 'session', erased_at: at(24, 9), unsent_changes: 2, recordings: 1 },
]

/** What somebody chose between before. */
export const demoDecided: readonly Conflict[] = [
  {
    ...about(7),
    kind: 'document',
    record: 'note',
    mine: note(here, 52),
    theirs: note(there, 58),
    choices: ['mine', 'theirs'],
    decided_at: at(24, 11),
    decided: { whole: 'theirs' },
  },
]

/** What has changed since the page began; a test sets it, and says so with `demoEmit`. */
export interface DemoMeanwhile {
  /** A sentence the therapist added to the draft here. */
  readonly written?: string
  /** The practice cannot be asked who made the other version. */
  readonly isUnknownWho?: boolean
}

export function demoQuestions(
  isThere: boolean,
): Pick<Handlers<'conflicts.list' | 'conflicts.who'>, 'conflicts.list' | 'conflicts.who'> {
  return {
    'conflicts.list': ({ decided }) => (isThere ? [...(decided === true ? demoDecided : demoConflicts.map(asOfNow))] : []),
    'conflicts.who'({ id }) {
      if (window.demoMeanwhile?.isUnknownWho === true) return { who: null, name: null }
      return id === demoConflicts[0]!.id ? { who: 'you', name: null } : { who: 'colleague', name: 'Dana Okell' }
    },
  }
}

function asOfNow(conflict: Conflict): Conflict {
  const { written } = window.demoMeanwhile ?? {}
  if (written === undefined || conflict.kind !== 'document' || conflict.record !== 'note') return conflict
  const sections = conflict.mine.sections.map((section) =>
    section.key === 'subjective' ? { ...section, statements: [...section.statements, statement('z', written)] } : section,
  )
  return { ...conflict, mine: { ...conflict.mine, sections } }
}
