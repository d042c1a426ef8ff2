import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { findProgram, testData } from '#test/support/machine.ts'
import { rouge } from './rouge.ts'
import type { Rouge } from './rouge.ts'

const therapy = path.join(import.meta.dirname, '../fixtures/therapy')
/** What the reference scorer gives for each note in DAP against the same note in SOAP. */
const known = JSON.parse(readFileSync(path.join(import.meta.dirname, 'fixtures/rouge.json'), 'utf8')) as (Rouge & {
  note: string
})[]

function pairOf(note: string): [string, string] {
  const read = (template: string): string => readFileSync(path.join(therapy, `${note}.${template}.md`), 'utf8')
  return [read('dap'), read('soap')]
}

test.each(known)('$note scores as the reference scorer scores it', ({ note, r1, r2, rLsum }) => {
  const score = rouge(...pairOf(note))
  expect(score.r1).toBeCloseTo(r1, 5)
  expect(score.r2).toBeCloseTo(r2, 5)
  expect(score.rLsum).toBeCloseTo(rLsum, 5)
})

test('texts without a word in common, and empty ones, score nothing', () => {
  for (const [one, other] of [
    ['', ''],
    ['alpha beta', 'gamma delta'],
    ['', 'gamma'],
    ['...', '?'],
  ] as const)
    expect(rouge(one, other)).toEqual({ r1: 0, r2: 0, rLsum: 0 })
})

const words = 'the patient reports no pain and takes two tablets a day since may it is better now'.split(' ')

/** Texts with many ties, for the order in which a common subsequence is walked back. */
function textFrom(seed: number): string {
  let state = seed
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  const lines = Array.from({ length: 1 + next(5) }, () =>
    Array.from({ length: next(14) }, () => words[next(words.length)]).join(' '),
  )
  return lines.join('\n')
}

const program = findProgram('python3')
const scorer = testData('dialogues', 'rouge.py')

test.skipIf(program === null || !existsSync(scorer))('random texts score as the reference scorer beside us scores them', () => {
  const pairs = Array.from({ length: 60 }, (_, at) => [textFrom(at * 2 + 1), textFrom(at * 2 + 2)] as const)
  const script =
    'import json, sys; sys.dont_write_bytecode = True; sys.path.insert(0, sys.argv[1]); import rouge; print(json.dumps([rouge.score(*pair) for pair in json.load(sys.stdin)]))'
  const output = execFileSync(program ?? 'python3', ['-c', script, path.dirname(scorer)], {
    input: JSON.stringify(pairs),
    encoding: 'utf8',
  })
  const theirs = JSON.parse(output) as [number, number, number][]
  const ours = pairs.map(([one, other]) => rouge(one, other)).map((score) => [score.r1, score.r2, score.rLsum])
  ours.forEach((score, at) => score.forEach((figure, column) => expect(figure).toBeCloseTo(theirs[at]?.[column] ?? -1, 6)))
})
