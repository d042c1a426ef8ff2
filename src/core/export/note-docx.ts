import {
  AlignmentType,
  BorderStyle,
  Document,
  Footer,
  Header,
  HeadingLevel,
  type IStylesOptions,
  Packer,
  PageNumber,
  Paragraph,
  Tab,
  Table,
  TableCell,
  TableRow,
  TabStopType,
  TextRun,
  WidthType,
} from 'docx'
import type { NoteDocument } from './note-document.ts'
import { marked, words } from './words.ts'

/** In this file, lengths are in twentieths of a point and font sizes in half points. */
const page = { LETTER: { width: 12_240, height: 15_840 }, A4: { width: 11_906, height: 16_838 } }
const MARGIN = 1280
const LABEL_WIDTH = 2200
const quiet = '55605A'

export async function noteDocx(document: NoteDocument): Promise<Buffer> {
  const width = page[document.paper].width - 2 * MARGIN
  const file = new Document({
    title: document.title,
    creator: 'Afterword',
    lastModifiedBy: 'Afterword',
    styles: { default: stylesOf(document) },
    sections: [
      {
        properties: { page: { size: page[document.paper], margin: { top: 1500, bottom: 1300, left: MARGIN, right: MARGIN } } },
        headers: {
          default: new Header({
            children: [edge(width, document.head.client, text(marked(document.head.session, document.mark)))],
          }),
        },
        footers: {
          default: new Footer({ children: [edge(width, document.signature?.line ?? document.mark ?? '', pageNumber())] }),
        },
        children: bodyOf(document, width),
      },
    ],
  })
  return Buffer.from(await Packer.toBuffer(file))
}

function bodyOf(document: NoteDocument, width: number): (Paragraph | Table)[] {
  const body: (Paragraph | Table)[] = [new Paragraph({ text: document.title, heading: HeadingLevel.HEADING_1 })]
  if (document.mark !== null) body.push(new Paragraph({ children: [new TextRun({ text: document.mark, bold: true })] }))
  body.push(fieldTable(document.fields, width))
  for (const { title, statements } of document.sections)
    body.push(heading(title), ...statements.map((statement) => paragraph(statement)))
  if (document.signature !== null)
    body.push(heading(words.signature), paragraph(document.signature.line), hash(document.signature.hash))
  if (document.addenda.length > 0) body.push(heading(words.addenda))
  for (const addendum of document.addenda) {
    body.push(
      new Paragraph({ text: addendum.heading, heading: HeadingLevel.HEADING_3, keepNext: true }),
      paragraph(addendum.reason),
      paragraph(addendum.text),
      hash(addendum.hash),
    )
  }
  return body
}

function fieldTable(fields: NoteDocument['fields'], width: number): Table {
  const none = { style: BorderStyle.NONE, size: 0, color: 'auto' }
  const cell = (content: string, columnWidth: number, color?: string): TableCell =>
    new TableCell({
      width: { size: columnWidth, type: WidthType.DXA },
      children: [
        new Paragraph({
          spacing: { after: 20 },
          children: [new TextRun({ text: content, ...(color === undefined ? {} : { color }) })],
        }),
      ],
    })
  return new Table({
    width: { size: width, type: WidthType.DXA },
    columnWidths: [LABEL_WIDTH, width - LABEL_WIDTH],
    borders: { top: none, bottom: none, left: none, right: none, insideHorizontal: none, insideVertical: none },
    rows: fields.map(
      ({ label, value }) =>
        new TableRow({ cantSplit: true, children: [cell(label, LABEL_WIDTH, quiet), cell(value, width - LABEL_WIDTH)] }),
    ),
  })
}

const heading = (title: string): Paragraph => new Paragraph({ text: title, heading: HeadingLevel.HEADING_2, keepNext: true })

const paragraph = (content: string): Paragraph =>
  new Paragraph({
    children: content.split('\n').map((line, index) => new TextRun(index === 0 ? { text: line } : { text: line, break: 1 })),
  })

function hash(value: string): Paragraph {
  return new Paragraph({ children: [new TextRun({ text: `${words.hash}: ${value}`, size: 16, color: quiet })] })
}

const edge = (width: number, left: string, right: TextRun): Paragraph =>
  new Paragraph({
    tabStops: [{ type: TabStopType.RIGHT, position: width }],
    alignment: AlignmentType.LEFT,
    children: [text(left), new TextRun({ children: [new Tab()] }), right],
  })

const text = (content: string): TextRun => new TextRun({ text: content, size: 16, color: quiet })

function pageNumber(): TextRun {
  const [before, between] = words.page(1, 2).split(/[12]/) as [string, string]
  return new TextRun({ size: 16, color: quiet, children: [before, PageNumber.CURRENT, between, PageNumber.TOTAL_PAGES] })
}

function stylesOf(document: NoteDocument): NonNullable<IStylesOptions['default']> {
  const face = { font: 'Calibri', color: '1D2420' }
  const titled = (size: number, before: number) => ({
    run: { ...face, size, bold: true },
    paragraph: { spacing: { before, after: 80 } },
  })
  return {
    document: { run: { ...face, size: 22, language: { value: document.language } }, paragraph: { spacing: { after: 100 } } },
    heading1: titled(38, 0),
    heading2: titled(25, 280),
    heading3: titled(22, 160),
  }
}
