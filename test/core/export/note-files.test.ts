import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { noteDocument } from '#core/export/note-document.ts'
import { noteDocx } from '#core/export/note-docx.ts'
import type { NoteExport } from '#core/export/words.ts'
import { notePdf } from '#core/export/note-pdf.ts'
import { noteText } from '#core/export/exports.ts'
import { leftOut } from '#test/support/left-out.ts'
import { findProgram } from '#test/support/machine.ts'
import { unzip } from '#test/support/unzip.ts'
import { longNote, noteExport, paragraphs, resources, signed, stillClock } from './export-fixture.ts'

const pdf = (source: NoteExport): Promise<Buffer> => notePdf(noteDocument(source), join(resources, 'fonts'), stillClock)
const pages = (bytes: Buffer): number => Number(/\/Type \/Pages\n\/Count (\d+)/.exec(bytes.toString('latin1'))?.[1])
const joined = (text: string): string => text.replace(/\s+/g, '')
const reader = findProgram('pdftotext')
const noReader = leftOut('reading exported PDFs back', reader ? null : 'no pdftotext (Debian: poppler-utils)')
const read = (bytes: Buffer): string[] =>
  execFileSync(reader!, ['-layout', '-', '-'], { input: bytes }).toString().split('\f').slice(0, -1)

describe('a note as PDF', () => {
  test('is tagged, names its language, and brings its own fonts', async () => {
    const bytes = (await pdf(noteExport(signed))).toString('latin1')
    for (const part of ['/Marked true', '/StructTreeRoot', '/Lang (en)', '/DisplayDocTitle true', '/FontFile2', '/OutputIntents'])
      expect(bytes).toContain(part)
    expect(bytes).not.toMatch(/Helvetica|\/JavaScript|\/Launch|\/URI/)
  })

  test('carries neither the client in its properties nor anything outside its pages', async () => {
    const { info } = { info: (await pdf(noteExport(signed))).toString('latin1') }
    expect(info).not.toContain('apkov')
    expect(info).toContain('(SOAP note)')
  })

  test.skipIf(noReader)(
    'holds every statement, in Latin, Greek and Cyrillic, unbroken words and code-like signs too',
    async () => {
      const text = joined(read(await pdf(noteExport())).join(''))
      for (const paragraph of paragraphs) expect(text).toContain(joined(paragraph))
      for (const value of [
        'Élodie Čapková',
        'Γιώργος Παπαδόπουλος (partner)',
        '3:02 PM to 3:51 PM CST (49 minutes)',
        'Objective Not assessed.',
      ])
        expect(text).toContain(joined(value))
      expect(text).not.toContain('neverexported')
    },
  )

  test.skipIf(noReader)('says on every page that a draft is not signed', async () => {
    const found = read(await pdf(noteExport({ ...longNote(), status: 'draft', signature: null, addenda: [] })))
    expect(found.length).toBeGreaterThanOrEqual(3)
    for (const page of found) expect(page).toContain('Draft, not signed')
    for (const page of read(await pdf(noteExport(longNote())))) expect(page).not.toContain('Draft')
  })

  test.skipIf(noReader)(
    'shows client, session and page on each of many pages, and the signature with its hash at the end',
    async () => {
      const bytes = await pdf(noteExport(longNote()))
      const found = read(bytes)
      expect(pages(bytes)).toBe(found.length)
      found.forEach((page, index) => {
        for (const part of [
          'Élodie Čapková',
          'DAP note · November 24, 2026',
          'Signed electronically by Dr. Zoë Müller-Łukasz, LMFT',
          `Page ${index + 1} of ${found.length}`,
        ])
          expect(page).toContain(part)
      })
      const last = joined(found.at(-1)!)
      for (const part of [
        'a'.repeat(64),
        'Addendum 1, by Dr. Zoë Müller-Łukasz on November 26, 2026',
        'Reason: A name was misheard.',
        'The sister is called Hanna.',
        'b'.repeat(64),
      ])
        expect(last).toContain(joined(part))
    },
  )

  test.skipIf(noReader)('carries a paragraph of the greatest length over the page without losing a word', async () => {
    const source = noteExport()
    const text = Array.from({ length: 570 }, (_, word) => `word${word}`).join(' ')
    expect(text.length).toBeGreaterThan(3900)
    for (const section of source.note.sections) for (const statement of section.statements) statement.text = text
    const found = read(await pdf(source))
    expect(found.length).toBeGreaterThan(3)
    expect(found.join(' ').match(/\bword\d+\b/g)).toEqual(Array.from({ length: 6 * 570 }, (_, word) => `word${word % 570}`))
  })

  test.skipIf(noReader)('says so where the font has no letter for a character', async () => {
    const foreign = read(await pdf(noteExport({}, { display_name: 'שלום Levi' }))).join('')
    expect(foreign).toContain('□□□□ Levi')
    expect(foreign).toContain('stands for a character')
    expect(read(await pdf(noteExport())).join('')).not.toContain('□')
  })

  test.skipIf(noReader)('cuts a very long name in the head of the page and shows it whole below', async () => {
    const name = 'Wolfeschlegelsteinhausenbergerdorff '.repeat(5).trim()
    const [page] = read(await pdf(noteExport({}, { display_name: name })))
    expect(page!.split('\n')[0]).toContain('SOAP note · November 24, 2026')
    expect(joined(page!)).toContain(joined(name))
  })

  test('writes dates and times as its locale does', () => {
    const rows = (locale: string) =>
      Object.fromEntries(noteDocument({ ...noteExport(signed), locale }).fields.map(({ label, value }) => [label, value]))
    expect(rows('en-US')).toMatchObject({
      'Date of birth': 'January 31, 1990',
      'Date of session': 'Tuesday, November 24, 2026',
      Time: '3:02 PM to 3:51 PM CST (49 minutes)',
    })
    expect(rows('en-GB')).toMatchObject({
      'Date of birth': '31 January 1990',
      'Date of session': 'Tuesday, 24 November 2026',
      Time: '15:02 to 15:51 GMT-6 (49 minutes)',
    })
  })

  test('takes the paper of the locale’s region', () => {
    const here = noteExport()
    expect(noteDocument(here).paper).toBe('LETTER')
    expect(noteDocument({ ...here, locale: 'es-MX' }).paper).toBe('LETTER')
    expect(noteDocument({ ...here, locale: 'en-GB' })).toMatchObject({ paper: 'A4', file_stem: 'note-2026-11-24' })
  })
})

describe('a note as DOCX', () => {
  test('is well-formed and holds every part', async () => {
    const files = unzip(await noteDocx(noteDocument(noteExport(signed))))
    const body = files.get('word/document.xml')!
    const text = body
      .replace(/<[^>]+>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
    for (const part of [
      ...paragraphs,
      'Élodie Čapková',
      'Not assessed.',
      'Reason: A name was misheard.',
      'a'.repeat(64),
      'b'.repeat(64),
    ])
      expect(text).toContain(part)
    for (const style of ['Heading1', 'Heading2', 'Heading3']) expect(body).toContain(`w:val="${style}"`)
    // XML 1.0 forbids control characters, and Word then refuses the file.
    for (const [name, xml] of files) if (name.endsWith('.xml')) expect(xml, name).not.toMatch(/[^\P{Cc}\n\r\t]/u)
    expect(files.get('docProps/core.xml')).not.toContain('Čapková')
  })

  test('has client, session and mark in its header, pages in its footer', async () => {
    const files = unzip(await noteDocx(noteDocument(noteExport())))
    const header = files.get('word/header1.xml')!
    for (const part of ['Élodie Čapková', 'SOAP note · November 24, 2026 · Draft, not signed']) expect(header).toContain(part)
    const footer = files.get('word/footer1.xml')!
    for (const part of ['PAGE', 'NUMPAGES', 'Draft, not signed']) expect(footer).toContain(part)
  })
})

describe('a note as plain text', () => {
  test('reads as it will be pasted', () => {
    expect(noteText(noteDocument(noteExport(signed)))).toMatchSnapshot()
  })

  test('ends every line as Windows wants it and has no typographic sign or control character', () => {
    const text = noteText(noteDocument(noteExport()))
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect(text).not.toMatch(/[\u2010-\u2027\u00a0\u202e]|[^\P{Cc}\r\n]/u)
    expect(text).toContain('- First line.\r\n  Second line.\r\n')
    expect(text).toContain('Draft, not signed')
  })
})
