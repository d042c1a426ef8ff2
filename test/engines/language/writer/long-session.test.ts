import { describe, expect, test } from 'vitest'
import type { Question, TextModel } from '#engines/language/port.ts'
import { modelLanguage } from '#engines/language/writer/model-language.ts'
import { aRequest, answer, goodAnswer, words } from './a-session.ts'
import { never, scripted, textsOf } from './scripted-model.ts'

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
      message: `Read 100% of the session in ${parts.length} passes.`,
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
      /^Read \d\d% of the session in \d+ passes\. .*\(\d\d:\d\d to \d\d:\d\d\)\. Read that part yourself\.$/,
    )
  })
  test('a part the model finds nothing in is told, with where it is', async () => {
    const { port } = scripted([(question) => (numbersIn(question.prompt)[0] === 1 ? answer({}) : one(question))], 4096)
    const { checks } = await port.draft(aRequest({}, long), never)
    expect(checks.find(({ code }) => code === 'coverage-silent')).toMatchObject({
      severity: 'needs_you',
      message: expect.stringMatching(/^The AI model found nothing to write in 00:00 to \d\d:\d\d[.,]/),
    })
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
    expect(body.checks.find(({ code }) => code === 'coverage')!.message).toMatch(/^Read 100% of the session in [78] passes/)
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
