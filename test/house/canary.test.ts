import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findHeaders, findWords } from '#test/support/canary.ts'

// The search of the end-to-end canary test is itself tested: it must find what is planted.
const folder = mkdtempSync(join(tmpdir(), 'afterword-canary-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const phrase = 'Quillon Ferreira-Ždánská'
const around = (bytes: Buffer): Buffer => Buffer.concat([Buffer.alloc(1000, 7), bytes, Buffer.alloc(1000, 9)])

test.each([
  ['UTF-8', Buffer.from(phrase)],
  ['UTF-16LE', Buffer.from(phrase, 'utf16le')],
  ['UTF-16BE', Buffer.from(phrase, 'utf16le').swap16()],
  ['small letters', Buffer.from(phrase.toLowerCase())],
  ['base64', Buffer.from(Buffer.from(`{"name":"${phrase}"}`).toString('base64'))],
  ['URL', Buffer.from(`?q=${encodeURIComponent(phrase)}`)],
])('a name written as %s is found', (name, bytes) => {
  const file = `${name.replaceAll(' ', '-')}.bin`
  writeFileSync(join(folder, file), around(bytes))
  expect(findWords(folder, [phrase]).some((finding) => finding.file === file)).toBe(true)
  rmSync(join(folder, file))
})

test('a name in a file’s name is found', () => {
  writeFileSync(join(folder, `${phrase}.txt`), '')
  expect(findWords(folder, [phrase])).not.toEqual([])
  rmSync(join(folder, `${phrase}.txt`))
})

test.each(['OpusHead', 'OggS\0', 'SQLite format 3\0', '\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm'])(
  'the header %j is found anywhere in a file',
  (header) => {
    writeFileSync(join(folder, 'h.bin'), around(Buffer.from(header, 'latin1')))
    expect(findHeaders(folder)).toHaveLength(1)
    rmSync(join(folder, 'h.bin'))
  },
)

test('a folder of random bytes holds nothing', () => {
  writeFileSync(join(folder, 'random.bin'), crypto.getRandomValues(new Uint8Array(60_000)))
  expect(findWords(folder, [phrase])).toEqual([])
  expect(findHeaders(folder)).toEqual([])
})
