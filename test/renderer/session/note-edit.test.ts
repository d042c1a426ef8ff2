import { describe, expect, test } from 'vitest'
import { reviews, statementNeeds, toCheck } from '#domain/note-review.ts'
import type { NoteSection, Omission, Statement } from '#contract/model/note.ts'
import { ownStatement } from '#domain/note-review.ts'
import {
  addOmission,
  addAboveTyped,
  dropSection,
  moveSection,
  typeText,
  confirmStatement,
  editStatement,
  findStatement,
  fittingSection,
  keepAsOwnWords,
  leaveOutOmission,
  removeStatement,
  reopenOmission,
  restoreStatement,
  addStatement,
  sectionOf,
} from '#renderer/features/session/note/note-edit.ts'

const evidence = [{ segment_id: 'a', start_ms: 1000, end_ms: 2000, quote: 'put me up to seventy-five', quote_sha256: null }]
const statement = (id: string, more: Partial<Statement> = {}): Statement => ({
  id,
  text: `About ${id}.`,
  evidence,
  support: 'paraphrase',
  origin: 'rules',
  finding: null,
  safety: false,
  confirmed_at: null,
  ...more,
})
const section = (key: string, statements: Statement[]): NoteSection => ({ key, title: key, statements })
const omission: Omission = { id: 'o1', kind: 'medication', text: 'A dose change', evidence, decision: 'open' }
const now = '2026-11-24T14:00:00.000Z'
const added = { id: 'o1', now, prose: (quote: string) => `Client stated: ${quote}` }
const body = {
  sections: [
    section('subjective', [statement('one'), statement('risk', { safety: true })]),
    section('objective', [
      statement('mood', { evidence: [], support: 'stated', finding: { topic: 'Mood', state: 'not_assessed' } }),
    ]),
    section('assessment', [statement('bare', { evidence: [] })]),
    section('plan', [statement('empty', { evidence: [], support: 'stated' })]),
  ],
  omissions: [omission],
}

describe('what is left before signing', () => {
  test('safety to confirm, no source, said and not written: each counted once, in the order of the page', () => {
    expect(toCheck(body)).toEqual({ safety: 1, source: 1, doubt: 0, carried: 0, omission: 1, total: 3 })
    expect(reviews(body).map((review) => review.id)).toEqual(['risk', 'bare', 'o1'])
  })

  test('a finding not assessed and the line of an empty section need no source', () => {
    expect(body.sections[1]?.statements.map(statementNeeds)).toEqual([null])
    expect(body.sections[3]?.statements.map(statementNeeds)).toEqual([null])
  })

  test('a sentence the check doubts needs a click, until it is confirmed or put in other words', () => {
    const doubted = {
      sections: [section('subjective', [statement('one', { doubt: 'only the therapist said this' })])],
      omissions: [],
    }
    expect(toCheck(doubted)).toEqual({ safety: 0, source: 0, doubt: 1, carried: 0, omission: 0, total: 1 })
    expect(toCheck(confirmStatement(doubted, 'one', now)).total).toBe(0)
    expect(toCheck(editStatement(doubted, 'one', 'In other words.')).total).toBe(0)
  })

  test('confirm, keep as own words and leave out leave nothing', () => {
    const done = leaveOutOmission(keepAsOwnWords(confirmStatement(body, 'risk', now), 'bare', now), 'o1')
    expect(toCheck(done).total).toBe(0)
    expect(findStatement(done, 'bare')).toMatchObject({ support: 'clinician_entered', origin: 'person', confirmed_at: now })
  })

  test('changing a confirmed safety statement asks for a look again', () => {
    const changed = editStatement(confirmStatement(body, 'risk', now), 'risk', 'Denied when asked.')
    expect(toCheck(changed).safety).toBe(1)
  })
})

describe('editing', () => {
  test('an edited statement becomes the therapist’s own words and keeps its link', () => {
    expect(findStatement(editStatement(body, 'one', ' Mine. '), 'one')).toMatchObject({
      text: 'Mine.',
      support: 'clinician_entered',
      origin: 'person',
      evidence,
    })
  })

  test('keeping the same words changes nothing', () => {
    expect(findStatement(editStatement(body, 'one', 'About one.'), 'one')?.support).toBe('paraphrase')
  })

  test('a removed statement comes back to its place, and only once', () => {
    const { body: without, removed } = removeStatement(body, 'one')
    expect(findStatement(without, 'one')).toBeUndefined()
    if (removed === null) throw new Error('nothing was removed')
    const back = restoreStatement(restoreStatement(without, removed), removed)
    expect(back.sections[0]?.statements.map((item) => item.id)).toEqual(['one', 'risk'])
  })

  test('an added sentence stands after the chosen one', () => {
    const after = addStatement(body, 'subjective', 'one', ownStatement('new', 'Tearful, then steadier.'))
    expect(after.sections[0]?.statements.map((item) => item.id)).toEqual(['one', 'new', 'risk'])
    expect(toCheck(after).total).toBe(toCheck(body).total)
  })
})

describe('said, not written', () => {
  test('added, it says who said the quotation, keeps its evidence and counts as looked at', () => {
    const after = addOmission(body, added)
    const made = findStatement(after, 'said-o1')
    expect(made).toMatchObject({ text: 'Client stated: “put me up to seventy-five”.', evidence, support: 'stated', safety: true })
    expect(sectionOf(after, 'said-o1')?.key).toBe('subjective')
    expect(toCheck(after).omission).toBe(0)
    expect(toCheck(after).safety).toBe(1)
  })

  test('undone, it is open again and the quotation is gone', () => {
    expect(reopenOmission(addOmission(body, added), 'o1')).toEqual(body)
  })

  test('goes where the template has a place for it', () => {
    const girp = ['goals', 'intervention', 'response', 'plan'].map((key) => section(key, []))
    expect(fittingSection(girp, 'goal')?.key).toBe('goals')
    expect(fittingSection(girp, 'homework')?.key).toBe('plan')
    expect(fittingSection(girp, 'risk')?.key).toBe('goals')
  })
})

describe('the placeholder of an empty section', () => {
  const placeholder = statement('empty', { text: 'Left to the clinician.', evidence: [] })
  const empty = { sections: [section('plan', [placeholder])], omissions: [{ ...omission, kind: 'homework' as const }] }
  const texts = (edited: typeof empty) => edited.sections[0]?.statements.map(({ text }) => text)
  const typed = addStatement(empty, 'plan', 'empty', ownStatement('own', 'Call her sister.'))

  test('goes with the first statement, typed or added from what was said', () => {
    expect(texts(typed)).toEqual(['Call her sister.'])
    expect(texts(addOmission(empty, added))).toEqual(['Client stated: “put me up to seventy-five”.'])
  })

  test('does not come back when the last statement is removed, as the section’s field says that it is empty', () => {
    const { body: without, removed } = removeStatement(typed, 'own')
    expect(without.sections[0]?.statements).toEqual([])
    expect(texts(restoreStatement(without, removed!))).toEqual(['Call her sister.'])
    expect(removeStatement(empty, 'empty').body.sections[0]?.statements).toEqual([])
  })
})

describe('the text field of a section', () => {
  const typed = typeText(body, 'subjective', 'Slept well.\nCalled her sister.')
  const texts = (edited: typeof body, at = 0) => edited.sections[at]?.statements.map(({ text }) => text)

  test('what is typed follows the drafted statements, whose evidence stays', () => {
    expect(texts(typed)).toEqual(['About one.', 'About risk.', 'Slept well.', 'Called her sister.'])
    expect(typed.sections[0]?.statements.slice(0, 2)).toEqual(body.sections[0]?.statements)
    expect(toCheck(typed)).toEqual(toCheck(body))
  })

  test('spaces and blank lines alone change nothing', () => {
    expect(typeText(typed, 'subjective', 'Slept well. \n\nCalled her sister.\n')).toBe(typed)
    expect(typeText(body, 'objective', ' \n ')).toBe(body)
  })

  test('a statement added from the transcript comes before it, so that it stays in the field', () => {
    expect(texts(addOmission(typed, added))?.slice(2)).toEqual([
      'Client stated: “put me up to seventy-five”.',
      'Slept well.',
      'Called her sister.',
    ])
    expect(texts(addAboveTyped(body, 'plan', ownStatement('x', 'X.')), 3)).toEqual(['About empty.', 'X.'])
  })

  test('statements without a place in the template are moved to the end of another section, or left out with theirs', () => {
    const moved = moveSection(typed, 'subjective', 'plan')
    expect(moved.sections.map(({ key }) => key)).toEqual(['objective', 'assessment', 'plan'])
    expect(texts(moved, 2)).toEqual(['About empty.', 'About one.', 'About risk.', 'Slept well.', 'Called her sister.'])
    expect(dropSection(typed, 'subjective').sections).toEqual(body.sections.slice(1))
  })
})
