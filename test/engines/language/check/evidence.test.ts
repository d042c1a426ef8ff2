import { describe, expect, test } from 'vitest'
import type { Evidence, NoteBody, Statement } from '#contract/model/note.ts'
import { noteBodySchema } from '#contract/model/note.ts'
import { checkDraft } from '#engines/language/check/check-draft.ts'
import type { CheckSource } from '#engines/language/check/types.ts'
import { noteWith, statementOf } from './support/cases.ts'

const source: CheckSource = {
  speakers: [
    { id: 'T', role: 'therapist', label: 'Therapist' },
    { id: 'C', role: 'client', label: 'Ada' },
  ],
  segments: [
    'T: How are the nights?',
    'C: I wake at three, and I can’t get back off. My neighbour Olga hears me pacing.',
    'T: Any thoughts of harming yourself?',
    'C: No.',
    'T: Are you still on the sertraline?',
    'C: Fifty milligrams, every morning.',
  ].map((line, at) => ({
    id: `s${at}`,
    speaker_id: line.charAt(0),
    start_ms: at * 5000,
    end_ms: at * 5000 + 4000,
    text: line.slice(3),
    confidence: null,
    edited: false,
  })),
  client: { id: '018f7f5e-0000-7000-8000-000000000002', display_name: 'Ada Brook', given_name: 'Ada', pronouns: 'she/her' },
  session: null,
}

function statement(text: string, turns: number[], more: Partial<Statement> = {}): Statement {
  return { ...statementOf(source, { text, turns, finding: null }), ...more }
}

function cite(quote: string, more: Partial<Evidence> = {}): Evidence {
  return { segment_id: 's1', start_ms: 5000, end_ms: 9000, quote, quote_sha256: null, ...more }
}

function checked(...statements: Statement[]): NoteBody {
  return checkDraft(noteWith(statements), source)
}

function evidenceOf(evidence: Evidence[]): Evidence[] | undefined {
  return checked(statement('She wakes at three.', [], { evidence })).sections[0]?.statements[0]?.evidence
}

describe('evidence', () => {
  test('stands as it is where it is word for word and within the segment', () => {
    const given = cite('I wake at three', { start_ms: 5200, end_ms: 6000 })
    expect(evidenceOf([given])).toEqual([given])
  })

  test('with other capitals, stops or apostrophes becomes the raw words', () => {
    expect(evidenceOf([cite("i wake at three and I can't get back off")])?.[0]?.quote).toBe(
      'I wake at three, and I can’t get back off',
    )
  })

  test('under the wrong segment goes to the one that holds it', () => {
    expect(evidenceOf([cite('I wake at three', { segment_id: 's3' })])?.[0]).toMatchObject({
      segment_id: 's1',
      start_ms: 5000,
      end_ms: 9000,
    })
    expect(evidenceOf([cite('I wake at three', { segment_id: 'nowhere' })])?.[0]?.segment_id).toBe('s1')
  })

  test('with times outside the segment takes the segment’s', () => {
    expect(evidenceOf([cite('I wake at three', { start_ms: 90_000, end_ms: 91_000 })])?.[0]).toMatchObject({
      start_ms: 5000,
      end_ms: 9000,
    })
  })

  test('that nobody said is dropped, and its statement with it', () => {
    const note = checked(statement('She wakes at three.', [], { evidence: [cite('I sleep like a log')] }))
    expect(note.sections[0]?.statements).toEqual([])
    expect(note.unsupported).toEqual([{ text: 'She wakes at three.', reason: 'it cites nothing that was said in the session' }])
  })

  test('that is missing is found where the statement quotes one place', () => {
    const [kept] = checked(statement('Ada said "My neighbour Olga hears me pacing".', [])).sections[0]?.statements ?? []
    expect(kept?.evidence).toMatchObject([{ segment_id: 's1', quote: 'My neighbour Olga hears me pacing' }])
  })
})

describe('what the check leaves alone and what it adds', () => {
  test('a sentence by the person is never taken out or marked', () => {
    const own = statement('She sleeps ten hours and takes lithium.', [1], { origin: 'person', support: 'clinician_entered' })
    const note = checked(own)
    expect(note.sections[0]?.statements).toEqual([{ ...own, safety: true }])
    expect(note.unsupported).toEqual([])
  })

  test('"not assessed" and "not stated" need no source', () => {
    const line = statement('Appetite: not assessed.', [], {
      origin: 'rules',
      finding: { topic: 'Appetite', state: 'not_assessed' },
    })
    expect(checked(line).sections[0]?.statements).toEqual([line])
  })

  test.each([
    ['Denies thoughts of harming herself.', [2, 3]],
    ['Takes sertraline 50 mg every morning.', [4, 5]],
  ])('"%s" needs a click whatever the writer thought', (text, turns) => {
    expect(checked(statement(text, turns)).sections[0]?.statements[0]?.safety).toBe(true)
  })

  test('what was taken out and what is doubtful is told in the checks', () => {
    const note = checked(statement('She wakes at five.', [1]), statement('Her neighbour Olga plays the trumpet.', [1]))
    expect(note.checks.map(({ code }) => code)).toEqual(expect.arrayContaining(['left-out-by-check']))
    expect(note.unsupported[0]?.text).toBe('She wakes at five.')
  })

  test('the result is a note of the contract, the same every time and with the keys in any order', () => {
    const draft = noteWith([statement('She wakes at three.', [1]), statement('She wakes at nine.', [1])])
    const once = checkDraft(draft, source)
    expect(noteBodySchema.safeParse({ ...once, session_id: null, client_id: null }).success).toBe(true)
    expect(JSON.stringify(checkDraft(draft, source))).toBe(JSON.stringify(once))
    const shuffled = {
      ...source,
      segments: source.segments.map((segment) => Object.fromEntries(Object.entries(segment).toReversed()) as typeof segment),
    }
    expect(JSON.stringify(checkDraft(draft, shuffled))).toBe(JSON.stringify(once))
  })

  test('a second check changes nothing', () => {
    const once = checked(statement('She wakes at three.', [1]), statement('She wakes at nine.', [1]))
    const twice = checkDraft(once, source)
    expect(twice.sections).toEqual(once.sections)
    expect(twice.omissions).toEqual(once.omissions)
    expect(twice.unsupported).toEqual(once.unsupported)
  })
})

describe('said and not written', () => {
  test('risk and medication that no statement cites are listed once, with who said them', () => {
    const talk: CheckSource = {
      ...source,
      segments: [
        ...source.segments,
        ...['C: Sometimes I think everyone would be better off without me.', 'C: I want to get back to swimming on Sundays.'].map(
          (line, at) => ({
            id: `x${at}`,
            speaker_id: 'C',
            start_ms: 60_000 + at * 5000,
            end_ms: 64_000 + at * 5000,
            text: line.slice(3),
            confidence: null,
            edited: false,
          }),
        ),
      ],
    }
    const note = checkDraft(noteWith([statement('She wakes at three.', [1])]), talk)
    expect(note.omissions.map(({ kind }) => kind)).toEqual(['medication', 'risk', 'goal'])
    expect(note.omissions[1]?.text).toBe('Ada said "Sometimes I think everyone would be better off without me."')
    expect(checkDraft(note, talk).omissions).toEqual(note.omissions)
  })

  test('what a statement cites, and what a therapist asks, is no omission', () => {
    expect(checked(statement('Takes sertraline 50 mg every morning.', [4, 5])).omissions).toEqual([])
  })
})

test('a statement that cites a question about harm needs a confirmation, whatever words it has for the answer', () => {
  const asks = 'Do you ever think of harming Leo?'
  const answer = 'He is a good kid.'
  const [first, second] = source.segments
  const segments = [
    { ...first!, text: `How is the week? ${asks}` },
    { ...second!, text: answer },
  ]
  const check = (question: string) => {
    const evidence = [cite(question, { segment_id: 's0', start_ms: null, end_ms: null }), cite(answer)]
    const written = statement('Ada said that he is a good kid.', [], { evidence })
    return checkDraft(noteWith([written]), { ...source, segments }).sections[0]?.statements[0]?.safety
  }
  expect([check(asks), check('How is the week?')]).toEqual([true, false])
})
