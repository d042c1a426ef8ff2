import { expect, test } from 'vitest'
import { drafted, statementsOf, talk, textOf } from './support/session.ts'

test('what the client asks back is not offered as something left out', async () => {
  const bare = [
    'T: so how has the week been since we last met',
    'C: i slept badly after the interview on monday',
    'T: did the doctor change anything',
    'C: what did you say the tablets are called',
    'T: i did not say i asked about the doctor',
    'C: no she changed nothing',
  ]
  const asked = bare.map((line) => (line.startsWith('C: what') ? `${line.replace('what', 'What')}.` : line))
  for (const lines of [bare, asked])
    expect((await drafted(talk(lines))).omissions.map((omission) => omission.text).join(' ')).not.toMatch(/what did you say/i)
})

test('a row of questions is not told as one "Asked" after the other', async () => {
  const note = await drafted(
    talk([
      'T: So how has the month been since we last met?',
      'C: It was long, I slept badly after the funeral.',
      'T: How often do you wake up at night?',
      'C: Three times, mostly.',
      'T: What do you do when you wake up?',
      'C: Tea and the radio, mostly.',
      'T: How long does it take you to sleep again?',
      'C: About an hour, sometimes two.',
      'T: And do you take any tablets for it?',
      'C: No, none.',
    ]),
  )
  const lines = textOf(note).split('\n')
  expect(lines.some((line, at) => /^Asked (?:how|what)/.test(line) && /^Asked (?:how|what)/.test(lines[at + 1] ?? ''))).toBe(
    false,
  )
  expect(lines.some((line) => line.startsWith('Ada, asked '))).toBe(true)
})

test('what is asked of a harm just told is told with it, word for word', async () => {
  const note = await drafted(
    talk([
      'T: So how has the week been since we last met?',
      'C: Bad. I cut my arm on Wednesday night.',
      'T: Thank you for telling me. What did you use?',
      'C: A blade from a sharpener.',
      'T: How deep was it?',
      'C: Not deep. I put a plaster on.',
      'T: What did you use for the painting you brought?',
      'C: Acrylics, mostly.',
    ]),
  )
  const told = statementsOf(note).filter((statement) => /sharpener|plaster/.test(statement.text))
  expect(told.map((statement) => statement.safety)).toEqual([true, true])
  expect(textOf(note)).toContain('"A blade from a sharpener"')
})
