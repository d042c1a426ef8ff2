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

const pdf = async (source: NoteExport): Promise<Buffer> =>
  (await notePdf(noteDocument(source), join(resources, 'fonts'), stillClock)).bytes
const pages = (bytes: Buffer): number => Number(/\/Type \/Pages\n\/Count (\d+)/.exec(bytes.toString('latin1'))?.[1])
const joined = (text: string): string => text.replace(/\s+/g, '')
const reader = findProgram('pdftotext')
const noReader = leftOut('reading exported PDFs back', reader ? null : 'no pdftotext (Debian: poppler-utils)')
const rows = (source: NoteExport) => Object.fromEntries(noteDocument(source).fields.map(({ label, value }) => [label, value]))
/** @param isInOrder as it was written, column by column, in place of line by line */
const read = (bytes: Buffer, isInOrder = false): string[] =>
  execFileSync(reader!, [isInOrder ? '-raw' : '-layout', '-', '-'], { input: bytes })
    .toString()
    .split('\f')
    .slice(0, -1)

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
        '3:02 PM – 3:51 PM (49 min)',
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
          'Élodie Čapková · AS-00417 · DAP note, November 24, 2026',
          'Confidential health information',
          `Page ${index + 1} of ${found.length}`,
        ])
          expect(page).toContain(part)
      })
      const last = joined(found.at(-1)!)
      for (const part of [
        'Signed electronically',
        'November 24, 2026 at 4:10 PM CST',
        'License L00000 (Oregon) · NPI 1234567893',
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

  test.skipIf(noReader)(
    'shows names in many alphabets in title and text, and says so where its font lacks a letter',
    async () => {
      const names = 'José Nguyễn Łukasz O’Neil Арина Ελένη'
      const named = (form_name: string, text: string): NoteExport => {
        const source = noteExport({ template: 'own:01935d1c-0000-7000-8000-000000000009' }, { display_name: text })
        source.note.sections[1]!.title = text
        return { ...source, form_name }
      }
      const shown = joined(read(await pdf(named(names, names)), true).join(''))
      expect(shown.split(joined(names)).length - 1).toBeGreaterThanOrEqual(3)
      expect(shown).not.toContain('□')
      const foreign = read(await pdf(named('王 Note', 'עדי Levi')), true).join('')
      for (const part of ['□ Note', '□□□ Levi', 'stands for a character']) expect(foreign).toContain(part)
    },
  )

  test.skipIf(noReader)('cuts a very long name at the foot of the page and shows it whole above', async () => {
    const name = 'Wolfeschlegelsteinhausenbergerdorff '.repeat(5).trim()
    const bytes = await pdf(noteExport({}, { display_name: name }))
    const [page] = read(bytes)
    expect(page!.trimEnd().split('\n').at(-1)).toMatch(/…\s+Draft, not signed\s+Page 1 of 1$/)
    expect(joined(read(bytes, true)[0]!)).toContain(joined(name))
  })

  test('writes dates and times as its locale does', () => {
    const here = noteExport(signed)
    expect(noteDocument(here).date).toBe('Tuesday, November 24, 2026')
    expect(rows(here)).toMatchObject({
      'Date of birth': 'January 31, 1990',
      'Start and stop': '3:02 PM – 3:51 PM (49 min)',
      'Time zone': 'Central Standard Time',
    })
    const british = { ...here, locale: 'en-GB' }
    expect(noteDocument(british).date).toBe('Tuesday, 24 November 2026')
    expect(rows(british)).toMatchObject({ 'Date of birth': '31 January 1990', 'Start and stop': '15:02 – 15:51 (49 min)' })
  })

  test('takes the paper of the locale’s region', async () => {
    const here = noteExport()
    for (const [locale, box] of [
      ['en-US', '[0 0 612 792]'],
      ['de-DE', '[0 0 595.28 841.89]'],
    ] as const)
      expect((await pdf({ ...here, locale })).toString('latin1')).toContain(`/MediaBox ${box}`)
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
      'Riverside Practice',
      '218 Alder Street, Suite 4, Ridgemont, OR 97000',
      'AS-00417',
      '90834 Psychotherapy, 45 minutes',
      'License L00000 (Oregon) · NPI 1234567893',
      'Signed electronically',
      'All other details: from the records on November 28, 2026.',
    ])
      expect(text).toContain(part)
    for (const style of ['Heading1', 'Heading2', 'Heading3']) expect(body).toContain(`w:val="${style}"`)
    // XML 1.0 forbids control characters, and Word then refuses the file.
    for (const [name, xml] of files) if (name.endsWith('.xml')) expect(xml, name).not.toMatch(/[^\P{Cc}\n\r\t]/u)
    expect(files.get('docProps/core.xml')).not.toContain('Čapková')
  })

  test('has client, session, mark and pages in its footer, and the paper of the locale', async () => {
    const files = unzip(await noteDocx(noteDocument({ ...noteExport(), locale: 'en-GB' })))
    const footer = files.get('word/footer1.xml')!
    for (const part of ['Élodie Čapková · AS-00417', 'SOAP note, 24 November 2026', 'PAGE', 'NUMPAGES', 'Draft, not signed'])
      expect(footer).toContain(part)
    expect(files.get('word/document.xml')).toContain('w:w="11906" w:h="16838"')
  })

  test('keeps the letters of every name', async () => {
    const name = 'José Nguyễn Łukasz O’Neil 王 Арина עדי'
    const files = unzip(await noteDocx(noteDocument(noteExport({}, { display_name: name }))))
    expect(files.get('word/document.xml')).toContain(name)
  })
})

describe('a note as plain text', () => {
  const text = (source: NoteExport): string => noteText(noteDocument(source), '\n')

  test('reads as it will be pasted', () => {
    expect(text(noteExport(signed))).toMatchSnapshot()
  })

  test('is one line a paragraph, without markup or control characters, and keeps quotes and dashes as they are', () => {
    const found = text(noteExport())
    expect(found).not.toMatch(/^[-*•#]|[^\P{Cc}\n]|\u202e/mu)
    expect(found).toContain('“ας δούμε” (let us see). Both described')
    expect(found).toContain('without phones — each evening. Next visit')
    expect(found).toContain('First line.\nSecond line.\n')
    expect(found).toContain('Draft, not signed')
  })

  test('has the headings of its template in their order', () => {
    const source = noteExport()
    const sections = ['Presenting Concerns', 'Plan', 'Interventions Used'].map((title, index) => ({
      ...source.note.sections[0]!,
      key: `part${index}`,
      title,
    }))
    const found = text({ ...source, note: { ...source.note, template: 'own:01935d1c-0000-7000-8000-000000000009', sections } })
    expect(found.match(/^[A-Z ]+$/gm)?.slice(1)).toEqual(['PRESENTING CONCERNS', 'PLAN', 'INTERVENTIONS USED'])
  })
})
