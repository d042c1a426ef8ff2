import type { NoteDocument } from './note-document.ts'
import { words } from './words.ts'

/** For pasting into a record system: headings, hyphens, plain characters, lines ended as Windows wants them. */
export function noteText(document: NoteDocument): string {
  const blocks = [
    [document.title.toUpperCase(), ...(document.mark === null ? [] : [document.mark])],
    document.fields.map(({ label, value }) => `${label}: ${value}`),
    ...document.sections.map(({ title, statements }) => [title.toUpperCase(), ...statements.map(bullet)]),
    ...(document.signature === null ? [] : [[document.signature.line, `${words.hash}: ${document.signature.hash}`]]),
    ...document.addenda.map(({ heading, reason, text, hash }) => [heading, reason, text, `${words.hash}: ${hash}`]),
  ]
  const text = blocks.map((lines) => lines.join('\n')).join('\n\n')
  return `${typewriter(text).replaceAll('\n', '\r\n')}\r\n`
}

function bullet(statement: string): string {
  return `- ${statement.replace(/\n+/g, '\n  ')}`
}

/** Older record systems turn typographic signs into question marks. Letters stay as they are. */
function typewriter(text: string): string {
  return text
    .replace(/[\u2018\u2019\u201a\u2032]/g, "'")
    .replace(/[\u201c\u201d\u201e\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u00a0\u2000-\u200a\u202f]/g, ' ')
    .replace(/[\u200b-\u200d\u2060]/g, '')
    .replaceAll('\u2026', '...')
    .replaceAll(/[\u2022\u00b7]/g, '-')
}
