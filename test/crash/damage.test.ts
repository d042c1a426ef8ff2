import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type DamageCase, damageCases } from './damage-cases.ts'
import { type Found, openDamaged } from './damage-oracle.ts'
import { type MadeProfile, makeProfile } from './damage-profile.ts'
import { seededRandom } from './seeded-random.ts'

const isFull = process.env['AFTERWORD_FAULTS'] === 'full'
const page = resolve(import.meta.dirname, '../../docs/damage.md')

const { random, seed } = seededRandom()
const shuffled = damageCases.map((one) => ({ one, at: random() })).toSorted((left, right) => left.at - right.at)
const chosen = isFull ? damageCases : shuffled.slice(0, 4).map(({ one }) => one)

const rows: string[] = []
let made: MadeProfile
beforeAll(async () => {
  process.stderr.write(`damage: ${chosen.length} of ${damageCases.length} cases, AFTERWORD_SEED=${seed}\n`)
  made = await makeProfile()
})
afterAll(() => made.remove())

test.each(chosen)('$file, $damage: the page of damages says what comes back and what is shown', async (one) => {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-damaged-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  one.prepare(made, folder)
  const found = await openDamaged(folder, made)
  const row = rowOf(one, found)
  rows.push(row)
  if (!isFull) expect(readFileSync(page, 'utf8').split('\n')).toContain(row)
})

if (isFull)
  test('the page of damages has every case as it is now', async () => {
    await expect(pageOf(rows)).toMatchFileSnapshot(page)
  })

function rowOf({ file, damage }: DamageCase, { outcome, missing, shown }: Found): string {
  return `| ${[file, damage, outcome, grouped(missing), grouped(shown)].join(' | ')} |`
}

function grouped(entries: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const entry of entries) {
    const kind = entry.replace(/ of [A-Z]\w+ \w+/, '')
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  const listed = [...counts].map(([kind, count]) => (count === 1 ? kind : `${count} x ${kind}`))
  return listed.length === 0 ? '-' : listed.join(', ')
}

function pageOf(table: readonly string[]): string {
  return `# What a damaged profile gives back

The profile of this table has three clients with a finished session each, and one who has only called. Two notes are
signed, one is not. Three sessions are recorded, and one of those recordings is not finished. The app was closed before the
files were damaged, or killed where a journal or an unfinished recording is damaged. \`npm run faults\` writes this page's
cases to a disk and compares them with this page; \`npm test\` tries some of them. A swapped file is another profile's; a
swapped recording is another session's. Exchanged files have each other's name.

- whole: everything that was acknowledged is there.
- reported: something is missing, and the app says so without being asked.
- needs a file: no file that is left opens the records. The app says so and names the files that do; with one of them put back
  from a copy, everything is there.
- silent: something is missing or different, and the app does not say so.
- dead end: the records cannot be opened.

| File | What happened to it | Outcome | Missing | What the app shows |
| --- | --- | --- | --- | --- |
${table.join('\n')}
`
}
