import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Fields, isSame, threeWay } from '#core/outbox/three-way.ts'

const names = ['name', 'phone', 'goals', 'insurance']
const value = fc.oneof(
  fc.constantFrom(null, 'a', 'b', 'c'),
  fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
  fc.record({ payer: fc.constantFrom('p', 'q') }),
)
const record: fc.Arbitrary<Fields> = fc.record(Object.fromEntries(names.map((name) => [name, value])))

test('what only one side changed is kept, whichever side it was, and nobody is asked', () => {
  fc.assert(
    fc.property(record, record, fc.subarray(names), (base, changed, here) => {
      const mine = Object.fromEntries(names.map((name) => [name, here.includes(name) ? changed[name] : base[name]]))
      const theirs = Object.fromEntries(names.map((name) => [name, here.includes(name) ? base[name] : changed[name]]))
      const merged = threeWay(names, { base, mine, theirs })
      expect(merged.both).toEqual([])
      expect(merged.record).toEqual(changed)
    }),
  )
})

test('a field changed on both sides is asked about unless both say the same; nothing else is', () => {
  fc.assert(
    fc.property(record, record, record, (base, mine, theirs) => {
      const { both, record: merged } = threeWay(names, { base, mine, theirs })
      for (const name of names) {
        const isAsked = [mine, theirs].every((side) => !isSame(side[name], base[name])) && !isSame(mine[name], theirs[name])
        expect(both.includes(name)).toBe(isAsked)
        // No value from nowhere, and none lost that is not asked about.
        const only = isSame(mine[name], base[name]) ? theirs[name] : mine[name]
        expect(merged[name]).toEqual(isAsked ? mine[name] : only)
      }
    }),
  )
})

test('either side comes to the same, but for what is asked', () => {
  fc.assert(
    fc.property(record, record, record, (base, mine, theirs) => {
      const here = threeWay(names, { base, mine, theirs })
      const there = threeWay(names, { base, mine: theirs, theirs: mine })
      expect(here.both).toEqual(there.both)
      for (const name of names) if (!here.both.includes(name)) expect(here.record[name]).toEqual(there.record[name])
    }),
  )
})

test('merged once more with the same, nothing changes', () => {
  fc.assert(
    fc.property(record, record, record, (base, mine, theirs) => {
      const once = threeWay(names, { base, mine, theirs })
      const agreed = Object.fromEntries(names.map((name) => [name, once.both.includes(name) ? base[name] : theirs[name]]))
      const twice = threeWay(names, { base: agreed, mine: once.record, theirs })
      expect(twice.record).toEqual(once.record)
      expect(twice.both).toEqual(once.both)
      expect(twice.kept).toEqual(once.kept)
    }),
  )
})

test('what was sent from here and went on being changed is not taken for somebody else’s', () => {
  fc.assert(
    fc.property(record, record, record, (base, sent, mine) => {
      expect(threeWay(names, { base, mine, theirs: sent, sent: [sent] }).both).toEqual([])
      expect(threeWay(names, { base, mine, theirs: sent, sent: [sent] }).record).toEqual(mine)
    }),
  )
})
