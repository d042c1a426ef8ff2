import { expect, test } from 'vitest'
import type { Note, Statement } from '#contract/model/note.ts'
import { builtInTemplates } from '#contract/model/template.ts'
import { ownStatement } from '#domain/note-review.ts'
import { formsIn, isEmptyNote, linesOf, regroup, sectionsOf, typedAtEnd, withTyped } from '#domain/note-sections.ts'

let count = 0
const newId = (): string => `id-${(count += 1)}`
const drafted = (id: string): Statement => ({
  ...ownStatement(id, `Drafted ${id}.`),
  evidence: [{ segment_id: 'a', start_ms: 0, end_ms: 1, quote: 'x', quote_sha256: null }],
  support: 'paraphrase',
  origin: 'rules',
})
const notStated = (id: string): Statement => ({
  ...ownStatement(id, 'Not stated in session.'),
  support: 'paraphrase',
  origin: 'rules',
})
const section = (key: string, ...statements: Statement[]) => ({ key, title: key, statements })
const forms = (template: (typeof builtInTemplates)[number]) => sectionsOf(template, [], [])!
const textsOf = ({ statements }: { readonly statements: readonly Statement[] }) => statements.map(({ text }) => text)

test('every pasted paragraph becomes one statement of the clinician, in order', () => {
  const pasted = withTyped(section('plan'), 'Call the school.\r\n\r\n  See her on Tuesday. \nRefer to a sleep clinic.', newId)
  expect(textsOf(pasted)).toEqual(['Call the school.', 'See her on Tuesday.', 'Refer to a sleep clinic.'])
  expect(pasted.statements).toMatchObject(Array.from({ length: 3 }, () => ({ origin: 'person', support: 'clinician_entered' })))
})

test('a paragraph longer than a statement can hold is split between sentences, and no word is lost', () => {
  const long = Array.from({ length: 900 }, (_, index) => `Word${index} is here.`).join(' ')
  const lines = linesOf(long)
  expect(lines.every((line) => line.length <= 4000 && line.endsWith('.'))).toBe(true)
  expect(lines.join(' ')).toBe(long)
  expect(linesOf('x'.repeat(9000)).join('')).toBe('x'.repeat(9000))
})

test('typing keeps the ids of unchanged lines, the drafted statements and their order', () => {
  const first = withTyped(section('plan', drafted('d')), 'One.\nTwo.', newId)
  const ids = typedAtEnd(first).map(({ id }) => id)
  const second = withTyped(first, 'One.\nBetween.\nTwo.', newId)
  expect(textsOf(second)).toEqual(['Drafted d.', 'One.', 'Between.', 'Two.'])
  expect([second.statements[1]?.id, second.statements[3]?.id]).toEqual(ids)
  expect(withTyped(second, '', newId).statements).toEqual([drafted('d')])
})

test('the placeholder goes with the first typed word', () => {
  expect(textsOf(withTyped(section('plan', notStated('empty')), 'C', newId))).toEqual(['C'])
})

test('a statement that rests on the transcript, on another note or on safety is not part of the text field', () => {
  const carried = { ...ownStatement('c', 'Continue weekly.'), doubt: 'From November 17' }
  const risk = { ...ownStatement('r', 'Denied risk.'), safety: true }
  for (const other of [drafted('d'), carried, risk])
    expect(typedAtEnd(section('plan', ownStatement('o', 'Own.'), other))).toEqual([])
})

test('a note of placeholders, findings not assessed and the planned length is empty', () => {
  const length = ownStatement('length', 'Session: individual, 50 minutes.')
  const notAssessed = {
    ...notStated('risk'),
    text: 'Risk: not assessed.',
    finding: { topic: 'Risk', state: 'not_assessed' as const },
  }
  expect(isEmptyNote({ sections: [section('plan')] })).toBe(true)
  expect(isEmptyNote({ sections: [section('plan', notStated('a')), section('data', length, notAssessed)] })).toBe(true)
  expect(isEmptyNote({ sections: [section('plan', notStated('a')), section('data', ownStatement('b', 'Calm.'))] })).toBe(false)
})

test('each statement goes to the section of the same key, else to the one that holds the same content', () => {
  const soap = [
    section('subjective', ownStatement('s', 'Slept well.')),
    section('objective', ownStatement('o', 'Tearful.'), drafted('d')),
    section('assessment', notStated('n')),
    section('plan', ownStatement('p', 'See her Tuesday.')),
  ]
  const dap = regroup(soap, forms('soap'), forms('dap'))
  expect(dap.map((one) => [one.key, textsOf(one)])).toEqual([
    ['data', ['Slept well.', 'Tearful.', 'Drafted d.']],
    ['assessment', []],
    ['plan', ['See her Tuesday.']],
  ])
})

test('what a partner said goes to the section for what was said', () => {
  const note = { template: 'couples', sections: [section('partner_1', ownStatement('a', 'Feels unheard.'))] } as unknown as Note
  expect(textsOf(regroup(note.sections, formsIn(note, []), forms('soap'))[0]!)).toEqual(['Feels unheard.'])
})

test('no switch between templates loses or doubles a statement', () => {
  for (const from of builtInTemplates)
    for (const to of builtInTemplates) {
      const sections = forms(from).map(({ key, title }) => ({
        key,
        title,
        statements: [ownStatement(key, `Typed in ${title}.`)],
      }))
      const moved = regroup(sections, forms(from), forms(to))
      expect(moved.flatMap(textsOf).toSorted()).toEqual(sections.flatMap(textsOf).toSorted())
      expect(moved.slice(0, forms(to).length).map(({ key }) => key)).toEqual(forms(to).map(({ key }) => key))
    }
})

test('what has no place in the new template stays in its section after the others, and returns when switched back', () => {
  const intake = [section('mental_state', ownStatement('m', 'Alert.')), section('diagnosis', ownStatement('d', 'F41.1'))]
  const dap = regroup(intake, forms('intake'), forms('dap'))
  expect(dap.map(({ key }) => key)).toEqual(['data', 'assessment', 'plan', 'mental_state', 'diagnosis'])
  const back = regroup(dap, forms('dap'), forms('intake'))
  expect(back.find(({ key }) => key === 'diagnosis')?.statements).toEqual(intake[1]?.statements)
  expect(back).toHaveLength(forms('intake').length)
})
