import { expect, test } from 'vitest'
import type { Note, Statement } from '#contract/model/note.ts'
import { toCheck } from '#domain/note-review.ts'
import type { Segment, Transcript } from '#contract/model/transcript.ts'
import { isSaidIn, placeIn, placeNote } from '#core/records/transcripts/place-quotes.ts'
import { joinPieces } from '#core/sync/plain/transcribe-in-pieces.ts'
import { writePlainTranscript } from '#domain/plain-transcript.ts'

const segment = (id: string, speaker_id: string | null, text: string, start_ms: number | null = null): Segment => ({
  id,
  speaker_id,
  start_ms,
  end_ms: start_ms === null ? null : start_ms + 1000,
  text,
  confidence: null,
  edited: false,
})
const said = {
  speakers: [
    { id: 'a', label: 'Dr. Ana Ruiz', role: 'therapist' as const },
    { id: 'b', label: 'Marisol', role: 'client' as const },
    { id: 'c', label: '::', role: 'unknown' as const },
  ],
  segments: [
    segment('x1', 'a', 'Did you sleep? Honestly: tell me.', 0),
    segment('x2', 'b', 'No.', 1000),
    segment('x3', 'a', 'Any thoughts of hurting\nyourself?', 2000),
    segment('x4', 'b', 'No.', 3000),
    segment('x5', 'c', 'She said it helped.', 4000),
  ],
}
const place = placeIn(said, writePlainTranscript(said))

test('as plain text each sentence is a line under its speaker, by role before name', () => {
  expect(writePlainTranscript(said).text.split('\n')).toEqual([
    'Therapist: Did you sleep?',
    'Therapist: Honestly: tell me.',
    'Client: No.',
    'Therapist: Any thoughts of hurting yourself?',
    'Client: No.',
    'Speaker 3: She said it helped.',
  ])
})

test('a quote is placed where it stands, by the count of lines where it stands twice, and nowhere on a guess', () => {
  const evidence = (segment_id: string, quote: string | null) => place({ segment_id, quote })
  expect(evidence('s4', 'thoughts of hurting yourself')).toEqual({
    segment_id: 'x3',
    start_ms: 2000,
    end_ms: 3000,
    quote: 'thoughts of hurting\nyourself',
    quote_sha256: null,
  })
  expect(evidence('s5', 'No.')?.segment_id).toBe('x4')
  expect(evidence('s3', 'No.')?.segment_id).toBe('x2')
  expect(evidence('some-id', 'No.')).toBeNull()
  expect(evidence('some-id', 'it helped')?.segment_id).toBe('x5')
  // The count points elsewhere; the words say where.
  expect(evidence('s1', 'it helped')?.segment_id).toBe('x5')
  expect(evidence('s6', 'it help')).toBeNull()
  expect(evidence('s6', 'it never helped')).toBeNull()
  expect(evidence('s6', null)).toBeNull()
})

const statement = (id: string, quotes: readonly string[], more: Partial<Statement> = {}): Statement => ({
  id,
  text: `Statement ${id}.`,
  evidence: quotes.map((quote) => ({ segment_id: '?', start_ms: null, end_ms: null, quote, quote_sha256: null })),
  support: 'stated',
  origin: 'rules',
  finding: null,
  safety: false,
  confirmed_at: null,
  ...more,
})

test('a statement whose source cannot be found is marked and needs a look; what was left out is never dropped', () => {
  const note = {
    sections: [
      {
        key: 's',
        title: 'Subjective',
        statements: [
          statement('placed', ['it helped']),
          statement('half', ['it helped', 'it never helped']),
          statement('lost', ['it never helped']),
          statement('absent', [], { text: 'Not assessed.' }),
          statement('quotes', ['it helped'], { text: 'Said “She said … helped.” and "Honestly: tell me!"' }),
          statement('misquotes', ['it helped'], { text: 'Said “she never helped”.' }),
        ],
      },
    ],
    omissions: [
      { id: 'o1', kind: 'risk', text: 'Hopeless.', evidence: statement('', ['all hope is gone']).evidence, decision: 'open' },
      { id: 'o2', kind: 'other', text: 'Helped.', evidence: statement('', ['it helped']).evidence, decision: 'open' },
    ],
    checks: [],
  } as unknown as Note
  const placed = placeNote(note, place, isSaidIn(said))
  const [fine, half, lost, absent, quotes, misquotes] = placed.sections[0]!.statements
  expect(fine).toMatchObject({ support: 'stated', evidence: [{ segment_id: 'x5', start_ms: 4000 }] })
  expect(fine?.doubt ?? null).toBeNull()
  expect(half?.evidence).toHaveLength(1)
  expect(half?.doubt).toBe('a source that it names is not in the transcript')
  expect(lost).toMatchObject({ evidence: [], support: 'paraphrase' })
  expect(absent).toMatchObject({ evidence: [], support: 'stated' })
  expect(quotes?.doubt ?? null).toBeNull()
  expect(misquotes?.doubt).toBe('the words in quotation marks are not in the transcript')
  expect(toCheck(placed)).toMatchObject({ source: 1, doubt: 2, omission: 1 })
  expect(placed.checks).toMatchObject([{ code: 'unplaced-omission', severity: 'needs_you' }])
  expect(placed.checks[0]?.message).toContain('Hopeless.')
})

test('risk that was left out and has no source is listed first and never dropped, however much there is', () => {
  const omission = (kind: string, id: number) => ({
    id: `${kind}${id}`,
    kind,
    text: `${kind} ${id}.`,
    evidence: statement('', ['all hope is gone']).evidence,
    decision: 'open',
  })
  const many = (kind: string, count: number) => Array.from({ length: count }, (_, id) => omission(kind, id))
  const own = { code: 'own', severity: 'needs_you' as const, message: 'Own.' }
  const of = (...omissions: object[]) =>
    // Only these fields are read.
    placeNote({ sections: [], omissions, checks: [own] } as unknown as Note, place, isSaidIn(said)).checks
  const few = of(...many('other', 120), ...many('risk', 2))
  expect(few).toHaveLength(100)
  expect(few.slice(0, 3).map(({ message }) => message.split(': ').at(-1))).toEqual(['risk 0.', 'risk 1.', 'Own.'])
  const all = of(...many('risk', 500))
  expect(all.length).toBeLessThanOrEqual(100)
  expect(all).toContainEqual(own)
  const told = all.map(({ message }) => message).join(' ')
  expect(many('risk', 500).filter(({ text }) => !told.includes(text))).toEqual([])
  expect(all.every(({ message }) => message.length <= 4000)).toBe(true)
})

test('voices of different pieces are one person only where the engine says who it is', () => {
  const heard = (roles: readonly [string, 'therapist' | 'unknown'][]): Transcript =>
    ({
      language: 'en',
      duration_ms: 5000,
      speakers: roles.map(([label, role], index) => ({ id: `v${index}`, label, role })),
      segments: roles.map((_, index) => segment(`s${index}`, `v${index}`, 'Words.', 1000 * index)),
      engine: { name: 'e', version: '1', model: null },
    }) as unknown as Transcript
  const joined = joinPieces([
    {
      start_ms: 0,
      end_ms: 5000,
      transcript: heard([
        ['You', 'therapist'],
        ['Speaker 1', 'unknown'],
        ['Maria', 'unknown'],
      ]),
    },
    {
      start_ms: 5000,
      end_ms: 9000,
      transcript: heard([
        ['Speaker 1', 'unknown'],
        ['Maria', 'unknown'],
        ['You', 'therapist'],
      ]),
    },
  ])
  expect(joined.speakers).toEqual([
    { id: 'p1', label: 'You', role: 'therapist' },
    { id: 'p2', label: 'Speaker 1 (part 1)', role: 'unknown' },
    { id: 'p3', label: 'Maria', role: 'unknown' },
    { id: 'p4', label: 'Speaker 1 (part 2)', role: 'unknown' },
  ])
  expect(joined.segments.map(({ id, speaker_id, start_ms }) => [id, speaker_id, start_ms])).toEqual([
    ['s1', 'p1', 0],
    ['s2', 'p2', 1000],
    ['s3', 'p3', 2000],
    ['s4', 'p4', 5000],
    ['s5', 'p3', 6000],
    ['s6', 'p1', 7000],
  ])
  expect(joined.duration_ms).toBe(9000)
})
