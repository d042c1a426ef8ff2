import { readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { extname, join, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { layerNames, layers } from '#test/support/layers.ts'
import { repository } from '#test/support/machine.ts'

const madeByTools = new Set(['node_modules', 'out', 'dist', '.types', '.git', 'test-results', 'playwright-report', 'coverage'])
const notText = new Set(['.wav', '.png', '.icns', '.ico', '.ttf', '.woff2', '.ogg', '.bin', '.db', '.pdf', '.docx'])

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (madeByTools.has(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : []
  })
}

const named = (file: string): string => relative(repository, file).split(sep).join('/')
const read = (file: string): string => readFileSync(file, 'utf8')
const sources = filesBelow(join(repository, 'src')).filter((file) => /\.(ts|tsx|css|html)$/.test(file))
const code = sources.filter((file) => /\.tsx?$/.test(file))

/** Every module a file names, however it names it. */
function importsOf(file: string): string[] {
  return [...read(file).matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)'([^']+)'/g)].map((match) => match[1]!)
}

describe('the tree of src', () => {
  test('has the layers of the table and no others', () => {
    expect(readdirSync(join(repository, 'src')).toSorted()).toEqual(layerNames.toSorted())
  })

  test('imports point down only', () => {
    const upward = code.flatMap((file) => {
      const layer = named(file).split('/')[1]!
      const seen = importsOf(file)
        .filter((specifier) => specifier.startsWith('#'))
        .map((specifier) => specifier.slice(1).split('/')[0]!)
      return seen
        .filter((other) => other !== layer && !layers[layer]!.sees.includes(other))
        .map((other) => `${named(file)} sees ${other}`)
    })
    expect(upward).toEqual([])
  })

  test('no layer sees itself through another', () => {
    const reaches = (from: string, to: string): boolean => layers[from]!.sees.some((next) => next === to || reaches(next, to))
    expect(layerNames.filter((layer) => reaches(layer, layer))).toEqual([])
  })

  test('no import climbs over a folder of another domain', () => {
    expect(code.filter((file) => importsOf(file).some((specifier) => specifier.startsWith('../../'))).map(named)).toEqual([])
  })

  // The log may lose a rotation, but must not make the app wait for one.
  test('every rename is the one that waits for scanners on Windows', () => {
    const own = code.filter((file) => /\brename(Sync)?\b[^'\n]*\bfrom 'node:fs/.test(read(file))).map(named)
    expect(own).toEqual(['src/base/durable-file.ts', 'src/base/log-file.ts'])
  })

  test('the app stores each kind of record at a service from one place', () => {
    const operations = 'createClient updateClient createSession updateSession giveConsent revokeConsent'.split(' ')
    const others = 'putTranscript putNote signNote addAddendum putTemplate'.split(' ')
    const core = code.filter((file) => named(file).startsWith('src/core/'))
    const places = [...operations, ...others].map((name) =>
      core.filter((file) => named(file) !== 'src/core/sync/waits.ts' && read(file).includes(`'${name}'`)).map(named),
    )
    expect(places.filter((files) => files.length !== 1)).toEqual([])
  })

  test('dates, times and numbers follow the locale of the system or of Settings, not one in the code', () => {
    const own = new Set(['src/base/locale.ts', 'src/renderer/strings/locale.ts'])
    const codeOf = (file: string): string => read(file).replaceAll(/\/\*\*.*?\*\/|\/\/ [^\n]*/gs, '')
    const fixed = /['"`][a-z]{2}-[A-Z]{2}['"`]|(?:NumberFormat|DateTimeFormat|toLocale\w*String)\(['"`]|hourCycle|hour12/
    const written = code.filter((file) => !own.has(named(file)) && fixed.test(codeOf(file))).map(named)
    expect(written).toEqual([])
    expect(fixed.test("date.toLocaleDateString('en-GB')") && fixed.test("const locale = 'en-US'")).toBe(true)
    const unsaid = /\b(?:NumberFormat|DateTimeFormat)\(\)\.format|toLocale(?:Date|Time)?String\(\)/
    expect(code.filter((file) => unsaid.test(read(file))).map(named)).toEqual([])
  })

  test('no file is over 300 lines', () => {
    const long = sources
      .map((file) => [named(file), read(file).split('\n').length - 1] as const)
      .filter(([, lines]) => lines > 300)
    expect(long).toEqual([])
  })

  test('files are named in kebab-case', () => {
    const odd = sources.map(named).filter((name) => !/^src(\/[a-z0-9-]+)+(\.d)?\.[a-z]+$/.test(name))
    expect(odd).toEqual([])
  })

  test('each layer references in tsconfig.json exactly what the table lets it see', () => {
    for (const layer of layerNames) {
      const { references } = JSON.parse(read(join(repository, 'src', layer, 'tsconfig.json'))) as {
        references: { path: string }[]
      }
      expect([layer, references.map(({ path }) => path.replace('../', '')).toSorted()]).toEqual([
        layer,
        layers[layer]!.sees.toSorted(),
      ])
    }
  })
})

describe('what is committed', () => {
  test('the lockfile names no download host', () => {
    const { packages } = JSON.parse(read(join(repository, 'package-lock.json'))) as {
      packages: Record<string, { resolved?: string }>
    }
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined && /:\/\//.test(resolved))).toEqual([])
  })

  test('every dependency is pinned to one version', () => {
    const manifest = JSON.parse(read(join(repository, 'package.json'))) as Record<string, Record<string, string>>
    const versions = Object.values({ ...manifest['dependencies'], ...manifest['devDependencies'] })
    expect(versions.filter((version) => !/^(npm:[@\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })

  test('no file names a place on somebody’s machine', () => {
    const places = [`${repository}/`, /(?<![\w.$}~-])\/(home|Users|root)\/[\w.-]+/, /[A-Z]:\\+Users\\/]
    if (homedir().length > 1) places.push(`${homedir()}/`)
    const texts = filesBelow(repository).filter(
      (file) => !notText.has(extname(file)) && named(file) !== 'test/house/tree.test.ts',
    )
    const telling = texts.filter((file) => {
      const text = read(file)
      return places.some((place) => (typeof place === 'string' ? text.includes(place) : place.test(text)))
    })
    expect(telling.map(named)).toEqual([])
  })
})
