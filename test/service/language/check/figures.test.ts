import { describe, expect, test } from 'vitest'
import { outcomesOf, talks } from './support/cases.ts'
import type { Outcome } from './support/cases.ts'

interface Figures {
  readonly wrong: number
  readonly caught: number
  readonly right: number
  readonly alarms: number
}

function figuresOf(outcomes: readonly Outcome[]): Figures {
  const wrong = outcomes.filter(({ isRight }) => !isRight)
  const right = outcomes.filter(({ isRight }) => isRight)
  return {
    wrong: wrong.length,
    caught: wrong.filter(({ verdict }) => verdict !== 'keep').length,
    right: right.length,
    alarms: right.filter(({ verdict }) => verdict !== 'keep').length,
  }
}

function show(name: string, { wrong, caught, right, alarms }: Figures): void {
  process.stdout.write(
    `${name}: ${caught} of ${wrong} wrong statements caught (${((caught / wrong) * 100).toFixed(1)} %), ${alarms} of ${right} right ones taken out or marked (${((alarms / right) * 100).toFixed(1)} %)\n`,
  )
}

const sets = [
  ['looked at while the checker was written', 'tuned-'],
  ['written beforehand, looked at after the first count', 'held-'],
  ['written afterwards, looked at after the first count', 'fresh-'],
] as const

describe('wrong statements are caught, right ones are left alone', () => {
  test.each(sets)('%s', (name, prefix) => {
    const figures = figuresOf(talks(prefix).flatMap(outcomesOf))
    show(name, figures)
    expect(figures.caught / figures.wrong).toBeGreaterThanOrEqual(0.99)
    expect(figures.alarms / figures.right).toBeLessThanOrEqual(0.02)
  })

  test('there are at least 200 of each, in at least twelve dialogues', () => {
    const all = sets.flatMap(([, prefix]) => talks(prefix))
    const { wrong, right } = figuresOf(all.flatMap(outcomesOf))
    expect(all.length).toBeGreaterThanOrEqual(12)
    expect(wrong).toBeGreaterThanOrEqual(200)
    expect(right).toBeGreaterThanOrEqual(200)
  })

  test('what is taken out says why in words', () => {
    const reasons = sets
      .flatMap(([, prefix]) => talks(prefix))
      .flatMap(outcomesOf)
      .filter(({ verdict }) => verdict !== 'keep')
    expect(reasons.every(({ reason }) => reason.length > 10 && reason.length <= 200)).toBe(true)
  })
})
