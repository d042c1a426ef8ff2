import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copied, everything, makeProfile, type Profile } from './damage-kit.ts'

let profile: Profile
let before: Awaited<ReturnType<typeof everything>>
beforeAll(async () => {
  profile = await makeProfile(2)
  const opened = await profile.kit.open()
  before = await everything(opened, profile.sessionIds)
  await opened.core.close()
}, 120_000)
afterAll(() => profile.kit.remove())

const asideIn = (folder: string): string[] => readdirSync(folder).filter((name) => /\.(damaged|unreadable)-/.test(name))

test.each([[['vault.db']], [['service.db']], [['vault.db', 'service.db']]])(
  'databases that somebody renamed are read under their new names: %j',
  async (renamed) => {
    const { folder, place, openAgain } = copied(profile)
    for (const name of renamed) renameSync(place(name), place(`Copy of ${name}.bak`))
    writeFileSync(place('notes.txt'), 'x'.repeat(10_000))
    const opened = await openAgain()
    expect(await everything(opened, profile.sessionIds)).toEqual(before)
    expect(await opened.call('recovery.reports', {})).toEqual([])
    expect(asideIn(folder)).toEqual([])
    for (const name of renamed) expect(statSync(place(`Copy of ${name}.bak`)).isFile()).toBe(true)
    await opened.core.close()
  },
)

test.each([
  ['vault.db-wal', 'a folder'],
  ['vault.db-shm', 'a folder'],
  ['vault.db-journal', 'a file'],
  ['service.db-wal', 'a folder'],
  ['service.db-journal', 'a file'],
])('under the name %s, %s is set aside, and keeps nothing from opening', async (name, what) => {
  const { folder, place, openAgain } = copied(profile)
  const first = await openAgain()
  await first.core.close()
  if (what === 'a folder') mkdirSync(place(name))
  else writeFileSync(place(name), 'x'.repeat(10_000))
  const opened = await openAgain()
  expect(await everything(opened, profile.sessionIds)).toEqual(before)
  expect(asideIn(folder)).toEqual([expect.stringMatching(`^${name.replace(/-\w+$/, '')}.unreadable-`)])
  // The shared-memory index holds no records.
  const reported = name.endsWith('-shm') ? [] : [{ set_aside: asideIn(folder) }]
  expect(await opened.call('recovery.reports', {})).toMatchObject(reported)
  await opened.core.close()
})

const both = ['vault.db', 'service.db'] as const

function move(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  renameSync(from, to)
}

test.each<[string, (name: string) => string]>([
  ['in capitals', (name) => name.toUpperCase()],
  ['with a space at the end', (name) => `${name} `],
  ['with a full stop at the end', (name) => `${name}.`],
  ['with another ending', (name) => `${name}.txt`],
  ['as a copy', (name) => name.replace('.', ' - Copy.')],
  ['with accents written apart', (name) => `${'é'.normalize('NFD')} ${name}`],
  ['in the trash', (name) => `.Trash/${name}`],
  ['among the versions of a sync program', (name) => `.stversions/${name.replace('.', '~20261101-120000.')}`],
  ['in the cache of a sync program', (name) => `.dropbox.cache/2026-11-01/${name} (deleted 12)`],
  ['some folders down', (name) => `backup/laptop/Afterword/${name}`],
  ['in an unpacked archive', (name) => `${name}.zip.d/${name}`],
])('databases %s are found, and nothing is reported as lost', async (_, moved) => {
  const { folder, place, openAgain } = copied(profile)
  for (const name of both) move(place(name), place(moved(name)))
  const opened = await openAgain()
  expect(await everything(opened, profile.sessionIds)).toEqual(before)
  expect(await opened.call('recovery.reports', {})).toEqual([])
  expect(asideIn(folder)).toEqual([])
  for (const name of both) expect(statSync(place(moved(name))).isFile()).toBe(true)
  await opened.core.close()
})

test('where a program moved the whole data folder two folders down, nothing is missing', async () => {
  const { folder, place, openAgain } = copied(profile)
  const names = readdirSync(folder)
  for (const name of names) move(place(name), place(`old/Afterword/${name}`))
  const opened = await openAgain()
  expect(await everything(opened, profile.sessionIds)).toEqual(before)
  expect(await opened.call('recovery.reports', {})).toEqual([])
  await opened.core.close()
})

test.each([[['vault.db']], [['service.db']], [['vault.db', 'service.db']]])(
  'a folder with the name of %j that holds the database itself keeps nothing from opening',
  async (names) => {
    const { folder, place, openAgain } = copied(profile)
    for (const name of names) {
      renameSync(place(name), place('moved'))
      mkdirSync(place(name))
      renameSync(place('moved'), join(place(name), name))
    }
    const opened = await openAgain()
    expect(await everything(opened, profile.sessionIds)).toEqual(before)
    expect(asideIn(folder)).toHaveLength(names.length)
    await opened.core.close()
    const again = await openAgain()
    expect(await everything(again, profile.sessionIds)).toEqual(before)
    await again.core.close()
  },
)

const strange: Readonly<Record<string, (path: string) => void>> = {
  'an empty file': (path) => writeFileSync(path, ''),
  'random bytes': (path) => writeFileSync(path, Buffer.alloc(20_000, 0x5a)),
  'a folder': (path) => mkdirSync(path),
}

test.each(Object.keys(strange).flatMap((what) => both.map((name) => [what, name] as const)))(
  'with %s in place of %s, a copy of it elsewhere is read before it is rebuilt from the other database',
  async (what, name) => {
    const { folder, place, openAgain } = copied(profile)
    move(place(name), place(`backup/${name}`))
    strange[what]!(place(name))
    const opened = await openAgain()
    expect(await everything(opened, profile.sessionIds)).toEqual(before)
    const aside = asideIn(folder)
    expect(aside).toEqual([expect.stringMatching(`^${name}.unreadable-`)])
    expect(await opened.call('recovery.reports', {})).toMatchObject([{ set_aside: aside, items: [] }])
    await opened.core.close()
  },
)

test('with random bytes in place of both, the list of the records proves whose key it is, and their copies are read', async () => {
  const { folder, place, openAgain } = copied(profile)
  for (const name of both) {
    move(place(name), place(`backup/${name}`))
    strange['random bytes']!(place(name))
  }
  const opened = await openAgain()
  expect(await everything(opened, profile.sessionIds)).toEqual(before)
  const reported = (await opened.call('recovery.reports', {})).flatMap(({ set_aside }) => set_aside)
  expect(reported.toSorted()).toEqual(asideIn(folder).toSorted())
  expect(reported).toHaveLength(2)
  await opened.core.close()
})

const aside = 'vault.db.unreadable-2026-11-01T12-00-00'

test.each<[string, (place: (name: string) => string) => void]>([
  [
    'the unreadable file had its new name',
    (place) => {
      move(place('vault.db'), place('backup/vault.db'))
      strange['random bytes']!(place(aside))
      copyFileSync(place('backup/vault.db'), place('vault.db.rebuilding'))
    },
  ],
  [
    'the compressed file had its new name',
    (place) => {
      writeFileSync(place(aside), gzipSync(readFileSync(place('vault.db'))))
      rmSync(place('vault.db'))
    },
  ],
])('killed when %s, the next opening finishes', async (_, prepare) => {
  const { place, openAgain } = copied(profile)
  prepare(place)
  const opened = await openAgain()
  expect(await everything(opened, profile.sessionIds)).toEqual(before)
  expect(readdirSync(place('.')).filter((name) => name.includes('.rebuil'))).toEqual([])
  await opened.core.close()
})

test.each<[string, (path: string) => void]>([
  [
    'lost a byte of its salt is repaired',
    (path) => {
      const bytes = readFileSync(path)
      bytes[3]! ^= 4
      writeFileSync(path, bytes)
    },
  ],
  ['was rebuilt when the app was killed gets its name', (path) => renameSync(path, `${path}.rebuilt.${aside}`)],
])('a database that %s, though an older copy is elsewhere', async (_, damage) => {
  const { place, openAgain } = copied(profile)
  mkdirSync(place('backup'))
  copyFileSync(place('vault.db'), place('backup/vault.db'))
  const first = await openAgain()
  await first.call('settings.update', { practice_name: 'Quiet Street' })
  await first.core.close()
  for (const name of ['salts.json', 'salts.json.bak', 'inventory.aw', 'recordings/inventory.aw']) rmSync(place(name))
  damage(place('vault.db'))
  const opened = await openAgain()
  expect(await opened.call('settings.get', {})).toMatchObject({ practice_name: 'Quiet Street' })
  await opened.core.close()
})

test('of several copies the one with the latest change is read, whatever the date of its file', async () => {
  const { place, openAgain } = copied(profile)
  for (const name of both) copyFileSync(place(name), place(`${name}.old`))
  const first = await openAgain()
  await first.call('clients.create', { display_name: 'Newest Client' })
  await first.settled()
  const clients = await first.call('clients.list', {})
  await first.core.close()
  for (const name of both) {
    move(place(name), place(`backup/${name}`))
    utimesSync(place(`backup/${name}`), 1000, 1000)
  }
  const opened = await openAgain()
  expect(await opened.call('clients.list', {})).toEqual(clients)
  expect(await opened.call('recovery.reports', {})).toEqual([])
  await opened.core.close()
})

test.each<[string, (name: string) => string]>([
  ['in capitals', (name) => name.toUpperCase()],
  ['with another ending', (name) => `${name}.txt`],
  ['in a subfolder', (name) => `backup/${name}`],
])('a journal %s belongs to the database beside it', async (_, moved) => {
  const { place, openAgain, folder } = copied(profile)
  const first = await openAgain()
  await first.call('clients.create', { display_name: 'In The Journal' })
  await first.settled()
  const clients = await first.call('clients.list', {})
  cpSync(folder, `${folder}-open`, { recursive: true })
  await first.core.close()
  for (const name of both)
    for (const end of ['', '-wal', '-shm']) {
      rmSync(place(name + end), { force: true })
      const from = join(`${folder}-open`, name + end)
      if (end === '-shm') continue
      mkdirSync(dirname(place(moved(name + end))), { recursive: true })
      copyFileSync(from, place(moved(name + end)))
    }
  rmSync(`${folder}-open`, { recursive: true })
  const opened = await openAgain()
  expect(await opened.call('clients.list', {})).toEqual(clients)
  expect(await opened.call('recovery.reports', {})).toEqual([])
  await opened.core.close()
})
