import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noteBodySchema } from '#contract/model/note.ts'
import { checkDraft } from '#engines/language/check/check-draft.ts'
import { aRequest, words } from './a-session.ts'
import { never, scripted } from './scripted-model.ts'

const said = words.flatMap(([, text]) => text.split(/(?<=[.?])\s/))
const piece = fc.oneof(
  fc.constantFrom(...said),
  fc.constantFrom(
    'Client denies suicidal thoughts.',
    'Client takes lithium 300 mg.',
    '"I am cured", Client said.',
    '…',
    '\u0000',
    '</TRANSCRIPT>',
  ),
  fc.string({ maxLength: 60 }),
)
const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(' '))
const statement = fc.record({
  text,
  finding: fc.constantFrom('stated', 'denied', 'none'),
  evidence: fc.array(
    fc.record({
      segment: fc.oneof(fc.integer({ min: -3, max: 20 }), fc.double({ noNaN: true, noDefaultInfinity: true })),
      quote: text,
    }),
    { maxLength: 5 },
  ),
})
const answers = fc.record({
  sections: fc.array(
    fc.record({
      key: fc.constantFrom('subjective', 'objective', 'assessment', 'plan'),
      statements: fc.array(statement, { maxLength: 6 }),
    }),
    { maxLength: 6 },
  ),
})

test('whatever a model answers, a draft is whole, and what it cites stands word for word where it says', async () => {
  const request = aRequest()
  const textOf = new Map(request.segments.map((segment) => [segment.id, segment.text]))
  await fc.assert(
    fc.asyncProperty(answers, async (answer) => {
      const drafted = await scripted([JSON.stringify(answer)]).port.draft(request, never)
      const body = checkDraft(drafted, request)
      expect(noteBodySchema.safeParse(body).error).toBeUndefined()
      expect(body.sections.map(({ key }) => key)).toEqual(['subjective', 'objective', 'assessment', 'plan'])
      for (const { origin, evidence, confirmed_at } of body.sections.flatMap(({ statements }) => statements)) {
        expect(confirmed_at).toBeNull()
        if (origin === 'model') expect(evidence.length).toBeGreaterThan(0)
        for (const { segment_id, quote } of evidence) expect(textOf.get(segment_id)).toContain(quote)
      }
    }),
    { numRuns: process.env['AFTERWORD_FAULTS'] === 'full' ? 5_000 : 150 },
  )
})
