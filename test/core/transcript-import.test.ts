import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { AppError } from '#contract/errors.ts'
import { transcriptDraftSchema } from '#contract/model/transcript.ts'
import { importTranscript } from '#core/records/transcripts/import/import-transcript.ts'

const people = {
  therapist: 'Dr. Ana Ruiz',
  client: { display_name: 'Marisol Vega', given_name: null, family_name: null },
  participants: [
    { name: 'Marisol Vega', role: 'client' as const },
    { name: 'Tom Vega', role: 'partner' as const },
  ],
}

function read(fileName: string, text: string | Uint8Array) {
  const content = typeof text === 'string' ? new TextEncoder().encode(text) : text
  const { speakers, segments, duration_ms } = importTranscript(fileName, content, people)
  const roleOf = new Map(speakers.map((speaker) => [speaker.id, `${speaker.label}/${speaker.role}`]))
  const turns = segments.map(({ speaker_id, start_ms, end_ms, text: said }) => [
    speaker_id === null ? null : roleOf.get(speaker_id),
    start_ms,
    end_ms,
    said,
  ])
  return { turns, duration_ms }
}

function refusal(fileName: string, text: string | Uint8Array): string {
  try {
    read(fileName, text)
  } catch (error) {
    if (error instanceof AppError && error.code === 'import-unreadable') return error.detail ?? ''
    throw error
  }
  return 'was read'
}

describe('plain text', () => {
  test('turns begin with a name, and a line without one belongs to the turn before', () => {
    const { turns } = read(
      'a.txt',
      'Ana Ruiz: How was it?\n\nMarisol: Hard.\nI did not sleep.\nT: Go on.\nTom: She said: stop.\n',
    )
    expect(turns).toEqual([
      ['Ana Ruiz/therapist', null, null, 'How was it?'],
      ['Marisol/client', null, null, 'Hard. I did not sleep.'],
      ['T/therapist', null, null, 'Go on.'],
      ['Tom/other', null, null, 'She said: stop.'],
    ])
  })

  test('a colon in the middle of a turn makes nobody a speaker', () => {
    const { turns } = read(
      'a.txt',
      'Therapist: And then?\nClient: We fought.\nand then he said: leave.\nTherapist: Hm.\nClient: Yes.',
    )
    expect(turns.map(([who]) => who)).toEqual(['Therapist/therapist', 'Client/client', 'Therapist/therapist', 'Client/client'])
    expect(turns[1]![3]).toBe('We fought. and then he said: leave.')
  })

  test('without names each paragraph is a turn of somebody unknown', () => {
    const { turns } = read('a.txt', 'First line\nstill first.\n\nSecond, at 10:30 sharp.\n')
    expect(turns).toEqual([
      [null, null, null, 'First line still first.'],
      [null, null, null, 'Second, at 10:30 sharp.'],
    ])
  })

  test('times in brackets before the name are kept', () => {
    const { turns } = read('a.txt', '[00:05] Therapist: Hello.\n[01:02:03] Client: Hi.')
    expect(turns).toEqual([
      ['Therapist/therapist', 5000, null, 'Hello.'],
      ['Client/client', 3_723_000, null, 'Hi.'],
    ])
  })

  test('a name two people share is nobody’s', () => {
    expect(read('a.txt', 'Vega: One.\nTherapist: Two.').turns[0]![0]).toBe('Vega/unknown')
  })

  test('one person written in two ways is one speaker', () => {
    const { turns } = read('a.txt', 'THERAPIST: One.\nTherapist: Two.\nClient: Three.')
    expect(new Set(turns.map(([who]) => who)).size).toBe(2)
  })
})

describe('WebVTT', () => {
  test('voices, times, notes and settings are read', () => {
    const text = `WEBVTT - session\n\nNOTE nothing\nhere\n\n1\n00:01.000 --> 00:03.500 align:start\n<v Dr. Ana Ruiz>How <i>are</i> you?</v>\n\n00:00:04.000 --> 00:00:05.000\n<v Marisol Vega>Fine &amp; you?\n`
    expect(read('a.vtt', text)).toEqual({
      turns: [
        ['Dr. Ana Ruiz/therapist', 1000, 3500, 'How are you?'],
        ['Marisol Vega/client', 4000, 5000, 'Fine & you?'],
      ],
      duration_ms: 5000,
    })
  })

  test('what is wrong is told by line and never by content', () => {
    const text = 'WEBVTT\n\n00:01.000 --> 00:02.000\nA secret.\n\nanother secret\nwithout times\n'
    expect(refusal('a.vtt', text)).toBe('Line 6: expected the times of a caption.')
    expect(refusal('a.vtt', 'WEBVTT\n\n00:05.000 --> 00:02.000\nsecret\n')).toBe('Line 3: the caption ends before it begins.')
    expect(refusal('a.vtt', 'WEBVTT\n\n00:xx --> 00:02.000\nsecret\n')).toBe('Line 3: the times cannot be read.')
    expect(refusal('a.vtt', 'no header\n')).toBe('Line 1: a WebVTT file begins with WEBVTT.')
  })
})

describe('SubRip', () => {
  test('numbers, commas in times and names are read', () => {
    const text =
      '1\r\n00:00:01,000 --> 00:00:02,000\r\nTherapist: Hello.\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nClient: Hi,\r\nI told him: stop.\r\n'
    expect(read('a.srt', text).turns).toEqual([
      ['Therapist/therapist', 1000, 2000, 'Hello.'],
      ['Client/client', 3000, 4000, 'Hi, I told him: stop.'],
    ])
  })
})

describe('JSON', () => {
  test('what this app exports comes back as it was', () => {
    const own = {
      speakers: [{ id: 'a', label: 'Ana', role: 'therapist' }],
      segments: [{ id: 'x', speaker_id: 'a', start_ms: 0, end_ms: 10, text: 'Hello.', confidence: 0.5, edited: true }],
    }
    const { speakers, segments } = importTranscript('a.json', new TextEncoder().encode(JSON.stringify(own)), people)
    expect({ speakers, segments }).toEqual(own)
  })

  test('verbose_json of Whisper is read, speakers of WhisperX included', () => {
    const whisper = {
      text: 'x',
      segments: [
        { start: 0.5, end: 1.25, text: ' Hello. ', speaker: 'SPEAKER_00' },
        { start: 1.25, end: 2, text: 'Hi.' },
      ],
    }
    expect(read('a.json', JSON.stringify(whisper)).turns).toEqual([
      ['SPEAKER_00/unknown', 500, 1250, 'Hello.'],
      [null, 1250, 2000, 'Hi.'],
    ])
  })

  test('broken JSON is told by line, strange JSON by entry', () => {
    expect(refusal('a.json', '{\n "segments": [\n secret\n')).toMatch(/^(Line 3: t|T)his is (not )?/)
    expect(
      refusal('a.json', '{"segments":[{"start":0,"end":1,"text":"a"},{"start":"secret","end":1,"text":"b"}]}'),
    ).not.toContain('secret')
    expect(refusal('a.json', '{"a":1}')).toBe('This JSON is neither a transcript of Afterword nor of Whisper.')
  })
})

describe('bytes', () => {
  test('UTF-8 and UTF-16 with their marks are read alike', () => {
    const text = 'Therapist: ¿Cómo está?\nClient: Así así.'
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
    const big = Buffer.from(utf16).swap16()
    const utf8 = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)])
    const plain = read('a.txt', text)
    for (const bytes of [utf16, big, utf8]) expect(read('a.txt', bytes)).toEqual(plain)
  })

  test('what is no text, too large, empty or of another kind is refused', () => {
    expect(refusal('a.txt', Uint8Array.of(0x52, 0xff, 0x41))).toBe('The file is not text in UTF-8 or UTF-16.')
    expect(refusal('a.txt', 'a\0b')).toBe('The file is not a text file.')
    expect(refusal('a.txt', '')).toBe('The file is empty.')
    expect(refusal('a.txt', ' \n\n ')).toBe('There are no words in this file.')
    expect(refusal('a.docx', 'abc')).toBe('Only txt, vtt, srt and json files can be read.')
    expect(refusal('a.txt', new Uint8Array(9 * 1024 * 1024).fill(65))).toBe('The file is larger than 8 MB.')
    expect(refusal('a.txt', `T: ${'a'.repeat(30_000)}\nC: b`)).toBe('Turn 1 is longer than 20000 characters.')
  })
})

test('whatever comes in is refused or becomes a transcript the contract takes', () => {
  const file = fc.constantFrom('a.txt', 'a.vtt', 'a.srt', 'a.json')
  const text = fc.oneof(
    fc.string(),
    fc
      .array(
        fc.constantFrom('WEBVTT', '', '1', '00:01.000 --> 00:02.000', 'T: a', '<v Jo>b</v>', '{"segments":[', ']}', 'x: y: z'),
      )
      .map((lines) => lines.join('\n')),
  )
  fc.assert(
    fc.property(file, text, (fileName, content) => {
      let imported
      try {
        imported = importTranscript(fileName, new TextEncoder().encode(content), people)
      } catch (error) {
        expect(error).toMatchObject({ code: 'import-unreadable' })
        return
      }
      const engine = { name: 'import', version: '1', model: null }
      expect(transcriptDraftSchema.safeParse({ ...imported, session_id: null, language: null, engine }).success).toBe(true)
    }),
    { numRuns: 500 },
  )
})
