import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { createSettingsRepository } from '#core/settings/settings-repository.ts'
import { migrations } from '#core/vault/migrations.ts'
import { createVault } from '#core/vault/vault.ts'
import { coreKit } from '#test/core/core-kit.ts'
import { fileKeychain } from '#test/core/file-keychain.ts'
import { damageCases } from './damage-cases.ts'
import { type Found, openDamaged } from './damage-oracle.ts'
import { type MadeProfile, makeProfile } from './damage-profile.ts'
import { seededRandom } from './seeded-random.ts'

const isFull = process.env['AFTERWORD_FAULTS'] === 'full'
const kills = isFull ? { work: 700, migrating: 150, rebuilding: 150 } : { work: 2, migrating: 1, rebuilding: 1 }
/** Afterwards the profile has so much in it that opening it takes most of a life. */
const KILLS_OF_A_PROFILE = 10

const { random, seed } = seededRandom()
beforeAll(() => void process.stderr.write(`kills: ${JSON.stringify(kills)}, AFTERWORD_SEED=${seed}\n`))

const scratch = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-work-kill-'))
  mkdirSync(join(folder, 'profile'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

interface Life {
  readonly child: ChildProcess
  /** How it ended, and what it complained of. */
  readonly ended: Promise<{ signal: string | null; errors: string }>
}

/** @param after so many dots, and milliseconds after that, it is killed; null: it ends when it is done */
function live(folder: string, mode: 'work' | 'open', after: { dots: number; ms: number } | null): Life {
  const child = spawn(
    process.execPath,
    [resolve(import.meta.dirname, 'work-kill-child.ts'), folder, String(Math.floor(random() * 2 ** 31)), mode],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let errors = ''
  let dots = 0
  child.stderr.on('data', (bytes: Buffer) => (errors += bytes.toString()))
  const strike = (): void => {
    if (after !== null) setTimeout(() => child.kill('SIGKILL'), after.ms)
  }
  if (after?.dots === 0) strike()
  child.stdout.on('data', (bytes: Buffer) => {
    const before = dots
    dots += bytes.length
    if (after !== null && before < after.dots && dots >= after.dots) strike()
  })
  return { child, ended: new Promise((done) => child.on('close', (_, signal) => done({ signal, errors }))) }
}

/** How long an opening takes here, so that kills can fall anywhere into one. */
let openingMs = 0

async function measureOpening(folder: string): Promise<void> {
  const began = performance.now()
  expect(await live(folder, 'open', null).ended).toEqual({ signal: null, errors: '' })
  openingMs = performance.now() - began
}

test(`${kills.work} kills amid recording, signing, editing, importing, deleting and locking lose nothing acknowledged`, async () => {
  let folder = ''
  for (let kill = 0; kill < kills.work; kill += 1) {
    if (kill % KILLS_OF_A_PROFILE === 0) folder = scratch()
    const isEarly = openingMs > 0 && random() < 0.2
    const after = isEarly ? { dots: 0, ms: random() * openingMs } : { dots: 1 + Math.floor(random() * 60), ms: random() * 20 }
    expect(await live(folder, 'work', after).ended).toEqual({ signal: 'SIGKILL', errors: '' })
    const isLast = kill + 1 === kills.work || (kill + 1) % KILLS_OF_A_PROFILE === 0
    if (isLast) expect(await live(folder, 'work', { dots: 1, ms: 0 }).ended).toEqual({ signal: 'SIGKILL', errors: '' })
    if (openingMs === 0) await measureOpening(folder)
  }
})

test(`${kills.migrating} kills amid the upgrade of older records leave them to be upgraded by the next start`, async () => {
  for (let kill = 0; kill < kills.migrating;) {
    const folder = scratch()
    const client = await olderProfile(folder, 1 + Math.floor(random() * (migrations.length - 1)))
    for (let times = 1 + Math.floor(random() * 3); times > 0 && kill < kills.migrating; times -= 1) {
      const { errors } = await live(folder, 'open', { dots: 0, ms: random() * openingMs }).ended
      expect(errors).toBe('')
      kill += 1
    }
    const open = await coreKit({ folder: join(folder, 'profile') }).open({
      keychain: fileKeychain(join(folder, 'keychain.json')),
    })
    expect(open.core.state()).toMatchObject({ phase: 'ready', trouble: null })
    expect((await open.call('clients.get', { id: client })).client).toMatchObject({ display_name: 'Alma Reyes' })
    await open.settled()
    await open.core.close()
    rmSync(folder, { recursive: true })
  }
})

/** Records as an earlier version left them: one client. */
async function olderProfile(folder: string, version: number): Promise<string> {
  const { vault } = await createVault(
    {
      folder: join(folder, 'profile'),
      keychain: fileKeychain(join(folder, 'keychain.json')),
      clock: systemClock,
      log: silentLog,
      migrations: migrations.slice(0, version),
    },
    { protection: 'keychain' },
  )
  const [client, therapist_id] = ['0198f000-0000-7000-8000-000000000001', '0198f000-0000-7000-8000-000000000002']
  createSettingsRepository(vault.db).put({ therapist_id, therapist_name: 'Dr. Ana Ruiz' })
  vault.db
    .prepare(
      `insert into clients (id, display_name, status, diagnoses, search_name, created_at, updated_at, version)
       values (?, 'Alma Reyes', 'active', '[]', 'alma reyes', ?, ?, 1)`,
    )
    .run(client, '2026-01-05T09:00:00.000Z', '2026-01-05T09:00:00.000Z')
  vault.close()
  return client
}

test(`${kills.rebuilding} kills amid the opening of damaged records change nothing of what comes back`, async () => {
  const made = await makeProfile()
  onTestFinished(() => made.remove())
  const damaged = damageCases.filter(({ file }) => /^(vault|service)\.db/.test(file) && !file.endsWith('-shm'))
  const unbroken = new Map<string, Found>()
  for (let kill = 0; kill < kills.rebuilding;) {
    const one = damaged[Math.floor(random() * damaged.length)]!
    const name = `${one.file}, ${one.damage}`
    if (!unbroken.has(name)) unbroken.set(name, await openDamaged(prepared(made, one), made))
    const folder = prepared(made, one)
    for (let times = 1 + Math.floor(random() * 3); times > 0 && kill < kills.rebuilding; times -= 1) {
      const { errors } = await live(join(folder, '..'), 'open', { dots: 0, ms: random() * openingMs }).ended
      expect(errors, name).toBe('')
      kill += 1
    }
    expect({ name, ...(await openDamaged(folder, made)) }).toEqual({ name, ...unbroken.get(name) })
    rmSync(folder, { recursive: true })
  }
})

/** @returns the folder of the profile */
function prepared(made: MadeProfile, one: (typeof damageCases)[number]): string {
  const folder = scratch()
  const accounts = [...made.keychain].map(([account, secret]) => [account, Buffer.from(secret).toString('hex')])
  writeFileSync(join(folder, 'keychain.json'), JSON.stringify(accounts))
  one.prepare(made, join(folder, 'profile'))
  return join(folder, 'profile')
}
