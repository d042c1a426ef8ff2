import { describe, expect, test } from 'vitest'
import { AppError } from '#contract/errors.ts'
import type { NoteBody } from '#contract/model/note.ts'
import type { Question, TextModel, Told } from '#service/language/writer/text-model.ts'
import { modelLanguage } from '#service/language/writer/model-language.ts'
import { aRequest, answer, goodAnswer, words } from './a-session.ts'

const never = new AbortController().signal

/** A model that answers by script, and shows what it was asked. */
function scripted(answers: readonly (string | Partial<Told> | ((question: Question) => string))[], context_tokens = 16_384) {
  const asked: Question[] = []
  const model: TextModel = {
    engine: { name: 'test', version: '1', model: 'scripted' },
    context_tokens,
    tell: async (question) => {
      const next = answers[Math.min(asked.push(question) - 1, answers.length - 1)]!
      const told = typeof next === 'function' ? next(question) : next
      return typeof told === 'string'
        ? { kind: 'text', text: told, is_cut: false, read_tokens: null }
        : ({ kind: 'text', text: '', is_cut: false, read_tokens: null, ...told } as Told)
    },
  }
  return { port: modelLanguage(model), asked }
}

async function drafted(text: string): Promise<NoteBody> {
  return scripted([text]).port.draft(aRequest(), never)
}
const textsOf = (body: NoteBody) =>
  body.sections.flatMap(({ statements }) => statements.filter(({ origin }) => origin === 'model').map(({ text }) => text))

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
    expect(body.unsupported).toEqual([{ text, reason: expect.stringMatching(/\.$/) }])
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

describe('a long session', () => {
  const long = Array.from({ length: 30 }, (_, round) =>
    words.map(([who, text]): readonly ['T' | 'C', string] => [who, `${text} That was round ${round + 1} of it.`]),
  ).flat()
  const numbersIn = (prompt: string): number[] => [...prompt.matchAll(/^\[(\d+)\]/gm)].map((match) => Number(match[1]))
  /** Says one thing about the first turn of the client it is shown. */
  const one = ({ prompt }: Question): string => {
    if (prompt.includes('STATEMENTS-')) return '{"sections":[{"key":"plan","statements":[2,1]}]}'
    const line = /^\[(\d+)\] Client: (I slept badly.*?round (\d+) of it)/m.exec(prompt)
    if (line === null) return answer({})
    return answer({
      subjective: [{ text: `Client slept badly in round ${line?.[3]}.`, evidence: [[Number(line?.[1]), line?.[2] ?? '']] }],
    })
  }

  test('is read in parts that together are all of it, and no question is parted from its answer', async () => {
    const { port, asked } = scripted([one], 4096)
    const body = await port.draft(aRequest({}, long), never)
    const parts = asked.filter(({ prompt }) => prompt.includes('TRANSCRIPT-'))
    expect(parts.length).toBeGreaterThan(2)
    expect(parts.flatMap(({ prompt }) => numbersIn(prompt))).toEqual(long.map((_, index) => index + 1))
    for (const { prompt } of parts) expect(prompt.split('\n').at(-2)).toMatch(/^\[\d+\] Client:/)
    expect(body.checks).toContainEqual({
      code: 'coverage',
      severity: 'info',
      message: `Read 100 % of the session in ${parts.length} passes.`,
    })
  })
  test('is put in order at the end by number, so that nothing can be added there', async () => {
    const { port, asked } = scripted([one], 4096)
    const body = await port.draft(aRequest({}, long), never)
    expect(asked.at(-1)!.prompt).toContain('[1] (subjective) Client slept badly in round')
    expect(body.sections.find(({ key }) => key === 'plan')!.statements.map(({ text }) => text)).toEqual([
      expect.stringContaining('slept badly in round'),
      'Client slept badly in round 1.',
    ])
  })
  test('what concerns safety is kept though the order leaves it out', async () => {
    const risky = ({ prompt }: Question): string => {
      if (prompt.includes('STATEMENTS-')) return '{"sections":[{"key":"subjective","statements":[1]}]}'
      const line = /^\[(\d+)\] Client: (Yes, fifty milligrams every morning.*?round (\d+) of it)/m.exec(prompt)
      return answer({
        subjective: [
          { text: `Client takes fifty milligrams in round ${line?.[3]}.`, evidence: [[Number(line?.[1]), line?.[2] ?? '']] },
        ],
      })
    }
    const { port, asked } = scripted([risky], 4096)
    const body = await port.draft(aRequest({}, long), never)
    expect(textsOf(body)).toHaveLength(asked.length - 1)
  })
  test('a part without a usable answer is told, with where it is', async () => {
    let part = 0
    const { port } = scripted(
      [
        (question) => {
          const isSecond = question.prompt.includes('TRANSCRIPT-') && numbersIn(question.prompt)[0] !== 1 && part < 2
          if (isSecond) part += 1
          return isSecond ? 'no' : one(question)
        },
      ],
      4096,
    )
    const { checks } = await port.draft(aRequest({}, long), never)
    const coverage = checks.find(({ code }) => code === 'coverage')!
    expect(coverage).toMatchObject({ severity: 'needs_you' })
    expect(coverage.message).toMatch(
      /^Read \d\d % of the session in \d+ passes\. .*\(\d\d:\d\d to \d\d:\d\d\)\. Read that part yourself\.$/,
    )
  })
  test('a part the model has no room for is halved until it fits', async () => {
    const cut: TextModel = {
      engine: { name: 'test', version: '1', model: 'small' },
      context_tokens: 60_000,
      tell: async (question) =>
        numbersIn(question.prompt).length > 60
          ? { kind: 'too-long' }
          : { kind: 'text', text: one(question), is_cut: false, read_tokens: null },
    }
    const body = await modelLanguage(cut).draft(aRequest({}, long), never)
    expect(body.checks.find(({ code }) => code === 'coverage')!.message).toMatch(/^Read 100 % of the session in [78] passes/)
  })
  test('a model that counted far less than it was sent is not believed to have read it all', async () => {
    const { port } = scripted([{ text: goodAnswer, read_tokens: 90 }])
    const { checks } = await port.draft(aRequest({}, long.slice(0, 120)), never)
    expect(checks.find(({ code }) => code === 'coverage-doubtful')).toMatchObject({ severity: 'needs_you' })
  })
  test('a single turn longer than a part is read in pieces under its own number', async () => {
    const speech = Array.from({ length: 900 }, (_, index) => `I slept badly ${index}.`).join(' ')
    const { port, asked } = scripted([goodAnswer], 4096)
    await port.draft(
      aRequest({}, [
        ['T', 'How was it?'],
        ['C', speech],
      ]),
      never,
    )
    const pieces = asked.filter(({ prompt }) => prompt.includes('TRANSCRIPT-'))
    const said = pieces.flatMap(({ prompt }) => [...prompt.matchAll(/^\[2\] Client: (.*)$/gm)].map((match) => match[1]))
    expect(said.length).toBeGreaterThan(2)
    expect(said.join(' ')).toBe(speech)
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

test('stopped before it begins, nothing is asked', async () => {
  const { port, asked } = scripted([goodAnswer])
  const stopped = AbortSignal.abort(new AppError('cancelled'))
  await expect(port.draft(aRequest(), stopped)).rejects.toEqual(expect.objectContaining({ code: 'cancelled' }))
  expect(asked).toEqual([])
})

describe('a group', () => {
  const speakers = [
    { id: 'T', label: 'Dr. Weiss', role: 'therapist' },
    { id: 'C', label: 'Ana', role: 'client' },
    { id: 'B', label: 'Ben', role: 'client' },
  ] as const
  const session = [
    ['T', 'How was the week for each of you?'],
    ['C', 'I slept badly, maybe three hours a night.'],
    ['B', 'My landlord threw me out on Tuesday.'],
    ['C', 'Ben told me about it. I felt sad all evening.'],
    ['T', 'Thank you both. Please keep a sleep diary.'],
  ] as const
  const request = aRequest({ template: 'group', speakers: [...speakers] }, session as never)

  test('a model is shown what leaders and this member said, and no one else’s words or names', async () => {
    const { port, asked } = scripted([answer({})])
    const { checks } = await port.draft(request, never)
    expect(asked[0]!.prompt).toContain('[2] Client 1: I slept badly')
    expect(asked[0]!.prompt).toContain('I felt sad all evening')
    expect(asked[0]!.prompt).not.toMatch(/landlord|Ben/)
    expect(checks.find(({ code }) => code === 'coverage')!.message).toContain('what the leaders and this client said')
  })
  test('and gets none of them into the note, as a statement or as a thing left out', async () => {
    const said = answer({
      member: [
        { text: 'Client 1 sleeps three hours a night.', evidence: [[2, 'maybe three hours a night']] },
        { text: 'The landlord threw somebody out on Tuesday.', evidence: [[3, 'My landlord threw me out on Tuesday']] },
        { text: 'Ben told about his landlord.', evidence: [[4, 'I felt sad all evening']] },
      ],
    })
    const body = await scripted([said]).port.draft(request, never)
    expect(textsOf(body)).toEqual(['Ana sleeps three hours a night.'])
    expect(JSON.stringify(body)).not.toMatch(/Ben\b/)
    expect(JSON.stringify(body.sections)).not.toContain('landlord')
  })
})
