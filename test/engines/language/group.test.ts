import { describe, expect, test } from 'vitest'
import type { NoteBody } from '#contract/model/note.ts'
import { builtInTemplates, ownTemplateSchema } from '#contract/model/template.ts'
import { checkDraft } from '#engines/language/check/check-draft.ts'
import type { DraftRequest } from '#engines/language/port.ts'
import { segmentsFor, withoutOthers } from '#engines/language/writer/source.ts'
import { drafted, statementsOf, talk, textOf } from './support/session.ts'

const session = {
  id: '018f7f5e-0000-7000-8000-00000000000c',
  session_type: 'group' as const,
  modality: 'in_person' as const,
  starts_at: '2026-11-24T10:00:00Z',
  duration_minutes: 90,
  time_zone: 'UTC',
}

const lines = [
  'T: Welcome, everyone. Today we will practise a breathing exercise.',
  'A: I have been sleeping badly since the funeral.',
  'T: Since the funeral your nights are short.',
  'A: Yes, I wake at three.',
  'T: Thank you. And how was the week for you?',
  'B: I relapsed on Friday and drank a whole bottle of whisky.',
  'T: So a relapse on Friday, with the whisky, after ninety days.',
  'B: Yes.',
  'T: You should tell your sponsor about the whisky before next week.',
  'B: Okay, I will.',
  'T: That took courage after such a relapse. Ada, are you taking any medication?',
  'A: I started taking sertraline two weeks ago.',
  'T: How has the sertraline been for you?',
  'A: My goal is to go back to the choir.',
  'T: It sounds like shame came with the drinking.',
  'B: It did, I felt disgusting.',
  'T: Before next week each of you writes one page every evening.',
  'A: Okay, I can do that.',
  'T: You might take the antabuse again.',
  'B: Yes, I will take it.',
]

const others = /Bruno|relaps|whisky|Friday|sponsor|ninety|shame|disgust|antabuse|courage|drinking/i

function inGroup(template: DraftRequest['template'], more: Partial<DraftRequest> = {}): DraftRequest {
  const asked = talk(lines, template, { T: 'therapist', A: 'client', B: 'client' })
  const names: Record<string, string> = { T: 'Leader', A: 'Ada', B: 'Bruno' }
  return { ...asked, session, speakers: asked.speakers.map((each) => ({ ...each, label: names[each.id]! })), ...more }
}

const own = ownTemplateSchema.parse({
  id: '018f7f5e-0000-7000-8000-0000000000aa',
  name: 'Mine',
  sections: [
    { key: 'done', title: 'Done', holds: ['interventions', 'plan'], when_empty: 'not_stated' },
    { key: 'heard', title: 'Heard', holds: ['said', 'medication', 'risk'], when_empty: 'not_stated' },
  ],
  created_at: '2026-11-01T10:00:00Z',
  updated_at: '2026-11-01T10:00:00Z',
  version: 1,
  style: {},
})

const sectionWith = (note: NoteBody, text: string): string | undefined =>
  note.sections.find(({ statements }) => statements.some((each) => each.text.includes(text)))?.key

describe('a group session drafted for one member', () => {
  const forms: [string, DraftRequest][] = [
    ...builtInTemplates.map((template): [string, DraftRequest] => [template, inGroup(template)]),
    ['a form of one’s own', inGroup(own.id as DraftRequest['template'], { own })],
  ]

  test.each(forms)('%s: no other member’s words, name or matters, before or after the check', async (_, request) => {
    const note = await drafted(request)
    const checked = withoutOthers(checkDraft(note, { ...request, segments: segmentsFor(request) }), request)
    for (const body of [note, checked]) expect(JSON.stringify(body)).not.toMatch(others)
    const voices = new Map(request.segments.map(({ id, speaker_id }) => [id, speaker_id]))
    const cited = [...statementsOf(checked), ...checked.omissions].flatMap(({ evidence }) => evidence)
    expect(cited.map(({ segment_id }) => voices.get(segment_id))).not.toContain('B')
  })

  test('keeps what the leader said to this member and to all', async () => {
    const text = JSON.stringify(await drafted(inGroup('soap')))
    expect(text).toMatch(/sertraline/)
    expect(text).toMatch(/funeral/)
    expect(text).toMatch(/one page/)
  })

  test('says who was counted as present in the section that holds what the therapist typed', async () => {
    const participants = ['Ada Brook', 'Bruno Held'].map((name) => ({ name, role: 'group_member' as const }))
    const counted = { session: { ...session, participants } }
    expect(sectionWith(await drafted(inGroup('soap', counted)), 'Members present: 2.')).toBe('subjective')
    expect(sectionWith(await drafted(inGroup(own.id as DraftRequest['template'], { own, ...counted })), 'Members present')).toBe(
      'heard',
    )
  })
})

test.each(['client', 'initials'] as const)(
  'whom a form calls by %s is found among the voices all the same',
  async (client_as) => {
    const named = { ...own, style: { ...own.style, client_as } }
    const note = await drafted(inGroup(own.id as DraftRequest['template'], { own: named }))
    expect(note.checks.map(({ code }) => code)).not.toContain('member-unknown')
    expect(textOf(note)).toMatch(/funeral/)
    expect(JSON.stringify(note)).not.toMatch(others)
  },
)

test('the one voice that was told apart is not taken for the client’s where it has another member’s name', async () => {
  const participants = ['Ada Brook', 'Bruno Held'].map((name) => ({ name, role: 'group_member' as const }))
  const heard = inGroup('soap', { session: { ...session, participants } })
  const segments = heard.segments.filter(({ speaker_id }) => speaker_id !== 'A')
  const speakers = heard.speakers.filter(({ id }) => id !== 'A')
  const note = await drafted({ ...heard, segments, speakers })
  expect(note.checks.map(({ code }) => code)).toContain('member-unknown')
  expect(JSON.stringify(note)).not.toMatch(others)
})

test('whose a leader’s words are decides who speaks around them; where it is doubtful they are nobody’s', () => {
  const request = inGroup('group')
  const shown = segmentsFor(request).map(({ text }) => text.trim())
  const ofLeader = request.segments.flatMap(({ speaker_id }, at) => (speaker_id === 'T' && shown[at] !== '' ? [shown[at]] : []))
  expect(ofLeader).toEqual([
    'Welcome, everyone. Today we will practise a breathing exercise.',
    'Since the funeral your nights are short.',
    'Ada, are you taking any medication?',
    'How has the sertraline been for you?',
    'Before next week each of you writes one page every evening.',
  ])
})

test('a sentence the check takes out is listed without words that may be another member’s', () => {
  const request = inGroup('soap')
  const listed = { text: 'The client relapsed with whisky.', reason: 'nobody said it' }
  const own = { text: 'The client sings in a choir.', reason: 'nobody said it' }
  const note = { sections: [], omissions: [], checks: [], unsupported: [listed, own] } as unknown as NoteBody
  const { unsupported } = withoutOthers(note, request)
  expect(unsupported).toHaveLength(2)
  expect(JSON.stringify(unsupported)).not.toMatch(/relapsed|whisky/)
  expect(withoutOthers(note, { ...request, template: 'soap', session: null })).toEqual(note)
  expect(textOf(note)).toBe('')
})
