import { unreadable } from './turns.ts'

const mostBytes = 8 * 1024 * 1024

/** UTF-8, or UTF-16 with its mark. Bytes that are no text are refused, not replaced by question marks. */
export function decodeText(content: Uint8Array): string {
  if (content.length > mostBytes) throw unreadable('The file is larger than 8 MB.')
  if (content.length === 0) throw unreadable('The file is empty.')
  const encoding = encodingOf(content)
  let text: string
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(content)
  } catch {
    throw unreadable('The file is not text in UTF-8 or UTF-16.')
  }
  if (text.includes('\0')) throw unreadable('The file is not a text file.')
  return text.replace(/\r\n?/g, '\n')
}

function encodingOf(content: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (content[0] === 0xff && content[1] === 0xfe) return 'utf-16le'
  if (content[0] === 0xfe && content[1] === 0xff) return 'utf-16be'
  return 'utf-8'
}
