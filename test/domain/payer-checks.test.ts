import { describe, expect, test } from 'vitest'
import type { NoteBody, Statement } from '#contract/model/note.ts'
import { fittingCodes } from '#domain/billing-codes.ts'
import { actualMinutes, type PayerFacts, payerChecks } from '#domain/note-review.ts'
import { sessionSchema } from '#contract/model/session.ts'

const id = '018f7f5e-0000-7000-8000-000000000001'
const start = '2026-11-24T15:00:00Z'

function statement(text: string, change: Partial<Statement> = {}): Statement {
  const evidence = [{ segment_id: 's1', start_ms: 0, end_ms: 1, quote: text, quote_sha256: null }]
  return {
    id: text,
    text,
    evidence,
    support: 'stated',
    origin: 'rules',
    finding: null,
    safety: false,
    confirmed_at: null,
    ...change,
  }
}

const whole: [key: string, statements: Statement[]][] = [
  [
    'data',
    [
      statement('Ada said "I slept four hours a night since the move to the new flat."'),
      statement('Risk: denies suicidal thoughts.'),
    ],
  ],
  ['intervention', [statement('Thought record: "Let us write it down."')]],
  ['response', [statement('To thought record, Ada said "That helps me see it."')]],
  ['plan', [statement('Client to write one page before the next session.')]],
]

function noteOf(sections: typeof whole, template: NoteBody['template'] = 'birp'): NoteBody {
  return {
    session_id: id,
    client_id: id,
    template,
    sections: sections.map(([key, statements]) => ({ key, title: key, statements })),
    unsupported: [],
    omissions: [],
    checks: [],
    engine: { name: 'rules', version: '1', model: null },
  }
}

function lasting(minutes: number | null, change: object = {}): PayerFacts['session'] {
  return sessionSchema.parse({
    id,
    client_id: id,
    session_type: 'individual',
    starts_at: start,
    ends_at: start,
    duration_minutes: 50,
    cpt_code: null,
    started_at: minutes === null ? null : start,
    finished_at: minutes === null ? null : new Date(Date.parse(start) + minutes * 60_000).toISOString(),
    series_id: null,
    occurrence_start: null,
    created_at: start,
    updated_at: start,
    version: 1,
    ...change,
  })
}

function codes(change: Partial<PayerFacts> = {}): string[] {
  const facts: PayerFacts = {
    note: noteOf(whole),
    session: lasting(45, { cpt_code: '90834' }),
    client: { display_name: 'Ada Brook', diagnoses: [{ code: 'F43.22', description: 'Adjustment disorder' }] },
    therapist_credential: 'LMFT',
    add_on_code: null,
    earlier: [],
    ...change,
  }
  return payerChecks(facts).map(({ code }) => code)
}

describe('minutes against the code', () => {
  test('a whole note of a session whose minutes fit its code has nothing to ask', () => expect(codes()).toEqual([]))

  test.each([
    [16, '90832'],
    [37, '90832'],
    [38, '90834'],
    [52, '90834'],
    [53, '90837'],
    [90, '90837'],
  ])('%i minutes fit %s, and no code of a longer session', (minutes, code) => {
    expect(codes({ session: lasting(minutes, { cpt_code: code }) })).toEqual([])
    const longer = ['90832', '90834', '90837'].filter((other) => other !== code)
    for (const other of longer) expect(codes({ session: lasting(minutes, { cpt_code: other }) })).toEqual(['payer-minutes'])
  })

  test('fifteen minutes are not reportable, whatever the code', () => {
    for (const cpt_code of [null, '90832', '90837'])
      expect(codes({ session: lasting(15, { cpt_code }) })).toEqual(['payer-minutes'])
  })

  test('the planned length is not taken for the real one', () => {
    expect(codes({ session: lasting(null, { cpt_code: '90837' }) })).toEqual(['payer-times'])
    expect(actualMinutes({ started_at: start, finished_at: '2026-11-24T14:00:00Z' })).toBeNull()
  })

  test('an add-on code is asked about unless it goes with the code', () => {
    const session = lasting(60, { session_type: 'crisis', cpt_code: '90839' })
    expect(codes({ session, add_on_code: '90840' })).toEqual([])
    expect(codes({ session, add_on_code: '90785' })).toEqual(['payer-add-on'])
  })

  test('a session that turned into a crisis can be given the crisis code, which is never suggested for its length', () => {
    for (const session_type of ['individual', 'couple', 'family', 'intake', 'crisis'])
      expect(codes({ session: lasting(60, { session_type, cpt_code: '90839' }) })).not.toContain('payer-code-type')
    expect(codes({ session: lasting(60, { session_type: 'group', cpt_code: '90839' }) })).toContain('payer-code-type')
    const suggested = (session_type: string) => fittingCodes(session_type, 60).map(({ code }) => code)
    expect(suggested('individual')).not.toContain('90839')
    expect(suggested('crisis')).toContain('90839')
  })

  test('a code of another kind of session is asked about; none at all is asked for, and none is chosen', () => {
    expect(codes({ session: lasting(45, { cpt_code: '90853' }) })).toEqual(['payer-code-type'])
    expect(codes({ session: lasting(45, { cpt_code: '12345' }) })).toEqual(['payer-code-unknown'])
    const facts = payerChecks({
      note: noteOf(whole),
      session: lasting(45),
      client: { display_name: '', diagnoses: [{ code: 'F', description: '' }] },
      therapist_credential: 'x',
      add_on_code: null,
      earlier: [],
    })
    expect(facts.map(({ message }) => message).join()).toContain('90834 (38 to 52 minutes)')
    expect(facts.map(({ message }) => message).join()).not.toContain('90837')
  })
})

describe('what a payer’s set of elements needs', () => {
  test.each([
    ['payer-diagnosis', { client: { display_name: 'Ada', diagnoses: [] } }],
    ['payer-credential', { therapist_credential: null }],
    ['payer-intervention', { note: noteOf(whole.filter(([key]) => key !== 'intervention')) }],
    [
      'payer-plan',
      {
        note: noteOf(
          whole.map(([key, each]) => [key, key === 'plan' ? [statement('Not stated in session.', { evidence: [] })] : each]),
        ),
      },
    ],
    ['payer-participants', { session: lasting(45, { session_type: 'couple', cpt_code: '90847' }) }],
  ] as const)('%s', (code, change) => expect(codes(change as Partial<PayerFacts>)).toEqual([code]))

  test('a note that never mentions risk is told so; "not assessed" is an answer', () => {
    const without = whole.map(([key, each]): (typeof whole)[number] => [key, each.filter(({ text }) => !text.startsWith('Risk'))])
    expect(codes({ note: noteOf(without) })).toEqual(['payer-risk'])
    const told = statement('Not assessed: suicidal thoughts.', {
      evidence: [],
      finding: { topic: 'suicidal thoughts', state: 'not_assessed' },
    })
    expect(codes({ note: noteOf([...without, ['risk', [told]]]) })).toEqual([])
  })
})

describe('likeness and contradiction', () => {
  test('a note copied from an earlier one is named with its day; one with its own words is not', () => {
    const earlier = [{ note: noteOf(whole), day: 'November 17, 2026' }]
    expect(codes({ earlier })).toEqual(['payer-clone'])
    const own = whole.map(([key, each]): (typeof whole)[number] => [
      key,
      key === 'data'
        ? [
            statement('Ada said "The neighbours were loud and I walked until the baker opened at six."'),
            statement('Risk: denies suicidal thoughts.'),
            statement('Ada spoke with her sister about selling the old piano in spring.'),
          ]
        : each,
    ])
    expect(codes({ note: noteOf(own), earlier })).toEqual([])
  })

  test('the sixth note back is not laid beside it', () => {
    const other = { note: noteOf([]), day: 'another day' }
    expect(codes({ earlier: [other, other, other, other, other, { note: noteOf(whole), day: 'long ago' }] })).toEqual([])
  })

  test('a finding both stated and denied is a contradiction', () => {
    const both = [
      statement('Ada denies self-harm.', { finding: { topic: 'self-harm', state: 'denied' } }),
      statement('Ada said "I cut myself."', { finding: { topic: 'self-harm', state: 'stated' } }),
    ]
    expect(codes({ note: noteOf([...whole, ['risk', both]]) })).toEqual(['payer-contradiction'])
  })
})
