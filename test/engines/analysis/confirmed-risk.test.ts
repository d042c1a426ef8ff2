import { expect, test } from 'vitest'
import { analyse } from '#engines/analysis/analyse.ts'
import type { AnalysisRequest } from '#engines/analysis/request.ts'
import { talk } from '../language/support/session.ts'

/** The last two of four turns. */
function ending(therapist: string, client: string): AnalysisRequest {
  const lines = ['T: How was the week?', 'C: It was long.', `T: ${therapist}`, `C: ${client}`]
  return { ...talk(lines), goals: [], focus: [], previous: null }
}

test('what the therapist says back and the client confirms is a cue, with or without a question mark', () => {
  const said = [
    ['So you have been thinking about ending your life.', 'Yes.'],
    ['You wanted to die that night, is that right?', 'Yes, I did.'],
    ["So you don't want to live any more.", 'No.'],
    ['I hear that you cut yourself? And hurting yourself helped?', 'Sometimes.'],
    ['You took the pills. When was that?', 'In May, at my mother’s.'],
  ] as const
  for (const [therapist, client] of said) {
    const body = analyse(ending(therapist, client))
    expect([therapist, body.risk_cues.length]).toEqual([therapist, 1])
    expect(client).toContain(body.risk_cues[0]!.quote)
    expect(therapist).toContain(body.risk_cues[0]!.asked[0]!.quote)
    expect(body.summary).not.toMatch(/No words about risk/)
  }
})

test('a denial said back, a plan for what may come and what is turned down confirm no risk', () => {
  const said = [
    ['So you have no thoughts of ending your life.', 'Right.'],
    ["You're not thinking of suicide at the moment.", "No, I'm not."],
    ['So you feel safe at home.', 'Yes.'],
    ['If you have thoughts of suicide, ring me.', 'Okay, I will.'],
    ['You were thinking of suicide.', 'No, never.'],
    ['I ask everybody about suicide.', 'Right.'],
    ['and any thoughts of not wanting to be here like you had in the spring', 'no no none of that not since april'],
    ['Any thoughts of hurting yourself, or of not wanting to be here?', 'No.'],
  ] as const
  for (const [therapist, client] of said) {
    const body = analyse(ending(therapist, client))
    expect([therapist, body.risk_cues]).toEqual([therapist, []])
  }
})

test('a loss the client confirms is said to be somebody else’s', () => {
  const body = analyse(ending('So your brother killed himself.', 'Yes.'))
  expect(body.risk_cues.map(({ about }) => about)).toEqual(['somebody_else'])
})

test('topics of safety come first, in the list and in the summary, however little was said about them', () => {
  const lines = [
    'T: How have things been at work since last week?',
    'C: Work is too much. My manager moved two more shifts to the evening and I work every weekend.',
    'T: What is the work like now?',
    'C: The job takes everything, the shifts and the meetings and the office.',
    'T: What else is there?',
    'C: They would all be better off if I did not wake up.',
    'T: Thank you for telling me. And the sleep?',
    'C: I sleep four hours. I sleep badly after the late shifts.',
  ]
  const atTheDoor = [...lines.filter((line) => !line.includes('wake up')), 'T: Take care, see you next week. Bye.', lines[5]!]
  expect(analyse({ ...talk(atTheDoor), goals: [], focus: [], previous: null }).topics[0]?.name).toBe('Suicidal thoughts')
  const { topics, summary } = analyse({ ...talk(lines), goals: [], focus: [], previous: null })
  expect(topics.map(({ name }) => name).slice(0, 2)).toEqual(['Suicidal thoughts', 'Work'])
  expect(topics[0]?.evidence[0]?.quote).toContain('did not wake up')
  expect(summary).toMatch(/^These safety topics came up: suicidal thoughts\. Other topics: work/)
})
