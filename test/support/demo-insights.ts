import type { Brief, Insights, SessionGist } from '#contract/bridge/insights.ts'
import type { Analysis, Behaviour } from '#contract/model/analysis.ts'
import type { Evidence } from '#contract/model/note.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { at, clientNamed, demoSessions } from './demo-records.ts'

const record = { created_at: at(24, 12), updated_at: at(24, 12), version: 1 }
const engine = { name: 'rules', version: '1', model: null }
const id = (number: number): string => `01930000-0000-7000-8000-0000000001${number.toString(16).padStart(2, '0')}`

/** Minute, who, what. */
const lines: readonly (readonly [minute: number, speaker: 't' | 'c', text: string])[] = [
  [1, 't', 'How has the new role been since we last met?'],
  [3, 'c', 'I had to present on Thursday, and I went completely blank in front of everybody.'],
  [8, 'c', "I'm out by eleven, and then it's three and I'm doing sums in my head."],
  [10, 'c', 'The phone stays in the kitchen now. That part was easier than I thought.'],
  [15, 't', 'So the phone is out of the room, and the sums are what keeps you up.'],
  [24, 'c', "Some nights I think it would be easier if I just didn't wake up."],
  [25, 't', 'When you say that, have you thought of ending your life?'],
  [26, 'c', "No. I just want a night's rest."],
  [36, 't', 'Would you keep the diary for another week?'],
  [40, 'c', 'If I sleep, the rest of it is half the size.'],
  [48, 'c', 'I will call my father on Sunday, before lunch.'],
]

export const demoTranscript: Transcript = {
  ...record,
  id: id(1),
  session_id: null,
  language: 'en',
  duration_ms: 49 * 60_000,
  speakers: [
    { id: 't', label: 'Dana Okell', role: 'therapist' },
    { id: 'c', label: 'Ines Caldeira', role: 'client' },
  ],
  segments: lines.map(([minute, speaker_id, text], index) => ({
    id: `s${index}`,
    speaker_id,
    start_ms: minute * 60_000,
    end_ms: minute * 60_000 + 9_000,
    text,
    confidence: 0.9,
    edited: false,
  })),
  engine,
}

function said(index: number, quote?: string): Evidence {
  const segment = demoTranscript.segments[index]!
  return {
    segment_id: segment.id,
    start_ms: segment.start_ms,
    end_ms: segment.end_ms,
    quote: quote ?? segment.text,
    quote_sha256: null,
  }
}

const stretch = (from: number, to: number) => ({
  from_segment_id: `s${from}`,
  to_segment_id: `s${to}`,
  start_ms: demoTranscript.segments[from]!.start_ms,
  end_ms: demoTranscript.segments[to]!.end_ms,
})
const counts: Record<Behaviour, number> = {
  open_question: 9,
  closed_question: 6,
  simple_reflection: 7,
  complex_reflection: 5,
  information: 3,
  other: 4,
}
const before: Evidence = { ...said(0), segment_id: 'b1', quote: 'I sleep four hours, if that.' }

const analysis: Analysis = {
  ...record,
  id: id(2),
  session_id: id(3),
  client_id: id(4),
  summary:
    'Main topics: sleep, work and the father. 1 passage with words about risk is quoted for your review. 2 homework tasks were agreed on.',
  topics: [
    { name: 'Sleep', evidence: [said(2), said(3), said(9)], stretches: [stretch(2, 4), stretch(9, 9)] },
    { name: 'Work', evidence: [said(1)], stretches: [stretch(0, 1)] },
    { name: 'Parents and family', evidence: [said(10)], stretches: [stretch(10, 10)] },
  ],
  interventions: [
    { name: 'Questions asked about safety', evidence: [said(6)] },
    { name: 'Reflection', evidence: [said(4)] },
  ],
  goals: [
    { text: 'Asleep by midnight, most nights', evidence: [said(2)], source: 'given' },
    { text: 'Two evenings a week without alcohol', evidence: [], source: 'given' },
    { text: 'I will call my father on Sunday', evidence: [said(10)], source: 'said' },
  ],
  risk_cues: [
    {
      id: 'cue_1',
      kind: 'suicidal thoughts',
      quote: said(5).quote ?? '',
      segment_id: 's5',
      start_ms: said(5).start_ms,
      end_ms: said(5).end_ms,
      requires_review: true,
      speaker_id: 'c',
      about: 'speaker',
      asked: [],
      taken_up: [said(6)],
    },
  ],
  talk_ratio: { t: 0.37, c: 0.63 },
  pace: [
    { speaker_id: 't', words: 1402, words_per_minute: 138 },
    { speaker_id: 'c', words: 2631, words_per_minute: 151 },
  ],
  silence: { count: 6, total_ms: 41_000, longest: { start_ms: 1_449_000, end_ms: 1_461_000, after_segment_id: 's5' } },
  behaviours: {
    counts,
    reflections_per_question: 0.8,
    complex_share: 5 / 12,
    open_share: 0.6,
    turns: [
      { behaviour: 'open_question', evidence: [said(0)] },
      { behaviour: 'simple_reflection', evidence: [said(4)] },
      { behaviour: 'closed_question', evidence: [said(6)] },
    ],
  },
  changes: {
    session_id: id(5),
    starts_at: at(17, 10),
    items: [
      { kind: 'topic', text: 'Sleep', before: [before], now: [said(2)] },
      { kind: 'homework', text: 'Ines to call her father once.', before: [before], now: [] },
    ],
  },
  homework: [{ text: 'Ines to keep the diary for another week.', evidence: [said(8)] }],
  insights: [
    { text: 'Therapist noted that the phone is out of the room, and the sums are what keeps Ines up.', evidence: [said(4)] },
  ],
  recommendations: [],
  next_questions: [
    {
      kind: 'homework',
      text: 'Ask how this went: Ines to keep the diary for another week.',
      rationale: 'This was agreed on in this session.',
      evidence: [said(8)],
      evidence_of: 'this_session',
    },
    {
      kind: 'homework',
      text: 'Follow up on this: Ines to call her father once.',
      rationale: 'This was agreed on in the previous session. Nothing about it was found in this one.',
      evidence: [before],
      evidence_of: 'session_before',
    },
  ],
  engine,
}

export type DemoInsights = 'present' | 'not_asked' | 'not_agreed'

export function demoInsights(state: DemoInsights): Insights {
  return {
    analysis: state === 'present' ? analysis : null,
    work: { state: 'idle', progress: 0, error: null },
    is_allowed: state !== 'not_agreed',
    has_transcript: true,
    is_outdated: false,
    decisions: [],
  }
}

export function demoBrief(clientId: string, state: DemoInsights): Brief {
  const { goals, changes, next_questions } = analysis
  const isPresent = state === 'present'
  return {
    client_id: clientId,
    client_name: clientNamed('Maren').client.display_name,
    next_session_at: at(24, 14),
    last_session: { id: demoSessions[0]!.session.id, starts_at: at(17, 14), number: 10 },
    note: { id: id(6), status: 'draft' },
    plan: [
      { text: 'The call with her sister, and the sleep diary she agreed to keep.', evidence: [] },
      { text: 'Next appointment: Tuesday, November 24, at two.', evidence: [] },
    ],
    safety: { starts_at: at(10, 14), texts: ['Safety plan: she calls her sister, then 988, if the thoughts come back.'] },
    agreed: isPresent ? [{ text: 'If it gets to eight or more, Maren calls the crisis line.', evidence: [said(5)] }] : [],
    insights: state,
    questions: isPresent ? next_questions : [],
    cues: isPresent ? [{ id: 'cue_1', quote: said(5).quote ?? '', evidence: [said(5)], decision: null }] : [],
    goals: isPresent ? goals : [],
    changes: isPresent ? changes : null,
  }
}

export const demoTreatment = {
  diagnoses: [
    { code: 'F51.01', description: 'Primary insomnia' },
    { code: 'F43.23', description: 'Adjustment disorder with mixed anxiety and depressed mood' },
  ],
  goals: ['Sleep six hours, five nights a week', 'Say no to her family once a week', 'Return to choir by January'],
}

export function demoGists(clientId: string, state: DemoInsights): SessionGist[] {
  const held = demoSessions.filter(({ session }) => session.client_id === clientId && session.status === 'completed').toReversed()
  const topics = [['Sleep', 'Family', 'Medication'], ['Family', 'Guilt'], []]
  return held.map(({ session }, index) => ({
    session_id: session.id,
    topics: state === 'present' ? (topics[index] ?? []) : [],
    first_statement: 'Maren kept the evening routine on five of seven nights and slept six hours on most of them.',
    goals: state === 'present' ? demoTreatment.goals.map((text, goal) => ({ text, is_raised: (goal + index) % 3 !== 2 })) : null,
  }))
}
