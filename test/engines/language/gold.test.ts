import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { NoteBody } from '#contract/model/note.ts'
import { rulesLanguage } from '#engines/language/rules/engine.ts'
import { dialoguesIn, requestOf } from './support/dialogue.ts'

interface Gold {
  readonly gold: {
    readonly key_facts: readonly {
      readonly id: string
      readonly importance: 'must' | 'should'
      readonly any: readonly string[]
    }[]
    readonly denied: readonly { readonly finding: string; readonly any: readonly string[] }[]
    readonly not_assessed: readonly (string | { readonly finding: string; readonly any: readonly string[] })[]
    readonly forbidden: readonly { readonly why: string; readonly any: readonly string[] }[]
    readonly noise_turns: readonly number[]
    readonly risk: { readonly must_mention?: readonly string[] }
  }
}

const shared = path.join(
  process.env['AFTERWORD_TEST_DATA'] ?? path.join(import.meta.dirname, '../../../../shared'),
  'dialogues/therapy',
)
const folder = existsSync(shared) ? shared : path.join(import.meta.dirname, '../../fixtures/therapy')
const dialogues = [
  ...dialoguesIn<Gold>(folder),
  ...dialoguesIn<Gold>(path.join(import.meta.dirname, '../../fixtures/therapy-own')),
]

function linesOf(note: NoteBody): string[] {
  const texts = note.sections.flatMap((section) => section.statements.map((statement) => statement.text))
  return [...texts, ...texts.flatMap((text) => text.split(/(?<=[.?!])\s+/))]
}

function hits(patterns: readonly string[], lines: readonly string[]): string[] {
  return lines.filter((line) => patterns.some((pattern) => new RegExp(pattern, 'i').test(line)))
}

describe.each(dialogues.map((dialogue) => [dialogue.id, dialogue] as const))('%s', (_id, dialogue) => {
  test.each([
    ['soap', null],
    ['dap', null],
    ['soap', 'they/them'],
  ] as const)('%s (pronouns %s) holds what must be in a note and nothing that must not', async (template, pronouns) => {
    const speakers = dialogue.speakers.map((speaker) =>
      pronouns && speaker.role === 'client' ? { ...speaker, pronouns } : speaker,
    )
    const note = await rulesLanguage().draft(requestOf({ ...dialogue, speakers }, template), new AbortController().signal)
    const lines = linesOf(note)
    const omitted = note.omissions.map((omission) => omission.text)
    const musts = dialogue.gold.key_facts.filter((fact) => fact.importance === 'must')
    const lost = musts.filter((fact) => hits(fact.any, [...lines, ...omitted]).length === 0)
    const drafted = musts.filter((fact) => hits(fact.any, lines).length > 0)
    expect(lost.map((fact) => fact.id)).toEqual([])
    expect(drafted.length / musts.length).toBeGreaterThanOrEqual(0.75)
    expect(dialogue.gold.forbidden.flatMap((each) => hits(each.any, lines).map((line) => `${each.why}: ${line}`))).toEqual([])
    expect(
      dialogue.gold.denied.filter((each) => hits(each.any, [...lines, ...omitted]).length === 0).map((each) => each.finding),
    ).toEqual([])
    expect((dialogue.gold.risk.must_mention ?? []).filter((pattern) => hits([pattern], lines).length === 0)).toEqual([])
  })

  test('no statement cites arriving or leaving', async () => {
    const note = await rulesLanguage().draft(requestOf(dialogue, 'soap'), new AbortController().signal)
    const cited = note.sections.flatMap((section) =>
      section.statements.flatMap((statement) =>
        statement.evidence.map((each) => Number(each.segment_id.slice('segment-'.length))),
      ),
    )
    expect(cited.filter((turn) => dialogue.gold.noise_turns.includes(turn))).toEqual([])
  })

  test('nothing that nobody asked about is asserted', async () => {
    const note = await rulesLanguage().draft(requestOf(dialogue, 'soap'), new AbortController().signal)
    const asserted = linesOf(note).filter((line) => !/not assessed/i.test(line))
    const patterns = dialogue.gold.not_assessed.flatMap((each) => (typeof each === 'string' ? [`\\b${each}\\b`] : each.any))
    expect(hits(patterns, asserted)).toEqual([])
  })

  test('every denial rests on a question and an answer', async () => {
    const note = await rulesLanguage().draft(requestOf(dialogue, 'soap'), new AbortController().signal)
    for (const statement of note.sections
      .flatMap((section) => section.statements)
      .filter((each) => each.finding?.state === 'denied')) {
      const [question, answer] = statement.evidence
      const roles = [question, answer].map((each) => {
        const turn = dialogue.turns[Number(each?.segment_id.slice('segment-'.length))]
        return dialogue.speakers.find((speaker) => speaker.id === turn?.speaker_id)?.role
      })
      expect(roles).toEqual(['therapist', 'client'])
    }
  })
})
