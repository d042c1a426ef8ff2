import { expect, test } from 'vitest'
import { parseTypedLines } from '#renderer/features/session/transcript/speakers.ts'

const room = [{ name: 'Maren Voss', role: 'client' as const }]
const parse = (text: string) => parseTypedLines(text, 'Dana Reyes', room)

test('each named line is a turn of that person, by role or by first name', () => {
  const typed = parse('Therapist: How were the nights?\nMaren: Better.\nDana Reyes: Good.\nclient: I slept.')
  expect(typed.segments.map((turn) => [turn.speaker_id, turn.text])).toEqual([
    ['therapist', 'How were the nights?'],
    ['participant-1', 'Better.'],
    ['therapist', 'Good.'],
    ['participant-1', 'I slept.'],
  ])
  expect(typed.speakers.map((speaker) => speaker.role)).toEqual(['therapist', 'client'])
})

test('a line without a name goes on with the turn before, and a colon alone names nobody', () => {
  const typed = parse('Client: I told her\nthis: I cannot host.\n\nTherapist:\nAnd then?')
  expect(typed.segments.map((turn) => turn.text)).toEqual(['I told her this: I cannot host.', 'And then?'])
})

test('words before any name are kept as a turn without a voice', () => {
  expect(parse('It was quiet.').segments).toMatchObject([{ speaker_id: null, text: 'It was quiet.' }])
})

test('nothing typed is nothing to keep', () => {
  expect(parse(' \n\n').segments).toEqual([])
})
