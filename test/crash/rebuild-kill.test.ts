import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { damageCases } from './damage-cases.ts'
import { type Found, openDamaged } from './damage-oracle.ts'
import { type MadeProfile, makeProfile } from './damage-profile.ts'
import { seededRandom } from './seeded-random.ts'

const isFull = process.env['AFTERWORD_FAULTS'] === 'full'
const KILLS = isFull ? 150 : 2
const { random, seed } = seededRandom()
const below = (count: number): number => Math.floor(random() * count)

/** @param killAt the step it is killed before; 0: none */
function opened(folder: string, killAt: number): Promise<{ signal: string | null; steps: string[]; errors: string }> {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, 'rebuild-kill-child.ts'), folder, String(killAt)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [steps, errors] = ['', '']
  child.stdout.on('data', (bytes: Buffer) => (steps += bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => (errors += bytes.toString()))
  return new Promise((done) =>
    child.on('close', (_, signal) => done({ signal, steps: steps.split('\n').filter((line) => line !== ''), errors })),
  )
}

const damaged = damageCases.filter(
  ({ file, damage }) => /^(vault\.db|service\.db|vault\.db and service\.db|both journals)$/.test(file) && damage !== 'older copy',
)

test(`${KILLS} kills, each before a step of a rebuild, change nothing of what comes back and lose no damaged file`, async () => {
  const made = await makeProfile()
  onTestFinished(() => made.remove())
  const [withGaps, fell] = [new Map<string, Found>(), new Map<string, number>()]
  for (let kills = 0; kills < KILLS;) {
    const one = damaged[below(damaged.length)]!
    const name = `${one.file}, ${one.damage}, AFTERWORD_SEED=${seed}`
    const counted = await opened(prepared(made, one), 0)
    if (counted.steps.length === 0) continue
    if (!withGaps.has(name)) withGaps.set(name, await openDamaged(join(prepared(made, one), 'profile'), made))
    const folder = prepared(made, one)
    const before = databasesIn(folder)
    // An opening that was killed may have checked the recordings already.
    const since = new Date().toISOString()
    for (let times = 1 + below(3); times > 0 && kills < KILLS; times -= 1) {
      const { signal, steps, errors } = await opened(folder, stepOf(counted.steps))
      expect(errors, name).toBe('')
      // An earlier kill may have left fewer steps than were counted.
      if (signal !== 'SIGKILL') break
      kills += 1
      fell.set(steps.at(-1)!, (fell.get(steps.at(-1)!) ?? 0) + 1)
    }
    expect({ name, ...(await openDamaged(join(folder, 'profile'), made, since)) }).toEqual({ name, ...withGaps.get(name) })
    const kept = new Set(databasesIn(folder).values())
    for (const [file, hash] of setAsideOf(before, one)) expect(kept, `${file}: ${name}`).toContain(hash)
    rmSync(folder, { recursive: true })
  }
  process.stderr.write(`rebuild kills, AFTERWORD_SEED=${seed}: ${JSON.stringify(Object.fromEntries(fell))}\n`)
})

/** Rows are by far the most steps, so that every second kill falls on another one. */
function stepOf(steps: readonly string[]): number {
  const numbers = steps.map((_, index) => index + 1)
  const others = numbers.filter((number) => !steps[number - 1]!.startsWith('row of'))
  const chosen = others.length > 0 && random() < 0.5 ? others : numbers
  return chosen[below(chosen.length)]!
}

function databasesIn(folder: string): Map<string, string> {
  const profile = join(folder, 'profile')
  const names = readdirSync(profile, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(vault|service)\.db/.test(entry.name) && !entry.name.endsWith('-shm'))
    .map(({ name }) => name)
  return new Map(
    names.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(profile, name)))
        .digest('hex'),
    ]),
  )
}

/** The files that the case damaged; what was exchanged gets its name back and is in use again. */
function setAsideOf(before: ReadonlyMap<string, string>, { file, damage }: (typeof damageCases)[number]): [string, string][] {
  if (damage === 'exchanged') return []
  return [...before].filter(([name]) => (file === 'both journals' ? name.endsWith('-wal') : file.split(' and ').includes(name)))
}

/** @returns the folder that has the profile in it */
function prepared(made: MadeProfile, one: (typeof damageCases)[number]): string {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-rebuild-kill-'))
  mkdirSync(join(folder, 'profile'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const accounts = [...made.keychain].map(([account, secret]) => [account, Buffer.from(secret).toString('hex')])
  writeFileSync(join(folder, 'keychain.json'), JSON.stringify(accounts))
  one.prepare(made, join(folder, 'profile'))
  return folder
}
