/**
 * docs/electron.md lists every setting, listener and fuse with a test that fails without it. Each row is tried: the named test
 * runs with the row's change and has to fail. By default a random sample; AFTERWORD_FAULTS=full tries every row.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { seededRandom } from '#test/crash/seeded-random.ts'
import { build } from '#test/support/built-app.ts'
import { startApp } from '#test/support/electron/started-app.ts'
import { leftOut } from '#test/support/left-out.ts'
import { repository } from '#test/support/machine.ts'
import { Ledger } from './ledger.ts'

const isFull = process.env['AFTERWORD_FAULTS'] === 'full'
const SAMPLE = 3
const vitest = join(repository, 'node_modules', 'vitest', 'vitest.mjs')
const folder = 'test/main/built'

interface Row {
  readonly item: string
  readonly flip: string
  readonly file: string
  readonly name: string
}

const section = readFileSync(join(repository, 'docs', 'electron.md'), 'utf8').split(
  '## Each setting and the test that fails without it',
)[1]!
const rows: Row[] = [...section.matchAll(/^\| (.+?) \| ((?:drop|set|code|fuse) .+?) \| (\S+) \| (.+?) \|$/gm)].map(
  ([, item, flip, file, name]) => ({ item: item!, flip: flip!, file: join(folder, file!), name: name! }),
)

function environmentOf(flip: string): NodeJS.ProcessEnv {
  const [first = '', second = ''] = [...flip.matchAll(/`([^`]+)`/g)].map(([, text]) => text!)
  if (flip.startsWith('drop')) return { AFTERWORD_STAND_IN_DROP: first }
  if (flip.startsWith('set')) return { AFTERWORD_STAND_IN_SET: first }
  if (flip.startsWith('code')) return { AFTERWORD_STAND_IN_CODE: JSON.stringify([[first, second]]) }
  const preload = fileURLToPath(new URL('../../support/flip-fuse.ts', import.meta.url))
  return { AFTERWORD_FUSE: first, NODE_OPTIONS: `--import ${preload}` }
}

interface Report {
  readonly testResults: readonly { readonly assertionResults: readonly { readonly title: string; readonly status: string }[] }[]
}

/** Without this run's own settings. */
function environment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([key]) => !key.startsWith('VITEST') && key !== 'AFTERWORD_FAULTS')
  return Object.fromEntries(inherited)
}

/** Runs one test of one file, and answers its outcome. */
async function outcomeOf({ file, name }: Row, changes: NodeJS.ProcessEnv): Promise<string[]> {
  const results = mkdtempSync(join(tmpdir(), 'afterword-mutation-'))
  const report = join(results, 'report.json')
  const pattern = `${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`
  const child = spawn(
    process.execPath,
    [vitest, 'run', file, '-t', pattern, '--testTimeout', '25000', '--reporter', 'json', '--outputFile', report],
    { cwd: repository, stdio: 'ignore', env: { ...environment(), ...changes } },
  )
  await new Promise((done) => child.on('exit', done))
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  rmSync(results, { recursive: true })
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ title }) => title === name)
    .map(({ status }) => status)
}

beforeAll(build)

const why = process.platform === 'linux' ? null : 'the app can be run as every platform only on Linux'
const isLeftOut = leftOut('flipping the settings of the Electron shell', why)

test.skipIf(isLeftOut)('every registration of the app is in the table', async () => {
  const made = new Set<string>()
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    const app = startApp({ platform })
    try {
      await Ledger.start(app)
      await app.ask('hang')
      for (const name of await app.ask('registrations')) made.add(name)
    } finally {
      await app.remove()
    }
  }
  const listed = rows
    .filter(({ flip }) => flip.startsWith('drop'))
    .map(({ flip }) => environmentOf(flip)['AFTERWORD_STAND_IN_DROP'])
  // Of the headers, the one that Electron's guide asks for.
  const settings = [...made].filter((name) => !name.startsWith('header:'))
  expect(settings.filter((name) => !listed.includes(name))).toEqual([])
})

test.skipIf(isLeftOut)('every test in the table exists, once', () => {
  const args = [vitest, 'list', 'test/main', '--json', '--no-static-parse', '--project', 'apart']
  const listed = JSON.parse(execFileSync(process.execPath, args, { cwd: repository, encoding: 'utf8', env: environment() })) as {
    name: string
    file: string
  }[]
  for (const { file, name } of rows) {
    const path = join(repository, file)
    const found = listed.filter((test) => test.file === path && test.name.split(' > ').at(-1) === name)
    expect(found, `${file}: ${name}`).toHaveLength(1)
  }
})

describe.skipIf(isLeftOut)('a setting that is flipped makes its test fail', () => {
  const { random, seed } = seededRandom()
  const order = rows.map((row) => ({ row, at: random() })).toSorted((left, right) => left.at - right.at)
  const chosen = isFull ? rows : order.slice(0, SAMPLE).map(({ row }) => row)

  test.each(chosen)('$item: $flip', { timeout: isFull ? 300_000 : 120_000 }, async (row) => {
    process.stderr.write(`flipped setting: AFTERWORD_SEED=${seed}, ${row.flip}\n`)
    expect(await outcomeOf(row, environmentOf(row.flip))).toEqual(['failed'])
  })

  test('an unrelated test passes', { timeout: 120_000 }, async () => {
    const other = { item: '', flip: '', file: join(folder, 'window.test.ts'), name: 'cannot attach a webview' }
    expect(await outcomeOf(other, environmentOf('drop `session.setProxy`'))).toEqual(['passed'])
  })
})
