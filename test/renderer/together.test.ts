import { expect, test } from 'vitest'
import type { NoteSection, Statement } from '#contract/model/note.ts'
import {
  addRow,
  carriedOver,
  changeRow,
  isAgreed,
  startedFrom,
  startFrom,
  writtenSections,
  startTogether,
} from '#renderer/features/conflicts/together.ts'

const said = (id: string, text: string): Statement => ({
  id,
  text,
  evidence: [{ segment_id: 's1', start_ms: 0, end_ms: 900, quote: 'words', quote_sha256: null }],
  support: 'paraphrase',
  origin: 'rules',
  finding: null,
  safety: false,
  confirmed_at: null,
})
const version = (...plan: readonly Statement[]): { sections: NoteSection[] } => ({
  sections: [
    { key: 'subjective', title: 'Subjective', statements: [said('a', 'She took the bus.')] },
    { key: 'plan', title: 'Plan', statements: [...plan] },
  ],
})
const mine = version(said('b', 'One bus stop.'), said('c', 'Here alone.'))
const theirs = version(said('b', 'Two bus stops.'), said('d', 'There alone.'))
let next = 0
const newId = (): string => `new-${(next += 1)}`
const textsOf = (sections: readonly NoteSection[] | null): string[] =>
  sections!.flatMap((one) => one.statements.map(({ text }) => text))

test('it begins with one version as it stands, and a sentence of the other can be taken beside the one it differs from', () => {
  const start = startTogether(mine, theirs)
  expect(writtenSections(start, newId)).toEqual(mine.sections)
  expect(startedFrom(start)).toBe('mine')
  expect(writtenSections(startFrom(start, 'theirs'), newId)).toEqual(theirs.sections)
  const taken = changeRow(start, 'theirs:b', { isIn: true })
  expect(startedFrom(taken)).toBeNull()
  expect(textsOf(writtenSections(taken, newId))).toEqual(['She took the bus.', 'One bus stop.', 'Two bus stops.', 'Here alone.'])
})

test('what is taken keeps its source, what is typed is the therapist’s, and no two sentences have one id', () => {
  const taken = changeRow(startTogether(mine, theirs), 'theirs:b', { isIn: true })
  const typed = changeRow(addRow(taken, 'plan', 'own:1'), 'own:1', { text: ' With a friend. ' })
  const edited = changeRow(typed, 'mine:c', { text: 'Here, in other words.' })
  const plan = writtenSections(edited, newId)![1]!.statements
  const [one, two, other, own] = plan
  expect(one).toEqual(mine.sections[1]!.statements[0])
  expect(two).toEqual({ ...theirs.sections[1]!.statements[0], id: two!.id })
  expect(other).toMatchObject({ text: 'Here, in other words.', support: 'clinician_entered', origin: 'person' })
  expect(own).toMatchObject({ text: 'With a friend.', support: 'clinician_entered', origin: 'person', evidence: [] })
  expect(new Set(plan.map(({ id }) => id)).size).toBe(4)
})

test('nothing typed is lost: not by starting from the other version, nor when that changes meanwhile', () => {
  const typed = changeRow(startTogether(mine, theirs), 'mine:b', { text: 'One bus stop, and home.' })
  expect(textsOf(writtenSections(startFrom(typed, 'theirs'), newId))).toContain('One bus stop, and home.')
  const taken = changeRow(typed, 'theirs:d', { isIn: true })
  const later = version(said('b', 'Three bus stops.'), said('d', 'There alone.'))
  const texts = textsOf(writtenSections(carriedOver(taken, startTogether(mine, later)), newId))
  expect(texts).toEqual(expect.arrayContaining(['One bus stop, and home.', 'There alone.']))
})

test('what was typed under a heading that the changed version has no more is still there, in the draft or left out', () => {
  const headed = (...sections: readonly NoteSection[]) => ({ sections: [...mine.sections, ...sections] })
  const extra = { key: 'homework', title: 'Homework', statements: [said('h', 'The diary.')] }
  const start = startTogether(mine, headed(extra))
  const typed = changeRow(addRow(start, 'homework', 'own:1'), 'own:1', { text: 'Also the calls.' })
  const edited = changeRow(typed, 'theirs:h', { text: 'The diary, each day.', isIn: true })
  const carried = carriedOver(edited, startTogether(mine, theirs))
  expect(textsOf(writtenSections(carried, newId))).toEqual(expect.arrayContaining(['Also the calls.', 'The diary, each day.']))
  const last = carried.sections.at(-1)!
  expect(last).toMatchObject({ key: 'homework', title: 'Homework', has: [] })
  expect(textsOf(writtenSections(startFrom(carried, 'theirs'), newId))).toContain('Also the calls.')
  const again = carriedOver(carried, startTogether(mine, headed(extra)))
  expect(textsOf(writtenSections(again, newId)).filter((text) => text === 'Also the calls.')).toHaveLength(1)
  const keys = again.sections.flatMap(({ rows }) => rows.map(({ key }) => key))
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys).toContain('own:1')
  expect(carriedOver(start, startTogether(mine, theirs)).sections.map(({ key }) => key)).toEqual(['subjective', 'plan'])
})

test('a section that says the same in both is one no more as soon as the therapist has changed it', () => {
  const start = startTogether(mine, theirs)
  const agrees = (together: typeof start): boolean => isAgreed(together.sections[0]!)
  expect(agrees(start)).toBe(true)
  expect(agrees(changeRow(start, 'mine:a', { text: 'She walked.' }))).toBe(false)
  expect(agrees(changeRow(start, 'mine:a', { isIn: false }))).toBe(false)
  expect(agrees(addRow(start, 'subjective', 'own:1'))).toBe(false)
})

test('a sentence that was emptied and then left out can be taken again; one begun here and never written is gone', () => {
  const start = startTogether(mine, theirs)
  const left = changeRow(changeRow(start, 'mine:b', { text: '  ' }), 'mine:b', { isIn: false })
  expect(left.sections[1]!.rows[0]).toMatchObject({ text: 'One bus stop.', isIn: false })
  const begun = changeRow(addRow(start, 'plan', 'own:1'), 'own:1', { text: ' ' })
  expect(changeRow(begun, 'own:1', { isIn: false })).toEqual(start)
})

test('begun with the practice’s version it is that version: in its order, with its sources where both say the same', () => {
  const here = version(said('b', 'One.'), said('c', 'Two.'), said('e', 'Three.'))
  const there = version({ ...said('x', 'Three.'), support: 'stated' }, said('d', 'Four.'), { ...said('y', 'One.'), evidence: [] })
  const start = startTogether(here, there)
  const from = startFrom(start, 'theirs')
  expect(writtenSections(from, newId)).toEqual(there.sections)
  expect(startedFrom(from)).toBe('theirs')
  expect(writtenSections(startFrom(from, 'mine'), newId)).toEqual(here.sections)
  const typed = changeRow(start, 'mine:b', { text: 'One and a half.' })
  expect(textsOf(writtenSections(startFrom(typed, 'theirs'), newId))).toEqual([
    'She took the bus.',
    'Three.',
    'Four.',
    'One and a half.',
  ])
})

test('without a sentence there is nothing to keep', () => {
  const empty = ['mine:a', 'mine:b', 'mine:c'].reduce(
    (together, key) => changeRow(together, key, { isIn: false }),
    startTogether(mine, theirs),
  )
  expect(writtenSections(empty, newId)).toBeNull()
})
