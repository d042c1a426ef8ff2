import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

export interface Finding {
  readonly file: string
  readonly what: string
}

/** Long enough that encrypted bytes do not hold one by chance; EBML's four bytes alone would, once in a few gigabytes. */
const headers: Record<string, Buffer> = {
  'Opus header': Buffer.from('OpusHead'),
  'Ogg page': Buffer.from('OggS\0'),
  'WebM header': Buffer.from('\x42\x82\x84webm', 'latin1'),
  'SQLite header': Buffer.from('SQLite format 3\0'),
  'WAV header': Buffer.from('WAVEfmt '),
}

/** Every way the words could stand in a file: as typed and in small letters, UTF-8, UTF-16 of both orders, base64, JSON, URL. */
function spellings(words: string): [string, Buffer][] {
  return [...new Set([words, words.toLowerCase(), words.toUpperCase(), words.normalize('NFD')])].flatMap((text) => {
    const little = Buffer.from(text, 'utf16le')
    const escaped = [...text]
      .map((letter) => (letter > '~' ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}` : letter))
      .join('')
    return [
      ['UTF-8', Buffer.from(text, 'utf8')],
      ['UTF-16LE', little],
      ['UTF-16BE', Buffer.from(little).swap16()],
      ['JSON escapes', Buffer.from(escaped)],
      ['URL', Buffer.from(encodeURIComponent(text))],
      // Base64 of the middle, in each of the three places a word can begin.
      ...[0, 1, 2].map((shift): [string, Buffer] => {
        const shifted = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)])
        return [
          'base64',
          Buffer.from(
            shifted
              .toString('base64')
              .slice(shift === 0 ? 0 : 4)
              .replace(/.{0,4}$/, ''),
          ),
        ]
      }),
    ] satisfies [string, Buffer][]
  })
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return unlessGone(() => filesBelow(path)) ?? []
    return entry.isFile() ? path : []
  })
}

/** A running browser renames and deletes files. A file that no longer exists holds nothing. */
function unlessGone<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const contentOf = (path: string): Buffer => unlessGone(() => readFileSync(path)) ?? Buffer.alloc(0)

/** Looks through every byte of every file, and through the names of the files. */
export function findWords(folder: string, phrases: readonly string[]): Finding[] {
  const needles = phrases.flatMap((phrase) => spellings(phrase).map(([as, bytes]) => ({ what: `"${phrase}" as ${as}`, bytes })))
  return filesBelow(folder).flatMap((path) => {
    const content = Buffer.concat([Buffer.from(relative(folder, path)), contentOf(path)])
    return needles
      .filter(({ bytes }) => bytes.length >= 4 && content.includes(bytes))
      .map(({ what }) => ({ file: relative(folder, path), what }))
  })
}

/** Sound or databases in the open: their headers, anywhere in a file. */
export function findHeaders(folder: string): Finding[] {
  return filesBelow(folder).flatMap((path) => {
    const content = contentOf(path)
    return Object.entries(headers)
      .filter(([, bytes]) => content.includes(bytes))
      .map(([what]) => ({ file: relative(folder, path), what }))
  })
}
