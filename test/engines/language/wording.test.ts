import { describe, expect, test } from 'vitest'
import { rewordFirstPerson, rewordSecondPerson } from '#engines/language/rules/gate.ts'
import { pronounsOf } from '#engines/language/rules/people.ts'
import { cleanText } from '#engines/language/rules/clean.ts'
import type { Person } from '#engines/language/rules/types.ts'
import { drafted, talk, textOf } from './support/session.ts'

const she: Person = { id: 'C', role: 'client', name: 'Ada', pronouns: pronounsOf('she/her'), isOneOfSeveral: false }
const they: Person = { ...she, pronouns: pronounsOf('they/them') }
const unknown: Person = { ...she, pronouns: null }

function said(text: string, person = she): string | null {
  return rewordFirstPerson(cleanText(text), person, true)
}

describe('the gate from first to third person', () => {
  test.each([
    ["I, um, I've been sleeping really badly since the move.", 'she has been sleeping really badly since the move'],
    ["My appetite's been better, actually.", "her appetite's been better, actually"],
    ['When I get to the office I just freeze.', 'when she gets to the office she just freezes'],
    ['I want to lie down and cry.', 'she wants to lie down and cry'],
    ['Last night I went to the choir.', 'last night she went to the choir'],
    ["I don't sleep before two.", 'she does not sleep before two'],
    ['I worry about the exam.', 'she worries about the exam'],
    ["I'm tired all the time.", 'she is tired all the time'],
    ['I washed my hair on Thursday.', 'she washed her hair on Thursday'],
    ['I think I drink too much.', 'she thinks she drinks too much'],
    ["I'm doing okay at work.", 'she is doing okay at work'],
    ['I was right about the date, yeah.', 'she was right about the date'],
    ['I slept all right.', 'she slept all right'],
  ])('%s is reported as "%s"', (text, expected) => {
    expect(said(text)).toBe(expected)
  })

  test.each([
    ['tense unknown', 'I quit the job again.'],
    ['a verb that may hang on the first', 'I come home and sleep.'],
    ['reported speech', 'My mum told me I was lazy.'],
    ['a hypothesis', "If I lost this job I'd drink again."],
    ['generic you', "You just feel like nobody's there."],
    ['we', "We've been fighting."],
    ['no own subject', 'About three weeks.'],
    ['her pronoun names another', 'I asked her for the keys.'],
    ['risk', 'I want to kill myself.'],
    ['a medication change', 'I stopped taking the sertraline.'],
    ['not sure', "I don't know what I want."],
    ['an oath', 'I fucking hate the mornings there.'],
    ['an end left open', 'I went to the shop and so.'],
    ['a question', 'I could try that, could I not?'],
    ['too short', 'I did it.'],
  ])('refuses %s: %s', (_why, text) => {
    expect(said(text)).toBeNull()
  })

  test('singular they takes the plural verb, and is refused beside other people', () => {
    expect(said('I get tired after work.', they)).toBe('they get tired after work')
    expect(said('I hoped my parents would call.', they)).toBeNull()
  })

  test('without pronouns the name comes first', () => {
    expect(rewordFirstPerson('I had one glass of wine before I left the house.', unknown)).toBe(
      'Ada had one glass of wine before they left the house',
    )
  })

  test.each([
    ['You lie awake till you hear the door.', 'Ada lies awake till she hears the door'],
    ["You've been late twice, and it's hard to get going.", 'Ada has been late twice, and it is hard to get going'],
    ["Your heart was racing and you couldn't feel your hands.", "Ada's heart was racing and she could not feel her hands"],
  ])('what the therapist says back, "%s", becomes "%s"', (text, expected) => {
    expect(rewordSecondPerson(text, she)).toBe(expected)
  })

  test('"you" that is not one person is refused', () => {
    expect(rewordSecondPerson('Each of you goes silent.', she)).toBeNull()
    expect(rewordSecondPerson("You're both guessing.", she)).toBeNull()
  })
})

describe('cleaning keeps meaning', () => {
  test.each([
    ['It is right now that it hurts.', 'It is right now that it hurts.'],
    ['It was very very bad.', 'It was very very bad.'],
    ['I had had enough.', 'I had had enough.'],
    ['I feel kind of hopeless.', 'I feel kind of hopeless.'],
    ['and then, and then he left', 'and then he left'],
    ['My face went, like, red.', 'My face went red.'],
  ])('%s', (raw, clean) => {
    expect(cleanText(raw)).toBe(clean)
  })
})

test('what the therapist asks the client to do is told as a plan, without the please', async () => {
  const note = await drafted(
    talk([
      'T: How was the week?',
      'C: I slept badly, maybe three hours a night.',
      'T: Please keep a sleep diary until next Thursday.',
      'C: I will keep it every morning.',
    ]),
  )
  expect(textOf(note)).toContain('Ada to keep a sleep diary until next Thursday')
})
