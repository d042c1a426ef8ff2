import { expect, test } from 'vitest'
import { analyse } from '#engines/analysis/analyse.ts'
import type { AnalysisRequest } from '#engines/analysis/request.ts'
import { talk } from '../language/support/session.ts'

const session = {
  id: '018f7f5e-0000-7000-8000-00000000000c',
  session_type: 'group' as const,
  modality: 'in_person' as const,
  starts_at: '2026-11-24T10:00:00Z',
  duration_minutes: 90,
  time_zone: 'UTC',
}

const lines = [
  'T: Welcome, everyone. Today we will practise breathing.',
  'A: I sleep four hours a night and I wake at three.',
  'T: And the sleep before the move?',
  'A: I slept well before the move. I want to be able to sleep until six again.',
  'T: Bruno, have you thought of ending your life?',
  'B: Yes, on Saturday I wanted to die. I drank a bottle of whisky.',
  'T: How much whisky do you drink on other days?',
  'B: I drink whisky every evening and my goal is to stop drinking by summer.',
  'T: I would like you to ring the clinic about the whisky before next week.',
  'B: Okay, I will ring the clinic.',
  'T: Before next week each of you writes one page every evening.',
  'A: Okay, I can do that.',
  "T: So for this week, I'd like you to write down when you wake up, every morning.",
  'A: Okay, I will do that.',
  'T: Shall we all meet next Tuesday at three again?',
  'A: Yes, Tuesday is fine.',
]
const others = /Bruno|whisky|drink|die|Saturday|clinic|ending|summer/i

function inGroup(more: Partial<AnalysisRequest> = {}): AnalysisRequest {
  const { client, speakers, segments } = talk(lines, 'group', { T: 'therapist', A: 'client', B: 'client' })
  const names: Record<string, string> = { T: 'Leader', A: 'Ada', B: 'Bruno' }
  const named = speakers.map((each) => ({ ...each, label: names[each.id]! }))
  return { session, client, speakers: named, segments, goals: [], focus: [], previous: null, ...more }
}

test('an analysis of a group holds this member’s matters and nothing of another member’s', () => {
  const body = analyse(inGroup())
  expect(JSON.stringify(body)).not.toMatch(others)
  expect(body.topics.map(({ name }) => name)).toContain('Sleep')
  expect(body.goals.map(({ text }) => text).join(' ')).toMatch(/sleep until six/)
  expect(body.homework.map(({ text }) => text).join(' ')).toMatch(/wake up/)
  expect(body.risk_cues).toEqual([])
  expect([Object.keys(body.talk_ratio ?? {}), body.pace.map(({ speaker_id }) => speaker_id)]).toEqual([
    ['T', 'A'],
    ['T', 'A'],
  ])
})

test('what another member said in the group before is not held against what is said now', () => {
  const { speakers, segments } = inGroup()
  const plan = [{ text: 'Bruno rings the clinic.', evidence: [] }]
  const before = { session_id: session.id, session, starts_at: session.starts_at, time_zone: 'UTC', speakers, segments, plan }
  const body = analyse(inGroup({ previous: before }))
  expect(body.changes?.items.map(({ text }) => text)).toContain('Sleep')
  expect(JSON.stringify(body)).not.toMatch(others)
})

test('without knowing whose voice is the client’s nothing a member said is in it, and nothing is said about risk', () => {
  const { client } = inGroup()
  const body = analyse(inGroup({ client: { ...client!, display_name: 'Zoe Vane', given_name: 'Zoe' } }))
  expect(JSON.stringify(body)).not.toMatch(/sleep|move|whisky|Bruno|No words about risk/)
  expect(body.summary).toMatch(/doesn’t know which speaker/)
})
