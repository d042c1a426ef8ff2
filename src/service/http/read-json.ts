import { AppError } from '#contract/errors.ts'

/** Far deeper than any body of the contract; what walks a value then never runs out of stack. */
const deepest = 64
const quote = 0x22
const backslash = 0x5c
/** A bracket and a brace differ in this bit alone. */
const braceBit = 0x20
const opening = 0x5b
const closing = 0x5d

/** @throws AppError `bad-request`, `validation-failed`; neither says what stood there */
export function readJson(bytes: Uint8Array): unknown {
  if (isTooDeep(bytes)) throw new AppError('bad-request', 'The body is nested too deeply.')
  const text = decoded(bytes)
  if (hasNul(text)) throw nul('')
  try {
    return JSON.parse(text)
  } catch {
    // The parser's message quotes what it stumbled on.
    throw new AppError('bad-request', 'The body is not JSON.')
  }
}

/** A sign that no text has, and that PostgreSQL takes in none. */
export function nul(pointer: string): AppError {
  const message = 'text cannot have the character U+0000'
  return new AppError('validation-failed', undefined, [{ pointer, code: 'invalid_character', message }])
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new AppError('bad-request', 'The body is not UTF-8.')
  }
}

/** Bare it is not JSON anyway; escaped it is preceded by an even number of backslashes. */
function hasNul(text: string): boolean {
  // A search for the backslash first would stop at each line break of a long text.
  return text.includes('u0000') && /(?<!\\)(?:\\\\)*\\u0000/.test(text)
}

function isTooDeep(bytes: Uint8Array): boolean {
  let depth = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (byte === quote) at = endOfText(bytes, at)
    else if ((byte & ~braceBit) === opening && (depth += 1) > deepest) return true
    else if ((byte & ~braceBit) === closing) depth -= 1
  }
  return false
}

/** The quote that ends what this one begins; texts are most of a large body, and are leapt over. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let end = start; ;) {
    end = bytes.indexOf(quote, end + 1)
    if (end === -1) return bytes.length
    let before = end
    while (bytes[before - 1] === backslash) before -= 1
    if ((end - before) % 2 === 0) return end
  }
}
