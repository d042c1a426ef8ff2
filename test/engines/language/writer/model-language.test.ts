import { describe, expect, test } from 'vitest'
import { AppError } from '#contract/errors.ts'
import type { NoteBody } from '#contract/model/note.ts'
import { checkDraft } from '#engines/language/check/check-draft.ts'
import { aRequest, answer, goodAnswer } from './a-session.ts'
import { never, scripted, textsOf } from './scripted-model.ts'

/** As a draft is stored: the model's answer sifted, then checked as every draft is. */
async function drafted(text: string): Promise<NoteBody> {
  const request = aRequest()
  return checkDraft(await scripted([text]).port.draft(request, never), request)
}
describe('a statement nothing said bears out is not in the note', () => {
  test.each<[string, string, readonly (readonly [number, string])[]]>([
    ['an invented quotation', 'Client feels hopeless.', [[2, 'I feel hopeless all the time']]],
    ['a quotation of another turn, too short to look for elsewhere', 'Client drinks wine.', [[2, 'wine']]],
    ['a number nobody said', 'Client sleeps five hours a night.', [[2, 'maybe three hours a night']]],
    ['a medicine nobody named', 'Client takes fluoxetine every morning.', [[6, 'fifty milligrams every morning']]],
    ['a diagnosis', 'Client has insomnia disorder.', [[2, 'I slept badly']]],
    ['what only eyes see', 'Client slept badly and appeared with flat affect.', [[2, 'I slept badly']]],
    ['a risk nobody spoke of there', 'Client slept badly because of suicidal thoughts.', [[2, 'I slept badly']]],
    ['a denial nobody made', 'Client denies drinking.', [[4, 'Two glasses of wine on Fridays']]],
    ['words that have nothing to do with their source', 'Client quarrelled with his landlord.', [[11, 'That helped']]],
    ['words put into a mouth', 'Client said "I want to stop drinking" about the wine.', [[4, 'Two glasses of wine on Fridays']]],
    [
      'what somebody told the writer of the note',
      'Client is completely cured and needs no more sessions.',
      [[9, 'I am completely cured and need no more sessions']],
    ],
    ['nothing at all', 'Client is doing well.', []],
  ])('%s', async (_, text, evidence) => {
    const body = await drafted(answer({ subjective: [{ text, evidence }] }))
    expect(textsOf(body)).toEqual([])
    expect(body.unsupported).toEqual([{ text, reason: expect.stringMatching(/\w/) }])
  })
})

describe('evidence', () => {
  const only = async (evidence: readonly (readonly [number, string])[], text = 'Client slept badly, three hours a night.') => {
    const body = await drafted(answer({ subjective: [{ text, evidence }] }))
    return body.sections[0]!.statements.find(({ origin }) => origin === 'model')?.evidence
  }
  test('is cut from what was said, whatever case and punctuation the model gave it', async () => {
    expect(await only([[2, 'i slept badly - MAYBE three hours']])).toMatchObject([
      { segment_id: 's2', quote: 'I slept badly, maybe three hours' },
    ])
  })
  test('under a wrong number is found in the nearest turn that has it', async () => {
    expect(await only([[5, 'maybe three hours a night']])).toMatchObject([{ segment_id: 's2' }])
    expect(await only([[4000, 'maybe three hours a night']])).toBeUndefined()
  })
  test('with something left out stands as the pieces that were said', async () => {
    expect(await only([[2, 'I slept badly ... three hours a night']])).toMatchObject([
      { quote: 'I slept badly' },
      { quote: 'three hours a night' },
    ])
  })
  test('is kept once', async () => {
    expect(
      await only([
        [2, 'I slept badly'],
        [2, 'I slept badly.'],
      ]),
    ).toHaveLength(1)
  })
})

describe('what is not the model’s to say', () => {
  test('marks of safety and findings are worked out from the words', async () => {
    const body = await drafted(
      answer({
        subjective: [
          {
            text: 'Client takes sertraline, fifty milligrams every morning.',
            finding: 'none',
            evidence: [[6, 'fifty milligrams every morning']],
          },
          { text: 'Client slept badly.', finding: 'denied', evidence: [[2, 'I slept badly']] },
          { text: 'Client said never to thoughts of suicide.', finding: 'stated', evidence: [[8, 'No, never']] },
        ],
      }),
    )
    const [medicine, risk] = body.sections[0]!.statements
    expect(medicine).toMatchObject({ safety: true, finding: null })
    expect(risk).toMatchObject({ text: 'Client said never to thoughts of suicide.', safety: true, finding: null })
    expect(body.unsupported).toMatchObject([{ text: 'Client slept badly.' }])
  })
  test('fields it adds, sections it makes up and marks it sets are not taken', async () => {
    const told = JSON.parse(goodAnswer) as { sections: { key: string; title?: string; statements: object[] }[] }
    told.sections[0]!.title = 'Verdict'
    told.sections[0]!.statements = told.sections[0]!.statements.map((each) => ({
      ...each,
      id: 'chosen',
      safety: false,
      confirmed_at: '2026-01-01T00:00:00Z',
      origin: 'person',
      support: 'clinician_entered',
    }))
    const body = await drafted(JSON.stringify(told))
    expect(body.sections.map(({ key, title }) => [key, title])).toEqual([
      ['subjective', 'Subjective'],
      ['objective', 'Objective'],
      ['assessment', 'Assessment'],
      ['plan', 'Plan'],
    ])
    for (const statement of body.sections[0]!.statements) {
      expect(statement).toMatchObject({ origin: 'model', confirmed_at: null, support: 'paraphrase' })
      expect(statement.id).not.toBe('chosen')
    }
    expect(body.sections[0]!.statements.filter(({ safety }) => safety)).toHaveLength(2)
  })
  test('what nobody spoke of is "not assessed", and an empty section says so', async () => {
    const body = await drafted(goodAnswer)
    const objective = body.sections[1]!.statements
    expect(objective.at(-1)).toMatchObject({ origin: 'rules', finding: { state: 'not_assessed' }, evidence: [] })
    expect(objective.at(-1)!.text).toContain('appetite')
    expect(objective.at(-1)!.text).not.toContain('sleep')
    expect(body.sections[2]!.statements).toMatchObject([{ text: 'Not stated in session.', origin: 'rules' }])
  })
  test('words spoken to the writer are shown as such', async () => {
    expect((await drafted(goodAnswer)).checks.map(({ code }) => code)).toContain('words-to-the-writer')
  })
})

test('where nobody but the therapist spoke no model is asked', async () => {
  const { port, asked } = scripted([goodAnswer])
  await expect(port.draft(aRequest({}, [['T', 'Hello?']]), never)).rejects.toEqual(
    expect.objectContaining({ code: 'nothing-said' }),
  )
  expect(asked).toEqual([])
})

test('several clients are shown by number and stand in the note by name', async () => {
  const couple = aRequest({
    speakers: [
      { id: 'T', label: 'Dr. Weiss', role: 'therapist' },
      { id: 'C', label: 'Ana', role: 'client' },
      { id: 'B', label: 'Ben', role: 'client' },
    ],
  })
  const said = scripted([
    answer({ subjective: [{ text: 'Client 1 sleeps three hours a night.', evidence: [[2, 'maybe three hours a night']] }] }),
  ])
  const body = await said.port.draft(couple, never)
  expect(said.asked[0]!.prompt).toContain('[2] Client 1: I slept badly')
  expect(textsOf(body)).toEqual(['Ana sleeps three hours a night.'])
})

test('every template has its own sections in the form that is asked for', async () => {
  for (const template of ['dap', 'birp', 'girp', 'intake'] as const) {
    const { port, asked } = scripted([answer({})])
    const body = await port.draft(aRequest({ template }), never)
    const keys = body.sections.map(({ key }) => key).filter((key) => key !== 'diagnosis' && key !== 'mental_state')
    for (const key of keys) expect(asked[0]!.instructions).toContain(`- ${key}: `)
    expect(asked[0]!.instructions).not.toContain('- diagnosis: ')
  }
})

test('a draft in which nothing the model wrote stands says so', async () => {
  expect((await drafted(answer({}))).checks).toContainEqual(
    expect.objectContaining({ code: 'nothing-written', severity: 'needs_you' }),
  )
})

test('stopped before it begins, nothing is asked', async () => {
  const { port, asked } = scripted([goodAnswer])
  const stopped = AbortSignal.abort(new AppError('cancelled'))
  await expect(port.draft(aRequest(), stopped)).rejects.toEqual(expect.objectContaining({ code: 'cancelled' }))
  expect(asked).toEqual([])
})
