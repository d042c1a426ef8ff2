import { expect, test } from 'vitest'
import { parseCsv } from './csv.ts'
import { readDialogue } from './spoken.ts'

test('quoted fields keep commas, quotation marks and line ends, whatever ends a record', () => {
  const text = '\uFEFFid,dialogue,note\r\n1,"[doctor] hi, ""Jo""\n[patient] hm",plain\r\n\r\n2,,"last\r\nline"'
  expect(parseCsv(text)).toEqual({
    columns: ['id', 'dialogue', 'note'],
    rows: [
      { id: '1', dialogue: '[doctor] hi, "Jo"\n[patient] hm', note: 'plain' },
      { id: '2', dialogue: '', note: 'last\r\nline' },
    ],
  })
})

test('a row that is cut short has empty fields, and an empty file has no rows', () => {
  expect(parseCsv('a,b,c\n1,2').rows).toEqual([{ a: '1', b: '2', c: '' }])
  expect(parseCsv('a,b\n1,').rows).toEqual([{ a: '1', b: '' }])
  expect(parseCsv('')).toEqual({ columns: [], rows: [] })
})

test('a quotation mark that never closes is named with its line', () => {
  expect(() => parseCsv('a,b\n1,"never closed\nanother line')).toThrow('a quotation mark opens on line 2 and is never closed')
})

test.each([
  ['[doctor] how are you ?\n[patient] fine .\n[patient_guest] he is not .', ['therapist', 'client', 'other']],
  ['Doctor: How are you?\nPatient: Fine.\nGuest_family: He is not.', ['therapist', 'client', 'other']],
  ['Therapist: How are you?\nMira: Fine.\nstill fine.', ['therapist', 'client']],
])('who speaks is read from %j', (text, roles) => {
  const { speakers, segments } = readDialogue(text)
  expect(speakers.map((speaker) => speaker.role)).toEqual(roles)
  expect(segments.at(1)?.text.toLowerCase()).toMatch(/^fine\b/)
})

test('a line without a tag goes on with the one before, and text without tags is no dialogue', () => {
  expect(readDialogue('Therapist: How\nare you?\nMira: Fine.').segments[0]?.text).toBe('How are you?')
  expect(readDialogue('just a paragraph\nof prose').segments).toEqual([])
})
