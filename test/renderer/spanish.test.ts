import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IntlMessageFormat } from 'intl-messageformat'
import { expect, test } from 'vitest'
import { repository } from '#test/support/machine.ts'
import { argumentsIn, messagesOf } from './catalogue.ts'

const read = (name: string) =>
  messagesOf(JSON.parse(readFileSync(join(repository, 'src', 'renderer', 'strings', name), 'utf8')) as Record<string, object>)

const english = read('en-US.json')
const spanish = read('es-US.json')
const both = spanish.map((message, index) => ({ ...message, english: english[index]!.text }))

/** Names, units, codes, numbers, and words that both languages write alike. `addedAs` becomes part of a note, which is English. */
const alike = new Set([
  ...'Afterword|A.|PDF|Word (.docx)|SOAP|DAP|BIRP|GIRP|PIRP|PIE|Audio|Individual|Crisis|Supervisor|No|“{word}”'.split('|'),
  ...'English|Español|{rate}×|{size} bytes|{size} kB|{size} MB|{size} GB|{minutes} min|Ctrl+D|'.split('|'),
  ...english.filter(({ path }) => /\.(addedAs|time\.length)$/.test(path)).map(({ text }) => text),
])

/** What remains of a message without its arguments, for example "h min" of "{hours} h {minutes} min". */
const isOnlyArguments = (text: string): boolean =>
  !/\p{L}/u.test(text.replaceAll(/\{\w+, (select|number)[^{}]*|true|other|\{\w+\}/g, ''))

const words = (text: string): string =>
  text.replaceAll(/“[^”]*”|\{\w+(?=[,}])|https?:\S*|(?<=(select,|plural,|\}) )\w+ (?=\{)/g, ' ')

test('Spanish has the same messages as English, in the same order, with the same examples', () => {
  expect(spanish.map(({ path, examples }) => [path, examples])).toEqual(english.map(({ path, examples }) => [path, examples]))
})

test('a Spanish message uses the arguments of the English one', () => {
  const used = (text: string, language: string): string[] =>
    [...new Set(argumentsIn(new IntlMessageFormat(text, language, undefined, { ignoreTag: true }).getAst()))]
      .map((name) => name.replace(/^(has|count|spelled|joined)_/, ''))
      .toSorted()
  for (const { path, text, english: source, examples } of both) {
    if (examples === undefined) expect(text, path).not.toMatch(/[{}]/)
    else expect(new Set(used(text, 'es')), path).toEqual(new Set(used(source, 'en')))
  }
})

test('no message is left in English', () => {
  const left = both.filter(({ text, english: source }) => text === source && !alike.has(text) && !isOnlyArguments(text))
  expect(left.map(({ path, text }) => `${path}: ${text}`)).toEqual([])
  const mixed = both.filter(
    ({ text }) => !alike.has(text) && /(?<![\w/-])(the|and|your|is|are|of|with|for|not|this|you)(?![\w/])/i.test(words(text)),
  )
  expect(mixed.map(({ path, text }) => `${path}: ${text}`)).toEqual([])
})

test('Spanish questions and exclamations begin with an inverted mark', () => {
  const odd = spanish.filter(({ text }) => {
    const marks = text.replaceAll(/ \? /g, ' ').replaceAll(/[^¿?¡!]/g, '')
    return !/^(¿\?|¡!)*$/.test(marks)
  })
  expect(odd.map(({ path, text }) => `${path}: ${text}`)).toEqual([])
  const ends = both.filter(({ text, english: source }) => source.endsWith('?') && source !== '?' && !text.endsWith('?'))
  expect(ends.map(({ path }) => path)).toEqual([])
})

test('Spanish addresses people as usted, and ends sentences as the English does', () => {
  for (const { path, text, english: source } of both) {
    expect(words(text), path).not.toMatch(/(?<!\p{L})(tú|tus?|ti|te|contigo|puedes|quieres|tienes|vosotros|vuestr\w+)(?!\p{L})/iu)
    expect(text, path).not.toMatch(/ {2}|undefined/)
    if (/[^.]\.$/.test(source) && source !== 'A.') expect(text, path).toMatch(/[.?}”]$/)
  }
})
