import fc from 'fast-check'
import { expect, test } from 'vitest'
import { generateNoteRequestSchema } from '#contract/model/documentation-requests.ts'
import { readPlainTranscript, writePlainTranscript } from '#domain/plain-transcript.ts'

const texts = (text: string) => readPlainTranscript(text).segments.map((segment) => segment.text)

test('each line or sentence is a segment with a stable id and no times', () => {
  const text = 'I slept badly. I woke at three.\n\nIt was cold.'
  expect(readPlainTranscript(text)).toEqual(readPlainTranscript(text))
  expect(readPlainTranscript(text).segments).toMatchObject([
    { id: 's1', text: 'I slept badly.', start_ms: null, end_ms: null, speaker_id: null },
    { id: 's2', text: 'I woke at three.' },
    { id: 's3', text: 'It was cold.' },
  ])
})

test('a name and a colon start a turn that lasts until the next', () => {
  const { speakers, segments } = readPlainTranscript('Therapist: How are you?\nAna: Tired.\nVery tired.\r\nTherapist: I see.', [
    'Ana Lopez',
  ])
  expect(speakers).toEqual([
    { id: 'p1', label: 'Therapist', role: 'therapist' },
    { id: 'p2', label: 'Ana', role: 'client' },
  ])
  expect(segments.map(({ speaker_id }) => speaker_id)).toEqual(['p1', 'p2', 'p2', 'p1'])
})

test('roles come from words and known names, and are else unknown', () => {
  const { speakers } = readPlainTranscript('T: a\nC: b\nANA  LOPEZ: c\nBen: e\nAn: f', ['Ana Lopez'])
  expect(speakers.map(({ label, role }) => [label, role])).toEqual([
    ['T', 'therapist'],
    ['C', 'client'],
    ['ANA  LOPEZ', 'client'],
    ['Ben', 'unknown'],
    ['An', 'unknown'],
  ])
})

test('a colon inside a sentence is no turn', () => {
  expect(texts('at 5:30 I woke')).toEqual(['at 5:30 I woke'])
  expect(texts('see https://example.org')).toEqual(['see https://example.org'])
  expect(texts('What I meant to say to him was this: no.')).toEqual(['What I meant to say to him was this: no.'])
  expect(texts('[00:01:02] Ana: Tired.')).toEqual(['Tired.'])
})

test('nothing said is nothing', () => {
  expect(readPlainTranscript(' \n\nAna:\n')).toMatchObject({ segments: [] })
})

test('a sentence longer than a segment becomes several, and no word of it is lost', () => {
  const said = 'and then we went on '.repeat(5000).trim()
  const { segments } = readPlainTranscript(`Ana: ${said}`)
  expect(segments.map(({ text }) => text).join(' ')).toBe(said)
  expect(segments.every(({ text, speaker_id }) => text.length <= 20_000 && speaker_id === 'p1')).toBe(true)
  const withGaps = 'a'.repeat(50_000)
  expect(
    readPlainTranscript(withGaps)
      .segments.map(({ text }) => text)
      .join(''),
  ).toBe(withGaps)
})

test('the labels that the API documentation lists name the therapist and the client', () => {
  const [, clinician = '', client = ''] = /Labels of the clinician: (.*?)\. Labels of the client: (.*?)\./.exec(
    generateNoteRequestSchema.shape.transcript.description!,
  )!
  for (const [list, role] of [
    [clinician, 'therapist'],
    [client, 'client'],
  ] as const) {
    const labels = [...list.matchAll(/`(\w+)`/g)].map(([, label]) => label!)
    expect(labels.length).toBeGreaterThan(2)
    for (const label of labels) expect(readPlainTranscript(`${label}: Hello.`).speakers).toMatchObject([{ label, role }])
  }
})

const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(
    'Plan: go on. Then rest.',
    'Honestly:',
    'At 5:30 I woke.',
    'Mom said: stop. I did.',
    'Dr. Lee: yes?',
    'a\nb\r\nc',
    '[01:02] Ana:',
  ),
)
const role = fc.constantFrom('therapist', 'client', 'other', 'unknown' as const)

test('what is written is read as the same lines, each of its own segment and of its own speaker', () => {
  const said = fc.record({
    speakers: fc.array(fc.record({ label: words.filter((label) => label.trim() !== ''), role }), { maxLength: 4 }),
    turns: fc.array(fc.record({ speaker: fc.nat(4), text: words }), { maxLength: 12 }),
  })
  fc.assert(
    fc.property(said, ({ speakers: people, turns }) => {
      const speakers = people.map((person, index) => ({ id: `p${index}`, ...person }))
      const segments = turns.map(({ speaker, text }, index) => ({
        id: `g${index}`,
        speaker_id: speakers[speaker]?.id ?? null,
        start_ms: null,
        end_ms: null,
        text,
        confidence: null,
        edited: false,
      }))
      const { text, lines } = writePlainTranscript({ speakers, segments })
      const read = readPlainTranscript(text)
      expect(read.segments).toHaveLength(lines.length)
      const readAs = new Map<string, string | null>()
      for (const [index, { speaker_id }] of lines.entries()) {
        if (speaker_id === null) continue
        const now = read.segments[index]!.speaker_id
        expect(readAs.get(speaker_id) ?? now).toBe(now)
        readAs.set(speaker_id, now)
      }
      expect(new Set(readAs.values()).size).toBe(readAs.size)
    }),
    { numRuns: 1000 },
  )
})
