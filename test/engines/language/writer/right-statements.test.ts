import { expect, test } from 'vitest'
import { sift } from '#engines/language/writer/candidates.ts'
import { sourceOf } from '#engines/language/writer/source.ts'
import { talks } from '../check/support/cases.ts'

test('of the right statements the checker is measured on, a model’s sieve throws out hardly one', () => {
  const lost: string[] = []
  let count = 0
  for (const { source, cases } of [...talks('tuned-'), ...talks('held-')]) {
    const session = sourceOf({ ...source, template: 'soap', session: null })
    for (const { isRight, text, turns, finding } of cases) {
      if (!isRight) continue
      count += 1
      const evidence = turns.map((turn) => ({ segment: turn + 1, quote: source.segments[turn]!.text }))
      const statement = { text, finding: finding?.state === 'denied' ? ('denied' as const) : ('none' as const), evidence }
      const { unsupported } = sift({ sections: [{ key: 'subjective', statements: [statement] }] }, session, new Map())
      lost.push(...unsupported.map(({ reason }) => `${reason}: ${text}`))
    }
  }
  expect(count).toBeGreaterThan(200)
  expect(lost.length, lost.join('\n')).toBeLessThanOrEqual(count * 0.02)
})
