import { execFileSync } from 'node:child_process'
import { unzip } from '#test/support/unzip.ts'

/** The text of a PDF as another program reads it, on one line. */
export function readPdf(file: Buffer): string {
  return execFileSync('pdftotext', ['-', '-'], { input: file, maxBuffer: 64 << 20 })
    .toString()
    .replace(/\s+/g, ' ')
}

export function readDocx(file: Buffer): string {
  const body = unzip(file).get('word/document.xml') ?? ''
  const text = body.replace(/<\/w:p>/g, ' ').replace(/<[^>]+>/g, '')
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
}
