// Runs the tests under Node 24. tests: checks, vitest, Playwright. faults: the fault tests with their full counts.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { unmet } from '../test/support/machine.ts'
import { checks, runCheck } from './checks.mjs'
import { provide } from './provide.mjs'
import { build, node24, root, run } from './setup.mjs'

const results = path.join(root, 'test-results')
const isCi = process.env['CI'] === 'true'
const isFaults = process.argv[2] === 'faults'

/** Tests skipped without each need; the tests themselves check test/support/machine.ts. */
const notRun = {
  browser: 'all browser tests',
  display: 'the tests that open windows on a display',
  electron: 'the main job in Electron itself (the desktop workflow runs it on each system)',
  recogniser: 'the tests that transcribe with a real speech recognizer',
  'speech-maker': 'the tests on a long session of generated speech',
  'pdf-reader': 'the tests that read exported PDFs',
  keychain: 'the tests with a real keychain',
  llama: 'the tests of local draft models (npm run llama installs what they need)',
  postgres: 'the tests on PostgreSQL',
  'postgres-tools': 'the dump and restore of PostgreSQL with its own tools',
  'test-data': 'the tests on large speech and dialogue data',
}

/** npm does not install Electron's runtime. The desktop workflow fails without it. */
const optional = ['electron']

async function missingNeeds() {
  const missing = []
  for (const [need, tests] of Object.entries(notRun)) {
    if (!(await unmet(need))) continue
    await provide(need)
    const why = await unmet(need)
    if (why) missing.push({ need, line: `NOT RUN: ${tests}, because ${why}` })
  }
  return missing
}

/** Tests with a full count read this variable. */
function faultTests() {
  const files = readdirSync(path.join(root, 'test'), { recursive: true }).map((file) => path.join('test', file))
  return files.filter(
    (file) => file.endsWith('.test.ts') && readFileSync(path.join(root, file), 'utf8').includes('AFTERWORD_FAULTS'),
  )
}

async function vitest() {
  const parts = [await vitestOf('vitest', isFaults ? faultTests() : [])]
  // Runs every suite of the service again, with PostgreSQL as the store.
  if (isFaults && !(await unmet('postgres'))) {
    const onPostgres = { AFTERWORD_TEST_STORE: 'postgres' }
    parts.push(await vitestOf('vitest-postgres', ['test/service'], onPostgres))
    parts.push(await vitestOf('attacks-postgres', ['test/service/attack'], { ...onPostgres, AFTERWORD_FAULTS: 'full' }))
  }
  return parts.reduce((sum, part) => ({
    passed: sum.passed + part.passed,
    failed: sum.failed + part.failed,
    skipped: sum.skipped + part.skipped,
  }))
}

async function vitestOf(name, only, environment = isFaults ? { AFTERWORD_FAULTS: 'full' } : {}) {
  const report = path.join(results, `${name}.json`)
  const code = await run(
    node24(),
    [program('vitest/vitest.mjs'), 'run', ...only, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    { env: environment },
  )
  return counts(name, code, report, (json) => ({
    passed: json.numPassedTests,
    failed: json.numFailedTests,
    skipped: json.numPendingTests + json.numTodoTests,
  }))
}

async function playwright() {
  const report = path.join(results, 'playwright.json')
  const code = await run(node24(), [program('@playwright/test/cli.js'), 'test', '--reporter=list,json'], {
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...(isFaults ? { AFTERWORD_FAULTS: 'full' } : {}) },
  })
  return counts('playwright', code, report, ({ stats }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
  }))
}

const program = (file) => path.join(root, 'node_modules', ...file.split('/'))

/** A runner that fails without a failed test (a file that does not load, no report) counts as one failure. */
function counts(name, code, report, read) {
  const seen = existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8'))) : { passed: 0, failed: 0, skipped: 0 }
  if (code !== 0 && seen.failed === 0) {
    console.log(`${name} ended with code ${code} without a failed test. This counts as one failure.`)
    return { ...seen, failed: 1 }
  }
  return seen
}

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
await build()
const missing = await missingNeeds()
const failedChecks = []
for (const check of isFaults ? [] : checks) {
  if ((await runCheck(check)) !== 0) failedChecks.push(check.name)
}
const parts = [await vitest(), await playwright()]
const total = (key) => parts.reduce((sum, part) => sum + part[key], 0)

console.log('')
for (const { line } of missing) console.log(line)
const isIncomplete = isCi && missing.some(({ need }) => !optional.includes(need))
if (failedChecks.length > 0) console.log(`Checks that failed: ${failedChecks.join(', ')}`)
if (isIncomplete) console.log('CI=true: tests that did not run count as a failure.')
console.log(`${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped`)
process.exitCode = total('failed') > 0 || failedChecks.length > 0 || isIncomplete ? 1 : 0
