import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
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
import { ACTIVITIES, type Activity, type Kill, openLives, type Orders } from './work-kill-life.ts'

const isFull = process.env['AFTERWORD_FAULTS'] === 'full'
/** `AFTERWORD_KILLS` plays more or fewer of them. */
const count = Number(process.env['AFTERWORD_KILLS'] ?? (isFull ? 1000 : 4))
const aPart = Math.max(1, Math.round(count * 0.15))
const kills = { work: count - 2 * aPart, migrating: aPart, rebuilding: aPart }
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

const lives = openLives()
/** In what each kill fell. */
const fallen = new Map<string, number>()
afterAll(() => {
  lives.close()
  process.stderr.write(`kills by what they fell into: ${JSON.stringify(Object.fromEntries(fallen))}\n`)
})

const orders = (folder: string, mode: Orders['mode'], aim: Activity): Orders => ({
  folder,
  seed: Math.floor(random() * 2 ** 31),
  mode,
  aim,
})

/** A little beyond how long it takes, so that kills fall after its end as well. */
const anywhere = (): Kill => ({ share: random() * 1.2 })

/** @param name of what is opened, where it is not only opened */
async function killed(given: Orders, name?: string): Promise<void> {
  const death = await lives.live(given, anywhere())
  expect(death.errors, name).toBe('')
  if (given.mode === 'work') expect(death.signal).toBe('SIGKILL')
  const fell = death.in === 'opening' ? (name ?? 'opening') : death.in
  fallen.set(fell, (fallen.get(fell) ?? 0) + 1)
}

/** How long such an opening takes is where its kills fall. */
async function openedOnce(folder: string): Promise<void> {
  expect(await lives.live(orders(folder, 'open', 'opening'), null)).toMatchObject({ signal: null, errors: '' })
}

test(`${kills.work} kills amid recording, signing, editing, importing, deleting and locking lose nothing acknowledged`, async () => {
  let folder = ''
  for (let kill = 0; kill < kills.work; kill += 1) {
    if (kill % KILLS_OF_A_PROFILE === 0) await openedOnce((folder = scratch()))
    await killed(orders(folder, 'work', ACTIVITIES[kill % ACTIVITIES.length]!))
    const isLast = kill + 1 === kills.work || (kill + 1) % KILLS_OF_A_PROFILE === 0
    if (isLast)
      expect(await lives.live(orders(folder, 'work', 'editing'), { share: 0 })).toMatchObject({ signal: 'SIGKILL', errors: '' })
  }
  const least = Math.floor(kills.work / 40)
  for (const activity of ACTIVITIES) expect(fallen.get(activity) ?? 0, activity).toBeGreaterThanOrEqual(least)
})

test(`${kills.migrating} kills amid the upgrade of older records leave them to be upgraded by the next start`, async () => {
  const measured = scratch()
  await olderProfile(measured, 1)
  await openedOnce(measured)
  for (let kill = 0; kill < kills.migrating;) {
    const folder = scratch()
    const client = await olderProfile(folder, 1 + Math.floor(random() * (migrations.length - 1)))
    for (let times = 1 + Math.floor(random() * 3); times > 0 && kill < kills.migrating; times -= 1) {
      await killed(orders(folder, 'open', 'opening'), 'migrating')
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
  const withGaps = new Map<string, Found>()
  for (let kill = 0; kill < kills.rebuilding;) {
    const one = damaged[Math.floor(random() * damaged.length)]!
    const name = `${one.file}, ${one.damage}`
    if (!withGaps.has(name)) {
      withGaps.set(name, await openDamaged(prepared(made, one), made))
      await openedOnce(join(prepared(made, one), '..'))
    }
    const folder = prepared(made, one)
    // A life that was killed may have checked the recordings already.
    const since = new Date().toISOString()
    for (let times = 1 + Math.floor(random() * 3); times > 0 && kill < kills.rebuilding; times -= 1) {
      await killed(orders(join(folder, '..'), 'open', 'opening'), `rebuilding ${one.file}`)
      kill += 1
    }
    expect({ name, ...(await openDamaged(folder, made, since)) }).toEqual({ name, ...withGaps.get(name) })
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
