import { describe, expect, test } from 'vitest'
import { toCheck } from '#domain/note-review.ts'
import type { Statement } from '#contract/model/note.ts'
import { answerFinding, openTopics } from '#renderer/features/session/note/note-items.ts'

const line = (text: string, more: Partial<Statement> = {}): Statement => ({
  id: 'line',
  text,
  evidence: [],
  support: 'paraphrase',
  origin: 'rules',
  finding: { topic: 'Mood', state: 'not_assessed' },
  safety: false,
  confirmed_at: null,
  ...more,
})
const written = 'Not assessed: suicidal thoughts, sleep (not asked); appearance, affect and orientation (words do not show them).'
const bodyOf = (statement: Statement) => ({
  sections: [{ key: 'objective', title: 'Objective', statements: [line('Calm.', { id: 'first', finding: null }), statement] }],
  omissions: [],
})
const fresh = { id: 'new', now: '2026-11-24T14:00:00.000Z' }
const textsOf = (body: ReturnType<typeof bodyOf>) => body.sections[0]?.statements.map((statement) => statement.text)

describe('topics nobody assessed', () => {
  test('each topic of a line is offered on its own', () => {
    expect(openTopics(line(written))).toEqual(['suicidal thoughts', 'sleep', 'appearance', 'affect', 'orientation'])
    expect(openTopics(line('Risk: not assessed.'))).toEqual(['Risk'])
    expect(openTopics(line('Not assessed.'))).toEqual(['Mood'])
  })

  test('no other line is taken apart', () => {
    expect(openTopics(line('Sleep: denied.', { finding: { topic: 'sleep', state: 'denied' } }))).toEqual([])
    expect(openTopics(line('Not stated in session.', { finding: null }))).toEqual([])
    expect(openTopics(line(written, { origin: 'person' }))).toEqual([])
  })

  test('an answer leaves the line and stands before it; the reasons of the others stay', () => {
    const body = answerFinding(
      bodyOf(line(written)),
      'line',
      'affect',
      { state: 'stated', words: 'tearful, then steadier' },
      fresh,
    )
    expect(textsOf(body)).toEqual([
      'Calm.',
      'Affect: tearful, then steadier.',
      'Not assessed: suicidal thoughts, sleep (not asked); appearance, orientation (words do not show them).',
    ])
    expect(body.sections[0]?.statements[1]).toMatchObject({ support: 'clinician_entered', origin: 'person', safety: false })
  })

  test('a denied risk is a safety statement the therapist has looked at by saying it', () => {
    const body = answerFinding(bodyOf(line(written)), 'line', 'suicidal thoughts', { state: 'denied', words: '' }, fresh)
    expect(body.sections[0]?.statements[1]).toMatchObject({
      text: 'Suicidal thoughts: denied.',
      finding: { topic: 'suicidal thoughts', state: 'denied' },
      safety: true,
      confirmed_at: fresh.now,
    })
    expect(toCheck(body).safety).toBe(0)
  })

  test('the line goes with its last topic', () => {
    const body = answerFinding(
      bodyOf(line('Risk: not assessed.')),
      'line',
      'Risk',
      { state: 'not_assessed', words: 'no time left' },
      fresh,
    )
    expect(textsOf(body)).toEqual(['Calm.', 'Risk: not assessed. no time left.'])
    expect(openTopics(body.sections[0]?.statements[1] ?? line(''))).toEqual([])
  })
})
