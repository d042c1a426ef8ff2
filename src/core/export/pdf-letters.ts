import type { NoteDocument } from './note-document.ts'

const standIn = '□'

/** The font pdfkit holds; its published types leave it out. */
interface WithFont {
  _font: { font: { hasGlyphForCodePoint(codePoint: number): boolean } }
}

/**
 * Puts a box where the font has no letter, and says whether that happened: left alone, the letter would vanish from a
 * clinical document without a word. The font has Latin, Greek and Cyrillic.
 */
export function legible(pdf: PDFKit.PDFDocument, document: NoteDocument): { document: NoteDocument; isWhole: boolean } {
  const { font } = (pdf as unknown as WithFont)._font
  let isWhole = true
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
