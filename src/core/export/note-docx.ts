import {
  AlignmentType,
  BorderStyle,
  Document,
  Footer,
  HeadingLevel,
  type IParagraphOptions,
  type IRunOptions,
  type IStylesOptions,
  type ITableBordersOptions,
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
import { fieldRows, type Field, type NoteDocument } from './note-document.ts'
import { words } from './words.ts'

/** In this file, lengths are in twentieths of a point and font sizes in half points. */
const page = { LETTER: { width: 12_240, height: 15_840 }, A4: { width: 11_906, height: 16_838 } }
const MARGIN = 1080
const LABEL_WIDTH = 1800
const quiet = '55605A'
const rule = 'C9CFCA'

export async function noteDocx(document: NoteDocument): Promise<Buffer> {
  const width = page[document.paper].width - 2 * MARGIN
  const file = new Document({
    title: document.title,
    creator: 'Afterword',
    lastModifiedBy: 'Afterword',
    styles: { default: stylesOf(document) },
    sections: [
      {
        properties: { page: { size: page[document.paper], margin: { top: MARGIN, bottom: 1300, left: MARGIN, right: MARGIN } } },
        footers: { default: new Footer({ children: [footOf(document, width)] }) },
        children: bodyOf(document, width),
      },
    ],
  })
  return Buffer.from(await Packer.toBuffer(file))
}

function bodyOf(document: NoteDocument, width: number): (Paragraph | Table)[] {
  const { sections, signatures, origin, addenda } = document
  return [
    headTable(document, width),
    space(ruled),
    fieldTable(document.fields, width),
    space(ruled),
    ...sections.flatMap(({ title, paragraphs }) => [heading(title), ...paragraphs.map((text) => paragraph(text))]),
    ...signatures.flatMap((signature) => [space(), signatureTable(signature, width)]),
    ...(origin === null ? [] : [paragraph(origin, small, { spacing: { before: 80 } })]),
    ...(addenda.length === 0 ? [] : [heading(words.addenda)]),
    ...addenda.flatMap(({ heading: text, reason, text: added, hash }) => [
      paragraph(text, {}, { heading: HeadingLevel.HEADING_3, keepNext: true }),
      paragraph(reason),
      paragraph(added),
      paragraph(`${words.hash} ${hash}`, small),
    ]),
  ]
}

const none = { style: BorderStyle.NONE, size: 0, color: 'auto' }
const thin = { style: BorderStyle.SINGLE, size: 6, color: rule }
const noLines = { top: none, bottom: none, left: none, right: none, insideHorizontal: none, insideVertical: none }
const card = { ...noLines, top: thin, bottom: thin, left: thin, right: thin }
const ruled = { border: { bottom: thin } }

const small = { size: 17, color: quiet }
const strong = { size: 18, bold: true }
const tight = { spacing: { after: 20 } }

function paragraph(text: string, look: IRunOptions = {}, options: IParagraphOptions = {}): Paragraph {
  const runs = text.split('\n').map((line, index) => new TextRun({ ...look, text: line, ...(index > 0 && { break: 1 }) }))
  return new Paragraph({ ...options, children: runs })
}

const space = (options: IParagraphOptions = {}): Paragraph => paragraph('', { size: 8 }, { spacing: { after: 120 }, ...options })

const heading = (title: string): Paragraph => paragraph(title, {}, { heading: HeadingLevel.HEADING_2, keepNext: true })

type Text = readonly [text: string, look: IRunOptions, options?: IParagraphOptions]

const cellOf = (size: number, texts: readonly Text[], columnSpan = 1): TableCell =>
  new TableCell({
    width: { size, type: WidthType.DXA },
    columnSpan,
    children: texts.map(([text, look, options]) => paragraph(text, look, { ...tight, ...options })),
  })

const tableOf = (columnWidths: number[], borders: ITableBordersOptions, rows: TableCell[][]): Table =>
  new Table({
    columnWidths,
    borders,
    width: { size: columnWidths.reduce((sum, size) => sum + size, 0), type: WidthType.DXA },
    rows: rows.map((children) => new TableRow({ cantSplit: true, children })),
  })

function headTable({ practice, title, date, mark }: NoteDocument, width: number): Table {
  const half = width / 2
  const right = { alignment: AlignmentType.RIGHT }
  const own: Text[] = [[practice.name, { bold: true }], ...practice.lines.map((line): Text => [line, small])]
  const name: Text[] = [
    [title, {}, { ...right, heading: HeadingLevel.HEADING_1 }],
    [date, small, right],
  ]
  return tableOf([half, half], noLines, [
    [cellOf(half, own), cellOf(half, mark === null ? name : [...name, [mark, strong, right]])],
  ])
}

function fieldTable(fields: readonly Field[], width: number): Table {
  const half = width / 2 - LABEL_WIDTH
  const rows = fieldRows(fields).map((row) =>
    row.flatMap(({ label, value }) => [
      cellOf(LABEL_WIDTH, [[label, small]]),
      row.length === 1 ? cellOf(width - LABEL_WIDTH, [[value, strong]], 3) : cellOf(half, [[value, strong]]),
    ]),
  )
  return tableOf([LABEL_WIDTH, half, LABEL_WIDTH, half], noLines, rows)
}

function signatureTable({ name, lines, how, at, hash }: NoteDocument['signatures'][number], width: number): Table {
  const who: Text[] = [[name, { bold: true }], ...lines.map((line): Text => [line, small])]
  const when: Text[] = [
    [how, strong],
    [at, small],
  ]
  return tableOf([width / 2, width / 2], card, [
    [cellOf(width / 2, who), cellOf(width / 2, when)],
    [cellOf(width, [[`${words.hash} ${hash}`, small]], 2)],
  ])
}

function footOf({ foot, mark }: NoteDocument, width: number): Paragraph {
  const [before, between] = words.page(1, 2).split(/[12]/) as [string, string]
  const texts = [
    `${foot} · ${mark ?? words.confidential}`,
    new Tab(),
    before,
    PageNumber.CURRENT,
    between,
    PageNumber.TOTAL_PAGES,
  ]
  const tabStops = [{ type: TabStopType.RIGHT, position: width }]
  return new Paragraph({ tabStops, border: { top: thin }, children: [new TextRun({ ...small, size: 16, children: texts })] })
}

function stylesOf(document: NoteDocument): NonNullable<IStylesOptions['default']> {
  const face = { font: 'Calibri', color: '1D2420' }
  const titled = (size: number, before: number) => ({
    run: { ...face, size, bold: true },
    paragraph: { spacing: { before, after: 40 } },
  })
  return {
    document: { run: { ...face, size: 21, language: { value: document.language } }, paragraph: { spacing: { after: 100 } } },
    heading1: titled(30, 0),
    heading2: titled(21, 200),
    heading3: titled(21, 160),
  }
}
