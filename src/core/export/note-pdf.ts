import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import type { Clock } from '#base/clock.ts'
import type { NoteDocument } from './note-document.ts'
import { marked, words } from './words.ts'

type Pdf = PDFKit.PDFDocument
type Part = PDFKit.PDFStructureElement

/** Points, 72 per inch. */
const margins = { top: 84, bottom: 72, left: 64, right: 64 }
const LABEL_WIDTH = 104
const KEEP_WITH_HEADING = 64
const ink = '#1d2420'
const quiet = '#55605a'
const rule = '#c9cfca'

export async function notePdf(document: NoteDocument, fonts: string, clock: Clock): Promise<Buffer> {
  const pdf = new PDFDocument({
    size: document.paper,
    margins,
    pdfVersion: '1.7',
    subset: 'PDF/A-2a',
    tagged: true,
    lang: document.language,
    displayTitle: true,
    bufferPages: true,
    font: join(fonts, 'Inter-Regular.ttf'),
    info: { Title: document.title, Creator: 'Afterword', Producer: 'Afterword', CreationDate: new Date(clock.now()) },
  })
  const bytes = buffer(pdf)
  pdf.registerFont('regular', join(fonts, 'Inter-Regular.ttf'))
  pdf.registerFont('strong', join(fonts, 'Inter-SemiBold.ttf'))
  const shown = legible(pdf, document)
  writeBody(pdf, shown.document, shown.isWhole)
  writePageEdges(pdf, shown.document)
  pdf.end()
  return bytes
}

function writeBody(pdf: Pdf, document: NoteDocument, isWhole: boolean): void {
  const root = pdf.struct('Document')
  pdf.addStructure(root)
  paragraph(pdf, root, 'H1', document.title, { font: 'strong', size: 19 })
  if (document.mark !== null) paragraph(pdf, root, 'P', document.mark, { font: 'strong', size: 10.5 })
  pdf.moveDown(0.6)
  for (const field of document.fields) writeField(pdf, root, field)
  for (const section of document.sections) {
    heading(pdf, root, section.title)
    for (const statement of section.statements) paragraph(pdf, root, 'P', statement, {})
  }
  if (document.signature !== null) {
    heading(pdf, root, words.signature)
    paragraph(pdf, root, 'P', document.signature.line, {})
    hash(pdf, root, document.signature.hash)
  }
  if (document.addenda.length > 0) heading(pdf, root, words.addenda)
  for (const addendum of document.addenda) {
    keep(pdf, KEEP_WITH_HEADING)
    paragraph(pdf, root, 'H3', addendum.heading, { font: 'strong', size: 10 })
    paragraph(pdf, root, 'P', addendum.reason, { colour: quiet })
    paragraph(pdf, root, 'P', addendum.text, {})
    hash(pdf, root, addendum.hash)
  }
  if (!isWhole) {
    pdf.moveDown()
    paragraph(pdf, root, 'P', words.missing, { size: 8.5, colour: quiet })
  }
  root.end()
}

interface Look {
  font?: 'regular' | 'strong'
  size?: number
  colour?: string
}

function paragraph(pdf: Pdf, root: Part, tag: string, text: string, { font = 'regular', size = 10.5, colour = ink }: Look): void {
  const options = { lineGap: size * 0.3, paragraphGap: 4 }
  const width = pdf.page.width - margins.left - margins.right
  const height = pdf.font(font, size).heightOfString(text, { width, ...options })
  if (height <= KEEP_WITH_HEADING) keep(pdf, height)
  root.add(
    pdf.struct(tag, {}, () => {
      pdf.font(font, size).fillColor(colour).text(text, margins.left, pdf.y, options)
    }),
  )
}

function heading(pdf: Pdf, root: Part, text: string): void {
  pdf.y += 12
  keep(pdf, KEEP_WITH_HEADING)
  paragraph(pdf, root, 'H2', text, { font: 'strong', size: 12 })
}

function hash(pdf: Pdf, root: Part, value: string): void {
  paragraph(pdf, root, 'P', `${words.hash}: ${value}`, { size: 8, colour: quiet })
}

function writeField(pdf: Pdf, root: Part, { label, value }: NoteDocument['fields'][number]): void {
  const width = pdf.page.width - margins.left - margins.right - LABEL_WIDTH
  pdf.font('regular', 9.5)
  keep(pdf, pdf.heightOfString(value, { width, lineGap: 2 }))
  root.add(
    pdf.struct('P', {}, () => {
      const top = pdf.y
      pdf.fillColor(quiet).text(`${label} `, margins.left, top, { width: LABEL_WIDTH })
      pdf.fillColor(ink).text(value, margins.left + LABEL_WIDTH, top, { width, lineGap: 2 })
    }),
  )
  pdf.y += 2
}

function keep(pdf: Pdf, height: number): void {
  if (pdf.y + height > pdf.page.height - margins.bottom) pdf.addPage()
}

function writePageEdges(pdf: Pdf, document: NoteDocument): void {
  const { start, count } = pdf.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    pdf.switchToPage(page)
    const { width, height } = pdf.page
    // Without top and bottom margins, because pdfkit starts a new page for text below the bottom margin.
    pdf.page.margins = { top: 0, bottom: 0, left: margins.left, right: margins.right }
    edge(pdf, 'Top', 40, document.head.client, marked(document.head.session, document.mark))
    edge(pdf, 'Bottom', height - 48, document.signature?.line ?? document.mark ?? '', words.page(page - start + 1, count))
    pdf.markContent('Artifact', { type: 'Layout' })
    for (const y of [60, height - 56]) pdf.moveTo(margins.left, y).lineTo(width - margins.right, y)
    pdf.lineWidth(0.5).strokeColor(rule).stroke()
    pdf.endMarkedContent()
  }
}

function edge(pdf: Pdf, side: 'Top' | 'Bottom', y: number, left: string, right: string): void {
  const whole = pdf.page.width - margins.left - margins.right
  pdf.font('regular', 8).fillColor(quiet)
  const rightWidth = pdf.widthOfString(right) + 12
  pdf.markContent('Artifact', { type: 'Pagination', attached: [side] })
  pdf.text(left, margins.left, y, { width: whole - rightWidth, height: 10, ellipsis: true, lineBreak: false })
  pdf.text(right, margins.left + whole - rightWidth, y, { width: rightWidth, align: 'right', lineBreak: false })
  pdf.endMarkedContent()
}

const standIn = '□'

function legible(pdf: PDFKit.PDFDocument, document: NoteDocument): { document: NoteDocument; isWhole: boolean } {
  // pdfkit's types leave out the current font.
  const { font } = (pdf as unknown as { _font: { font: { hasGlyphForCodePoint(codePoint: number): boolean } } })._font
  let isWhole = true
  /**
   * Keeps line breaks. Of the other characters that the font lacks, removes those that Unicode marks as ignorable by default,
   * and replaces the rest with a box.
   */
  const show = (text: string): string =>
    Array.from(text.normalize('NFC'), (letter) => {
      if (letter === '\n' || font.hasGlyphForCodePoint(letter.codePointAt(0)!)) return letter
      if (/\p{Default_Ignorable_Code_Point}/u.test(letter)) return ''
      isWhole = false
      return standIn
    }).join('')
  const shown: NoteDocument = {
    ...document,
    head: { client: show(document.head.client), session: document.head.session },
    fields: document.fields.map(({ label, value }) => ({ label, value: show(value) })),
    sections: document.sections.map(({ title, statements }) => ({ title: show(title), statements: statements.map(show) })),
    signature: document.signature && { ...document.signature, line: show(document.signature.line) },
    addenda: document.addenda.map((addendum) => ({
      ...addendum,
      heading: show(addendum.heading),
      reason: show(addendum.reason),
      text: show(addendum.text),
    })),
  }
  return { document: shown, isWhole }
}
