import { describe, expect, test } from 'vitest'
import { createExports } from '#core/export/exports.ts'
import type { Exports } from '#core/export/exports.ts'
import { bridgeMethods } from '#contract/bridge/methods.ts'
import { AppError } from '#contract/errors.ts'
import { noteExport, resources, session, stillClock, transcript } from './export-fixture.ts'

const spoken = transcript([
  { text: 'Good morning.', start_ms: 0, end_ms: 1200 },
  { speaker_id: 'b', text: 'Hello --> <i>you</i> &\nthere.', start_ms: 3_723_456, end_ms: 3_724_000 },
  { speaker_id: null, text: 'Mm.', start_ms: 2000 },
])
const noteId = noteExport().note.id

function exportsOf(words = spoken, platform = 'linux', note = noteExport()): Exports {
  return createExports({
    note: async () => note,
    transcript: async () => ({ transcript: words, session }),
    clock: stillClock,
    resources,
    platform,
  })
}

const fetched = (exports: Exports, url: string, method = 'GET'): Promise<Response> =>
  exports.serve(new Request(`app://afterword${url}`, { method }))
const transcribed = async (format: 'txt' | 'vtt' | 'json', words = spoken): Promise<string> => {
  const exports = exportsOf(words)
  const ticket = await exports.handlers['exports.transcript']({ session_id: session.id, format })
  return (await fetched(exports, ticket.url)).text()
}

describe('a ticket', () => {
  test.each([
    ['pdf', '%PDF-1.7'],
    ['docx', 'PK'],
    ['txt', 'Riverside Practice\n'],
  ] as const)('for a note as %s is a download, kept by nobody, named without the client', async (format, magic) => {
    const exports = exportsOf()
    const ticket = bridgeMethods['exports.note'].output.parse(await exports.handlers['exports.note']({ id: noteId, format }))
    expect(ticket.file_name).toBe(`note-2026-11-24.${format}`)
    const response = await fetched(exports, ticket.url)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': ticket.media_type,
      'content-disposition': `attachment; filename="note-2026-11-24.${format}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes.toString('latin1', 0, magic.length)).toBe(magic)
    expect(bytes.length).toBe(Number(response.headers.get('content-length')))
  })

  test('is good once', async () => {
    const exports = exportsOf()
    const { url } = await exports.handlers['exports.note']({ id: noteId, format: 'docx' })
    expect((await fetched(exports, url, 'POST')).status).toBe(405)
    expect((await fetched(exports, url)).status).toBe(200)
    expect((await fetched(exports, url)).status).toBe(404)
    expect((await fetched(exports, '/exports/01935d1c-0000-7000-8000-000000000000')).status).toBe(404)
  })

  test('is good for five minutes', async () => {
    const exports = exportsOf()
    const { url } = await exports.handlers['exports.transcript']({ session_id: session.id, format: 'txt' })
    const later = await exports.handlers['exports.transcript']({ session_id: session.id, format: 'txt' })
    stillClock.at += 5 * 60_000 - 1
    expect((await fetched(exports, later.url)).status).toBe(200)
    stillClock.at += 1
    expect((await fetched(exports, url)).status).toBe(404)
  })

  test('is gone when the records are locked, and only the newest twenty wait', async () => {
    const exports = exportsOf()
    const urls: string[] = []
    for (let number = 0; number < 21; number++)
      urls.push((await exports.handlers['exports.transcript']({ session_id: session.id, format: 'txt' })).url)
    expect((await fetched(exports, urls[0]!)).status).toBe(404)
    expect((await fetched(exports, urls[1]!)).status).toBe(200)
    exports.clear()
    expect((await fetched(exports, urls[20]!)).status).toBe(404)
  })
})

describe('a transcript', () => {
  test('as txt is one line a segment, with the time where it is known', async () => {
    expect(await transcribed('txt')).toBe(
      '[00:00:00] Therapist: Good morning.\n[01:02:03] Élodie <E>: Hello --> <i>you</i> & there.\n[00:00:02] Speaker: Mm.\n',
    )
  })

  test('as vtt is in the order of time, names the voices, and lets nothing said become markup', async () => {
    expect(await transcribed('vtt')).toBe(
      [
        'WEBVTT',
        '00:00:00.000 --> 00:00:01.200\n<v Therapist>Good morning.</v>',
        '00:00:02.000 --> 01:02:03.456\n<v Speaker>Mm.</v>',
        '01:02:03.456 --> 01:02:04.000\n<v Élodie &lt;E&gt;>Hello --&gt; &lt;i&gt;you&lt;/i&gt; &amp; there.</v>\n',
      ].join('\n\n'),
    )
  })

  test('as vtt keeps a segment without times as a comment, and needs times somewhere', async () => {
    expect(
      await transcribed('vtt', transcript([{ text: 'One.', start_ms: 0, end_ms: 900 }, { text: 'Two --> three.' }])),
    ).toContain('NOTE Therapist: Two --&gt; three.')
    await expect(transcribed('vtt', transcript([{ text: 'Typed.' }]))).rejects.toThrow(AppError)
    expect(await transcribed('txt', transcript([{ text: 'Typed.' }]))).toBe('Therapist: Typed.\n')
  })

  test('as json is the transcript', async () => {
    expect(JSON.parse(await transcribed('json'))).toEqual(spoken)
  })
})

describe('the text of a note', () => {
  test('comes over the bridge, not as a file: whole, or one section for an EHR that has a field for each', async () => {
    const { handlers } = exportsOf()
    const { text } = await handlers['exports.noteText']({ id: noteId })
    expect(text).toContain('\n\nSUBJECTIVE\nÉlodie reported')
    expect(await handlers['exports.noteText']({ id: noteId, section_key: 'assessment' })).toEqual({
      text: 'First line.\nSecond line.',
    })
    await expect(handlers['exports.noteText']({ id: noteId, section_key: 'gone' })).rejects.toMatchObject({ code: 'not-found' })
  })

  test('has the line endings of Windows on Windows, pasted and as a file', async () => {
    const exports = exportsOf(spoken, 'win32')
    const { text } = await exports.handlers['exports.noteText']({ id: noteId })
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    const { url } = await exports.handlers['exports.note']({ id: noteId, format: 'txt' })
    expect(await (await fetched(exports, url)).text()).toBe(text)
    const section = await exports.handlers['exports.noteText']({ id: noteId, section_key: 'assessment' })
    expect(section.text).toBe('First line.\r\nSecond line.')
  })
})

test('an export says before it is saved which characters its file would show as boxes', async () => {
  const note = noteExport({}, { display_name: 'José Nguyễn Łukasz O’Neil 王 Арина עדי' })
  const { handlers } = exportsOf(spoken, 'linux', note)
  const unprintable = async (format: 'pdf' | 'docx' | 'txt') =>
    (await handlers['exports.note']({ id: noteId, format })).unprintable.join('')
  expect(await unprintable('pdf')).toBe('王עדי')
  expect(await unprintable('docx')).toBe('')
  expect(await unprintable('txt')).toBe('')
})
