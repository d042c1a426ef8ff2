import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Statement } from '#contract/model/note.ts'
import { toCheck, unconfirmedSafety } from '#domain/note-review.ts'

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
