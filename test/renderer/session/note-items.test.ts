import { describe, expect, test } from 'vitest'
import { isAbsence, toCheck } from '#domain/note-review.ts'
import type { Omission, Statement } from '#contract/model/note.ts'
import { neighbour, nextToCheck, pageSections, stretches } from '#renderer/features/session/note/note-items.ts'

const evidence = [{ segment_id: 'a', start_ms: 0, end_ms: 1, quote: 'x', quote_sha256: null }]
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
const omission = (id: string, kind: Omission['kind'], decision: Omission['decision'] = 'open'): Omission => ({
  id,
  kind,
  text: id,
  evidence,
  decision,
})
const notAssessed = (topic: string, text: string) =>
  statement(topic, { text, evidence: [], finding: { topic, state: 'not_assessed' } })
const body = {
  sections: [
    { key: 'subjective', title: 'Subjective', statements: [statement('one'), statement('risk', { safety: true })] },
    { key: 'plan', title: 'Plan', statements: [statement('two')] },
  ],
  omissions: [omission('dose', 'medication'), omission('task', 'homework'), omission('gone', 'goal', 'left_out')],
}
const items = pageSections(body).flatMap((section) => section.items)

describe('the note from top to bottom', () => {
  test('what was said and not written stands in the section where it would go, and only while it is open', () => {
    expect(items.map((item) => item.id)).toEqual(['one', 'risk', 'dose', 'two', 'task'])
  })

  test('the next to check goes round the page and comes back', () => {
    expect(nextToCheck(items, null)?.id).toBe('risk')
    expect(nextToCheck(items, 'risk')?.id).toBe('dose')
    expect(nextToCheck(items, 'task')?.id).toBe('risk')
    expect(nextToCheck([], null)).toBeNull()
  })

  test('the arrows begin at an end and stop at the other', () => {
    expect(neighbour(items, null, 1)?.id).toBe('one')
    expect(neighbour(items, null, -1)?.id).toBe('task')
    expect(neighbour(items, 'task', 1)?.id).toBe('task')
  })
})

describe('what was not assessed', () => {
  test('topics stand side by side, also those of a line that lists several; a signed line stays a line', () => {
    const page = pageSections({
      sections: [
        {
          key: 'objective',
          title: 'Objective',
          statements: [
            notAssessed('mood', 'Mood: not assessed.'),
            notAssessed('sleep', 'Sleep: not assessed.'),
            notAssessed('affect, orientation', 'Not assessed: affect, orientation.'),
            statement('plan'),
          ],
        },
      ],
      omissions: [],
    })
    const kinds = (isSigned: boolean) =>
      stretches(page[0]?.items ?? [], isSigned).map((stretch) => [stretch.kind, stretch.items.length])
    expect(kinds(false)).toEqual([
      ['not_assessed', 3],
      ['items', 1],
    ])
    expect(kinds(true)).toEqual([
      ['not_assessed', 2],
      ['items', 2],
    ])
  })

  test('needs no source, nor does a section nobody spoke about; a bare claim does', () => {
    const absent = statement('plan', { text: 'Not stated in session.', evidence: [] })
    const claim = statement('claim', { text: 'Her insomnia is in partial remission.', evidence: [] })
    expect([notAssessed('mood', 'Mood: not assessed.'), absent, claim].map(isAbsence)).toEqual([true, true, false])
    const note = {
      sections: [{ key: 's', title: 'S', statements: [notAssessed('mood', 'Mood: not assessed.'), absent, claim] }],
      omissions: [],
    }
    expect(toCheck(note)).toEqual({ safety: 0, source: 1, doubt: 0, carried: 0, omission: 0, total: 1 })
  })

  test('what a model writes without a source is never taken for an absence', () => {
    expect(isAbsence(statement('m', { text: 'Risk not stated.', evidence: [], origin: 'model' }))).toBe(false)
  })
})
