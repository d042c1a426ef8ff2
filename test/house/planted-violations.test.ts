import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { layerNames, layers, pairs } from '#test/support/layers.ts'
import { repository } from '#test/support/machine.ts'

// The project's own configuration over a tree of tiny files, with every forbidden import planted once.
const tree = mkdtempSync(join(tmpdir(), 'afterword-planted-'))
const forbidden = pairs.filter(({ allowed }) => !allowed)
const allowed = pairs.filter((pair) => pair.allowed)

const contractDisk = ['contract/disk.ts', `import { readFileSync } from 'node:fs'\nexport const read = readFileSync`] as const

const others: Record<string, [file: string, source: string, message: string]> = {
  'a climb out of the layer': ['core/climbs.ts', `export { honest } from '../service/honest.ts'`, 'core leaves its folder'],
  'a dynamic import': ['core/lazy.ts', `export const lazy = () => import('#service/honest.ts')`, 'core may not see service'],
  'a type alone': [
    'core/typed.ts',
    `import type { Honest } from '#main/honest.ts'\nexport type T = Honest`,
    'core may not see main',
  ],
  'an import of a type in place': ['core/inline.ts', `export type T = import('#main/honest.ts').Honest`, 'core may not see main'],
  'a re-export': ['client/again.ts', `export { honest } from '#core/honest.ts'`, 'client may not see core'],
  'Electron in the core': [
    'core/app.ts',
    `import { app } from 'electron'\nexport const version = app.getVersion()`,
    'core may not see electron',
  ],
  'Node in the contract': [...contractDisk, 'contract may not use Node'],
  'Node by its old name in the renderer': [
    'renderer/disk.ts',
    `import { join } from 'path'\nexport const j = join`,
    'renderer may not use Node',
  ],
  'a library in the contract': [
    'contract/lib.ts',
    `import { Hono } from 'hono'\nexport const app = new Hono()`,
    'contract may not use the package hono',
  ],
  'a feature in another': [
    'renderer/features/today/borrows.ts',
    `export { honest } from '#renderer/features/clients/honest.ts'`,
    'the feature today may not see the feature clients',
  ],
  'a room above': [
    'service/store/climbs.ts',
    `export { honest } from '#service/routes/honest.ts'`,
    'in service, store may not see routes',
  ],
  'a room above by a relative path': [
    'service/kernel/climbs.ts',
    `export { honest } from '../store/honest.ts'`,
    'in service, kernel may not see store',
  ],
  'the app in a feature': [
    'renderer/features/today/climbs.ts',
    `export { honest } from '#renderer/app/honest.ts'`,
    'in renderer, features may not see app',
  ],
  'a file outside of the rooms': [
    'service/outside.ts',
    `export { honest } from '#service/store/honest.ts'`,
    'service has no room "."',
  ],
  'a text field that a browser may save': [
    'renderer/field.tsx',
    `export const Field = () => <textarea aria-label="Words" />`,
    'needs autoComplete="off"',
  ],
  'a text field that a password manager may save': [
    'renderer/secret.tsx',
    `import { Input } from 'react-aria-components'\nexport const Secret = () => <Input autoComplete="new-password" />`,
    'needs autoComplete="off"',
  ],
  'a private word in a name': [
    'core/names.ts',
    `export function mayHurry(): boolean {\n  return true\n}`,
    '"hurry" is a private word',
  ],
  'a number of a module in camel case': [
    'core/numbers.ts',
    `const mostTurns = 3 * 4\nexport const turns = () => mostTurns`,
    'The number mostTurns of this module',
  ],
  'a test helper': ['core/helped.ts', `export { pairs } from '#test/support/layers.ts'`, 'core may not see test'],
}

function plant(file: string, source: string): void {
  const path = join(tree, 'src', file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${source}\n`)
}

function runProgram(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const file = join(repository, 'node_modules', program)
    execFile(process.execPath, [file, ...args], { cwd: tree, maxBuffer: 64 << 20 }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })
}

let lint = ''
let types = ''

beforeAll(async () => {
  for (const name of ['.oxlintrc.json', 'package.json', 'tsconfig.base.json', 'tools/lint']) {
    cpSync(join(repository, name), join(tree, name), { recursive: true })
  }
  symlinkSync(join(repository, 'node_modules'), join(tree, 'node_modules'), 'junction')
  for (const layer of layerNames) {
    mkdirSync(join(tree, 'src', layer), { recursive: true })
    cpSync(join(repository, 'src', layer, 'tsconfig.json'), join(tree, 'src', layer, 'tsconfig.json'))
    plant(`${layer}/honest.ts`, `export const honest: string = '${layer}'\nexport type Honest = typeof honest`)
  }
  for (const { from, to } of pairs)
    plant(`${from}/sees-${to}.ts`, `import { honest } from '#${to}/honest.ts'\nexport const seen: string = honest`)
  plant(...contractDisk)
  types = await runProgram('typescript/bin/tsc', [
    '-b',
    ...layerNames.map((layer) => `src/${layer}`),
    '--builders',
    '1',
    '--pretty',
    'false',
  ])
  // Only now: the compiler names a foreign file once per project, at the first import it meets.
  for (const [file, source] of Object.values(others)) plant(file, source)
  lint = await runProgram('oxlint/bin/oxlint', ['-f', 'unix', 'src'])
}, 120_000)

afterAll(() => rmSync(tree, { recursive: true, force: true }))

const linesAbout = (output: string, file: string): string[] => output.split('\n').filter((line) => line.startsWith(`src/${file}`))

describe('the lint rule', () => {
  test.each(forbidden)('refuses $to in $from', ({ from, to }) => {
    expect(linesAbout(lint, `${from}/sees-${to}.ts`).join()).toMatch(
      new RegExp(`${from} may not see ${to}\\..*house\\(layers\\)`),
    )
  })

  test.each(allowed)('lets $from see $to', ({ from, to }) => {
    expect(linesAbout(lint, `${from}/sees-${to}.ts`)).toEqual([])
  })

  test.each(Object.entries(others))('refuses %s', (_name, [file, , message]) => {
    expect(linesAbout(lint, file).join()).toContain(message)
  })
})

describe('the compiler', () => {
  // A project also sees what the projects it references see; there the lint rule alone is stricter.
  const unreachable = forbidden.filter(({ from, to }) => !layers[from]!.sees.some((next) => layers[next]!.sees.includes(to)))

  test.each(unreachable)('refuses $to in $from', ({ from, to }) => {
    expect(linesAbout(types, `${from}/sees-${to}.ts`).join()).toContain('error TS')
  })

  test.each(allowed)('lets $from see $to', ({ from, to }) => {
    expect(linesAbout(types, `${from}/sees-${to}.ts`)).toEqual([])
  })

  test('gives the contract neither Node nor a browser', () => {
    expect(linesAbout(types, 'contract/disk.ts').join()).toContain('error TS')
  })
})
