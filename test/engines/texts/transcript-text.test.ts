import { expect, test } from 'vitest'
import { generateNoteRequestSchema } from '#contract/model/documentation-requests.ts'
import { readTranscriptText } from '#engines/texts/text-work.ts'

const texts = (text: string) => readTranscriptText(text).segments.map((segment) => segment.text)

test('each line or sentence is a segment with a stable id and no times', () => {
  const text = 'I slept badly. I woke at three.\n\nIt was cold.'
  expect(readTranscriptText(text)).toEqual(readTranscriptText(text))
  expect(readTranscriptText(text).segments).toMatchObject([
    { id: 's1', text: 'I slept badly.', start_ms: null, end_ms: null, speaker_id: null },
    { id: 's2', text: 'I woke at three.' },
    { id: 's3', text: 'It was cold.' },
  ])
})

test('a name and a colon start a turn that lasts until the next', () => {
  const { speakers, segments } = readTranscriptText('Therapist: How are you?\nAna: Tired.\nVery tired.\r\nTherapist: I see.', [
    'Ana Lopez',
  ])
  expect(speakers).toEqual([
    { id: 'p1', label: 'Therapist', role: 'therapist' },
    { id: 'p2', label: 'Ana', role: 'client' },
  ])
  expect(segments.map(({ speaker_id }) => speaker_id)).toEqual(['p1', 'p2', 'p2', 'p1'])
})

test('roles come from words and known names, and are else unknown', () => {
  const { speakers } = readTranscriptText('T: a\nC: b\nANA  LOPEZ: c\nBen: e\nAn: f', ['Ana Lopez'])
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
  expect(readTranscriptText(' \n\nAna:\n')).toMatchObject({ segments: [] })
})

test('a sentence longer than a segment becomes several, and no word of it is lost', () => {
  const said = 'and then we went on '.repeat(5000).trim()
  const { segments } = readTranscriptText(`Ana: ${said}`)
  expect(segments.map(({ text }) => text).join(' ')).toBe(said)
  expect(segments.every(({ text, speaker_id }) => text.length <= 20_000 && speaker_id === 'p1')).toBe(true)
  const unbroken = 'a'.repeat(50_000)
  expect(
    readTranscriptText(unbroken)
      .segments.map(({ text }) => text)
      .join(''),
  ).toBe(unbroken)
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
    for (const label of labels) expect(readTranscriptText(`${label}: Hello.`).speakers).toMatchObject([{ label, role }])
  }
})
