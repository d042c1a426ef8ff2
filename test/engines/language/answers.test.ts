import { describe, expect, test } from 'vitest'
import { drafted, statementsOf, talk, textOf } from './support/session.ts'

const before = ['T: So how has the week been since we last met?', 'C: It was a long week at work with two late shifts.']

async function after(...lines: string[]): Promise<string> {
  return textOf(
    await drafted(
      talk([
        ...before,
        ...lines,
        'T: Okay, thank you for telling me.',
        'C: I went for a walk on Sunday with the dog.',
        'T: You went for a walk.',
        'C: Yes.',
      ]),
    ),
  )
}

describe('questions and answers', () => {
  test('a plain no to "any X?" is a denial', async () => {
    expect(await after('T: Any thoughts of hurting yourself?', 'C: No.')).toContain('Ada denies any thoughts of hurting herself.')
  })

  test('a tail belongs to the question before it', async () => {
    expect(await after('T: Any nightmares? Or flashbacks?', 'C: No, nothing like that.')).toContain('denies any nightmares')
  })

  test('of two questions the last is answered', async () => {
    const text = await after('T: Was the meeting useful? Did you have any panic attacks?', 'C: No.')
    expect(text).toContain('denies')
    expect(text).not.toMatch(/denies[^.]*meeting/)
  })

  test.each([
    'Not really.',
    "I don't think so.",
    'Not lately.',
    'No, but sometimes at night.',
    'No. I mean, I have, once.',
    'Yeah, no.',
    'No, I know.',
    'Sometimes.',
  ])('"%s" is no denial', async (answer) => {
    const note = await drafted(
      talk([
        ...before,
        'T: Have you had any thoughts of suicide?',
        `C: ${answer}`,
        'T: Thank you.',
        'C: I went for a walk on Sunday.',
      ]),
    )
    expect(statementsOf(note).filter((statement) => statement.finding?.state === 'denied')).toEqual([])
  })

  test('a question that is not answered is neither stated nor denied', async () => {
    const note = await drafted(
      talk([
        ...before,
        'T: Do you drink when that happens?',
        'C: Can we leave that one?',
        'T: We can.',
        'C: I went for a walk on Sunday.',
      ]),
    )
    expect(textOf(note)).toMatch(/did not answer: "Can we leave that one"/i)
    expect(statementsOf(note).filter((statement) => statement.finding && statement.finding.state !== 'not_assessed')).toEqual([])
  })

  test.each([
    ['T: Have you had any thoughts of hurting your child?', 'C: Can we talk about something else?'],
    ['T: Do you ever think of harming Leo?', 'C: He is a good kid.'],
    ['T: How close have you come to hurting the baby?', 'C: Well, you know.'],
    ['T: Are you thinking about suicide?', "C: I don't know."],
    ['T: Are you thinking about suicide?', 'C: My sister is visiting tomorrow.'],
    ['T: Any plan to end your life?', 'C: [laughs] Ha, right.'],
  ])('an evaded answer about harm is in the note and needs a confirmation: %s %s', async (question, answer) => {
    const note = await drafted(talk([...before, question, answer, 'T: Okay.', 'C: I went for a walk on Sunday.']))
    const told = statementsOf(note).filter(({ text }) => text.includes(question.slice(3)))
    expect(told.map(({ safety, finding }) => [safety, finding])).toEqual([[true, null]])
  })

  test('a good thing answered with no is not "denied"', async () => {
    expect(await after('T: Are you able to rest?', 'C: No.')).not.toContain('denies')
  })

  test('either-or has no polarity', async () => {
    expect(await after('T: Was it an accident, or on purpose?', 'C: On purpose, I wanted to hurt myself.')).not.toContain(
      'denies',
    )
    expect(await after('T: Is that wanting to be dead, or something else?', 'C: No, more like a rest.')).not.toContain('denies')
  })

  test('a question put in the negative is flagged, not decided', async () => {
    const note = await drafted(
      talk([...before, "T: You're not thinking of hurting yourself?", 'C: No.', 'T: Okay.', 'C: I went for a walk on Sunday.']),
    )
    expect(statementsOf(note).some((statement) => statement.finding?.state === 'denied')).toBe(false)
    expect(note.checks.map((check) => check.code)).toContain('negative-question')
  })

  test('a rating keeps the words and is never averaged', async () => {
    expect(await after('T: On a scale of 0 to 10, how bad was the panic?', 'C: Six, maybe seven.')).toContain(
      '"Six, maybe seven"',
    )
  })

  test('a second rating joins the first', async () => {
    expect(await after('T: How anxious were you before, nought to ten?', 'C: Eight.', 'T: And afterwards?', 'C: Three.')).toMatch(
      /"Eight".*"Three"/,
    )
  })

  test("a relative's attempt is not the client's state", async () => {
    const note = await drafted(
      talk([
        ...before,
        'T: What happened then?',
        'C: My brother tried to kill himself when I was ten.',
        'T: That is a lot for a child.',
        'C: I went for a walk on Sunday.',
      ]),
    )
    const found = statementsOf(note).filter((statement) => statement.text.includes('My brother'))
    expect(found.length).toBeGreaterThan(0)
    expect(found.every((statement) => statement.finding === null && statement.safety)).toBe(true)
  })
})

describe('corrections: the later value wins', () => {
  test.each([
    ['day', ['C: I called her on Wednesday, no, Thursday, in the evening.'], /wednesday/i],
    ['number', ['C: She put the sertraline up to twenty. No, wait, not twenty. Fifteen.'], /twenty/i],
    [
      'day of the plan',
      ['T: And when will you practise?', "C: Tuesday and Thursday. No, not Thursday, I'm away. Tuesday and Friday."],
      /tuesday and thursday/i,
    ],
  ])('%s', async (_kind, lines, first) => {
    expect(await after(...lines)).not.toMatch(first)
  })

  test("the therapist's check that the client corrects is not written", async () => {
    expect(await after('C: I have five coffees a day.', 'T: So three a day.', 'C: No, five.')).not.toContain('three a day')
  })
})
