import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import type { Clock } from '#base/clock.ts'
import { fieldRows, mapText, type Field, type NoteDocument } from './note-document.ts'
import { words } from './words.ts'

type Pdf = PDFKit.PDFDocument
type Part = PDFKit.PDFStructureElement

/** Points, 72 per inch. */
const margins = { top: 48, bottom: 68, left: 48, right: 48 }
const LABEL_WIDTH = 88
const KEEP_WITH_HEADING = 64
const CARD_PADDING = 11
const ink = '#1a1a1a'
const quiet = '#5b5f5d'
const rule = '#c9cfca'

/** `unprintable`: characters that the font lacks, each once. The PDF shows a box for each. */
export async function notePdf(document: NoteDocument, fonts: string, clock: Clock) {
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
  const { shown, unprintable } = legible(pdf, document)
  const root = pdf.struct('Document')
  pdf.addStructure(root)
  writeHead(pdf, root, shown)
  writeFields(pdf, root, shown.fields)
  writeBody(pdf, root, shown)
  if (unprintable.length > 0) paragraph(pdf, root, 'P', words.missing, caption)
  root.end()
  writeFeet(pdf, shown)
  pdf.end()
  return { bytes: await bytes, unprintable }
}

const widthOf = (pdf: Pdf): number => pdf.page.width - margins.left - margins.right

type Look = Partial<Readonly<Record<'size' | 'x' | 'width' | 'gap', number> & { font: 'strong'; colour: string; align: 'right' }>>

const small: Look = { size: 9, colour: quiet }
const caption: Look = { size: 8, colour: quiet, gap: 2 }

function optionsOf(pdf: Pdf, { size = 10, x = margins.left, width = widthOf(pdf) - x + margins.left, align }: Look) {
  return { x, width, lineGap: size * 0.25, ...(align && { align }) }
}

type Text = readonly [tag: string, text: string, look?: Look]

function heightOf(pdf: Pdf, texts: readonly Text[]): number {
  const heights = texts.map(([, text, look = {}]) =>
    pdf.font(look.font ?? 'regular', look.size ?? 10).heightOfString(text, optionsOf(pdf, look)),
  )
  return heights.reduce((sum, height) => sum + height, 0)
}

/** Writes one tagged element at `pdf.y`, which is then below it. */
function write(pdf: Pdf, root: Part, [tag, text, look = {}]: Text): void {
  const { x, ...options } = optionsOf(pdf, look)
  root.add(
    pdf.struct(tag, {}, () => {
      pdf.font(look.font ?? 'regular', look.size ?? 10).fillColor(look.colour ?? ink)
      pdf.text(text, x, pdf.y, options)
    }),
  )
}

function paragraph(pdf: Pdf, root: Part, ...text: Text): void {
  const height = heightOf(pdf, [text])
  if (height <= KEEP_WITH_HEADING) keep(pdf, height)
  write(pdf, root, text)
  pdf.y += text[2]?.gap ?? 4
}

function columns(pdf: Pdf, root: Part, ...all: readonly (readonly Text[])[]): void {
  const height = Math.max(...all.map((texts) => heightOf(pdf, texts)))
  keep(pdf, height)
  const top = pdf.y
  for (const texts of all) {
    pdf.y = top
    for (const text of texts) write(pdf, root, text)
  }
  pdf.y = top + height
}

function keep(pdf: Pdf, height: number): void {
  if (pdf.y + height > pdf.page.height - margins.bottom) pdf.addPage()
}

function writeHead(pdf: Pdf, root: Part, { practice, title, date, mark }: NoteDocument): void {
  const width = widthOf(pdf) / 2 - 10
  const right = { x: margins.left + width + 20, width, align: 'right' } as const
  columns(
    pdf,
    root,
    [
      ['P', practice.name, { width, font: 'strong', size: 10.5 }],
      ...practice.lines.map((text): Text => ['P', text, { ...small, width }]),
    ],
    [
      ['H1', title, { ...right, font: 'strong', size: 15 }],
      ['P', date, { ...right, ...small }],
      ...(mark === null ? [] : [['P', mark, { ...right, font: 'strong', size: 9 }] as const]),
    ],
  )
  line(pdf, pdf.y + 10, ink)
  pdf.y += 21
}

function line(pdf: Pdf, y: number, colour = rule): void {
  pdf.markContent('Artifact', { type: 'Layout' })
  pdf.moveTo(margins.left, y).lineTo(margins.left + widthOf(pdf), y)
  pdf.lineWidth(0.75).strokeColor(colour).stroke()
  pdf.endMarkedContent()
}

function writeFields(pdf: Pdf, root: Part, fields: readonly Field[]): void {
  const column = widthOf(pdf) / 2
  for (const row of fieldRows(fields)) {
    const width = (row.length === 1 ? widthOf(pdf) : column - 8) - LABEL_WIDTH
    const cells = row.flatMap(({ label, value }, index): Text[][] => {
      const x = margins.left + index * column
      return [
        [['P', `${label} `, { ...small, x, width: LABEL_WIDTH - 6 }]],
        [['P', value, { x: x + LABEL_WIDTH, width, size: 9, font: 'strong' }]],
      ]
    })
    columns(pdf, root, ...cells)
    pdf.y += 3
  }
  line(pdf, pdf.y + 4)
  pdf.y += 4
}

function writeBody(pdf: Pdf, root: Part, { sections, signatures, origin, addenda }: NoteDocument): void {
  for (const { title, paragraphs } of sections) {
    heading(pdf, root, title)
    for (const text of paragraphs) paragraph(pdf, root, 'P', text)
  }
  for (const signature of signatures) writeSignature(pdf, root, signature)
  if (origin !== null) paragraph(pdf, root, 'P', origin, caption)
  if (addenda.length > 0) heading(pdf, root, words.addenda)
  for (const addendum of addenda) {
    keep(pdf, Math.min(heightOf(pdf, [['P', addendum.text]]), KEEP_WITH_HEADING) + KEEP_WITH_HEADING)
    paragraph(pdf, root, 'H3', addendum.heading, { font: 'strong' })
    paragraph(pdf, root, 'P', addendum.reason, { colour: quiet })
    paragraph(pdf, root, 'P', addendum.text)
    paragraph(pdf, root, 'P', `${words.hash} ${addendum.hash}`, { ...caption, gap: 8 })
  }
}

function heading(pdf: Pdf, root: Part, text: string): void {
  pdf.y += 8
  keep(pdf, KEEP_WITH_HEADING)
  paragraph(pdf, root, 'H2', text, { font: 'strong', gap: 2 })
}

/** A card with the signer at the left, and how and when at the right. */
function writeSignature(pdf: Pdf, root: Part, { name, lines, how, at, hash }: NoteDocument['signatures'][number]): void {
  const half = widthOf(pdf) / 2
  const left = { x: margins.left + CARD_PADDING, width: half - CARD_PADDING - 6 }
  const right = { x: margins.left + half, width: half - CARD_PADDING }
  const who: Text[] = [
    ['P', name, { ...left, font: 'strong', size: 10.5 }],
    ...lines.map((text): Text => ['P', text, { ...left, ...small }]),
  ]
  const when: Text[] = [
    ['P', how, { ...right, font: 'strong', size: 9 }],
    ['P', at, { ...right, ...small }],
  ]
  const foot: Text = ['P', `${words.hash} ${hash}`, { ...caption, x: left.x }]
  pdf.y += 8
  keep(pdf, Math.max(heightOf(pdf, who), heightOf(pdf, when)) + heightOf(pdf, [foot]) + 2 * CARD_PADDING + 4)
  const top = pdf.y
  pdf.y += CARD_PADDING
  columns(pdf, root, who, when)
  pdf.y += 4
  write(pdf, root, foot)
  const height = pdf.y + CARD_PADDING - top
  pdf.markContent('Artifact', { type: 'Layout' })
  pdf.roundedRect(margins.left, top, widthOf(pdf), height, 4).lineWidth(0.75).strokeColor(rule).stroke()
  pdf.endMarkedContent()
  pdf.y = top + height + 6
}

function writeFeet(pdf: Pdf, { foot, mark }: NoteDocument): void {
  const { start, count } = pdf.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    pdf.switchToPage(page)
    // Without top and bottom margins, because pdfkit starts a new page for text below the bottom margin.
    pdf.page.margins = { ...margins, top: 0, bottom: 0 }
    const y = pdf.page.height - 42
    line(pdf, y - 8)
    pdf.font('regular', 8).fillColor(quiet)
    pdf.markContent('Artifact', { type: 'Pagination', attached: ['Bottom'] })
    let x = margins.left + widthOf(pdf)
    for (const text of [words.page(page - start + 1, count), mark ?? words.confidential]) {
      x -= pdf.widthOfString(text)
      pdf.text(text, x, y, { lineBreak: false })
      x -= 24
    }
    pdf.text(foot, margins.left, y, { width: x - margins.left, height: 10, ellipsis: true, lineBreak: false })
    pdf.endMarkedContent()
  }
}

const standIn = '□'

function legible(pdf: Pdf, document: NoteDocument): { shown: NoteDocument; unprintable: string[] } {
  // pdfkit's types leave out the current font.
  const { font } = (pdf as unknown as { _font: { font: { hasGlyphForCodePoint(codePoint: number): boolean } } })._font
  const unprintable = new Set<string>()
  /**
   * Keeps line breaks. Of the other characters that the font lacks, removes those that Unicode marks as ignorable by default,
   * and replaces the rest with a box.
   */
  const show = (text: string): string =>
    Array.from(text.normalize('NFC'), (letter) => {
      if (letter === '\n' || font.hasGlyphForCodePoint(letter.codePointAt(0)!)) return letter
      if (/\p{Default_Ignorable_Code_Point}/u.test(letter)) return ''
      unprintable.add(letter)
      return standIn
    }).join('')
  return { shown: mapText(document, show), unprintable: [...unprintable] }
}
