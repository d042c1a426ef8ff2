import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Statement } from '#contract/model/note.ts'
import { planOf, toCheck, unconfirmedSafety, withoutPlaceholders } from '#domain/note-review.ts'

const moment = '2026-11-24T14:00:00.000Z'
const quote = { segment_id: 's1', start: 0, end: 4, quote: 'Calm' }

const statement: fc.Arbitrary<Statement> = fc.record({
  id: fc.uuid(),
  text: fc.constantFrom('Calm.', 'Not assessed: sleep.', 'Not stated in session.'),
  evidence: fc.constantFrom([], [quote]),
  support: fc.constantFrom('stated', 'paraphrase', 'clinician_entered'),
  origin: fc.constantFrom('rules', 'model', 'person'),
  finding: fc.constantFrom(null, { topic: 'sleep', state: 'not_assessed' as const }),
  doubt: fc.constantFrom(null, 'number' as const),
  safety: fc.boolean(),
  confirmed_at: fc.constantFrom(null, moment),
}) as fc.Arbitrary<Statement>

test('the app never lets a note be signed that the service refuses', () => {
  fc.assert(
    fc.property(fc.array(statement), (statements) => {
      const note = { sections: [{ key: 'objective', title: 'Objective', statements }], omissions: [] }
      return toCheck(note).total > 0 || unconfirmedSafety(note).length === 0
    }),
  )
  const open = { id: 'a', text: 'A.', evidence: [quote], support: 'stated', origin: 'rules', finding: null } as const
  const note = { sections: [{ key: 'a', title: 'A', statements: [{ ...open, safety: true, confirmed_at: null } as never] }] }
  expect(unconfirmedSafety(note)).toEqual([{ section: 0, statement: 0 }])
})

const written = (text: string, more: Partial<Statement> = {}): Statement => ({
  id: text,
  text,
  evidence: [],
  support: 'paraphrase',
  origin: 'rules',
  finding: null,
  safety: false,
  confirmed_at: null,
  ...more,
})
const section = (key: string, title: string, ...statements: Statement[]) => ({ key, title, statements })

test('a placeholder stands alone in its section or not at all, and a finding or own words are none', () => {
  const kept = [
    written('Not assessed: sleep (not asked).', { finding: { topic: 'sleep', state: 'not_assessed' } }),
    written('Not stated in session.', { origin: 'person', support: 'clinician_entered' }),
  ]
  for (const text of ['Not stated in session.', 'Not stated.', 'Not assessed.', 'Left to the clinician.']) {
    const alone = section('plan', 'Plan', written(text))
    expect(withoutPlaceholders(alone)).toBe(alone)
    expect(withoutPlaceholders(section('plan', 'Plan', written(text), ...kept)).statements).toEqual(kept)
  }
})

test('the plan is what was agreed, in whatever section it is, and never a placeholder', () => {
  const sections = [
    section(
      'evaluation',
      'Evaluation',
      written('Feels calmer.'),
      written('Plan: write a diary.'),
      written('Next appointment: June 2.'),
    ),
    section(
      'what_helps',
      'Safety plan',
      written('Noor calls the crisis line at eight or more.'),
      written('Joss keeps the tablets.'),
    ),
    section('next_steps', 'Next steps', written('Not stated in session.'), written('Call the clinic.')),
    section('aftercare', 'Aftercare', written('Not assessed.', { finding: { topic: 'Aftercare', state: 'not_assessed' } })),
    section('assessment', 'Assessment', written('Left to the clinician.')),
  ]
  expect(planOf({ sections }).map(({ text }) => text)).toEqual([
    'Plan: write a diary.',
    'Next appointment: June 2.',
    'Noor calls the crisis line at eight or more.',
    'Joss keeps the tablets.',
    'Call the clinic.',
  ])
})
