import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { memoryKeychain } from '#test/support/memory-keychain.ts'
import { clientWithSession, type OpenCore } from '../core-kit.ts'
import { format, recordOf } from '../recordings/recording-kit.ts'
import { copyOf, everything, makeProfile, type Profile } from './damage-kit.ts'

const databases = ['vault.db', 'service.db'] as const
let [profile, other]: [Profile, Profile] = [undefined as never, undefined as never]
let before: Awaited<ReturnType<typeof everything>>

/** Two practices on one laptop: the keychain has the keys of both. The first has a recording, and journals as after a kill. */
beforeAll(async () => {
  ;[profile, other] = [await makeProfile(2), await makeProfile(1)]
  const { kit } = profile
  const opened = await kit.open()
  await recorded(profile, opened, 'Nadia Petrov')
  await opened.settled()
  before = await everything(opened, profile.sessionIds)
  await killed(profile, opened)
  const last = await other.kit.open()
  await recorded(other, last, 'Omar Haddad')
  await last.settled()
  await killed(other, last)
}, 120_000)
afterAll(() => {
  for (const { kit } of [profile, other]) kit.remove()
})

/** The files as they stand while the app is open. */
async function killed({ kit }: Profile, opened: OpenCore): Promise<void> {
  const open = `${kit.folder}-open`
  cpSync(kit.folder, open, { recursive: true })
  await opened.core.close()
  rmSync(kit.folder, { recursive: true })
  renameSync(open, kit.folder)
}

async function recorded({ kit }: Profile, opened: OpenCore, name: string): Promise<void> {
  const { session } = await clientWithSession(opened, name, Date.UTC(2024, 5, 1, 9))
  const asked = { session_id: session.id, window_id: 'window-1', format, device_label: 'Mic' }
  const { recording_id } = await opened.call('recordings.start', asked)
  for (let sequence = 0; sequence < 10; sequence += 1) kit.append.append({ recording_id, ...recordOf(sequence) })
  await opened.call('recordings.finish', { recording_id })
}

async function copied() {
  const copy = copyOf(profile)
  onTestFinished(() => copy.remove())
  const keychain = memoryKeychain(new Map([...accounts(profile), ...accounts(other)]))
  const place = (name: string): string => join(copy.folder, name)
  return {
    ...copy,
    place,
    /** Puts a file of the other practice in the place of one of this. */
    swap: (...names: readonly string[]) => {
      for (const name of names) copyFileSync(join(other.kit.folder, name), place(name))
    },
    exchange: (one: string, two: string) => {
      renameSync(place(one), place('between'))
      renameSync(place(two), place(one))
      renameSync(place('between'), place(two))
    },
    openAgain: () => copy.openAgain({ keychain }),
  }
}

const accounts = ({ kit }: Profile): [string, Uint8Array][] => {
  const { accounts: all } = kit.ports.keychain as ReturnType<typeof memoryKeychain>
  return [...all].map(([account, secret]) => [account, Uint8Array.from(secret)])
}

const asideIn = (folder: string): string[] => readdirSync(folder).filter((name) => /\.(damaged|unreadable)-/.test(name))

/** Every file but what opening writes in any case. */
function contentOf(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true }).map(String)
  return new Map(
    names
      .filter((name) => statSync(join(folder, name)).isFile() && !/^log\/|\.lock$|^knock\.key$|\.bak$/.test(name))
      .map((name) => [name, readFileSync(join(folder, name)).toString('base64')]),
  )
}

/** A record that comes from the service counts its changes and has its times by the service. */
function content(records: unknown): unknown {
  const ofTheService = new Set(['created_at', 'updated_at', 'version', 'clinician_id'])
  return JSON.parse(JSON.stringify(records, (name, value: unknown) => (ofTheService.has(name) ? undefined : value)))
}

const ends: readonly string[] = ['', '-wal']

test.each([[['']], [['-wal']], [ends]])('the two databases under each other’s names get them back: %j', async (exchanged) => {
  const { folder, exchange, openAgain } = await copied()
  for (const end of exchanged) exchange(`vault.db${end}`, `service.db${end}`)
  const opened = await openAgain()
  expect(opened.core.state().phase).toBe('ready')
  expect(await everything(opened, profile.sessionIds)).toEqual(before)
  expect(await opened.call('recovery.reports', {})).toEqual([])
  expect(asideIn(folder)).toEqual([])
  await opened.core.close()
})

test('journals that were being put back when the app died are put back by the next opening', async () => {
  const { place, exchange, openAgain } = await copied()
  exchange('vault.db-wal', 'service.db-wal')
  renameSync(place('vault.db-wal'), place('service.db.renaming-wal'))
  const opened = await openAgain()
  expect(await everything(opened, profile.sessionIds)).toEqual(before)
  expect(await opened.call('recovery.reports', {})).toEqual([])
  await opened.core.close()
})

test('names that were being put back when the app died are put back by the next opening', async () => {
  const { place, exchange, openAgain } = await copied()
  exchange('vault.db', 'service.db')
  renameSync(place('vault.db'), place('service.db.renaming'))
  let opened = await openAgain()
  expect(await everything(opened, profile.sessionIds)).toEqual(before)
  await opened.core.close()
  renameSync(place('service.db'), place('service.db.renaming'))
  opened = await openAgain()
  expect(await everything(opened, profile.sessionIds)).toEqual(before)
  expect(await opened.call('recovery.reports', {})).toEqual([])
  await opened.core.close()
})

test.each(databases)(
  'another practice’s %s is set aside unchanged, and the records come from the other database',
  async (name) => {
    const { folder, place, swap, openAgain } = await copied()
    for (const end of ['-wal', '-shm']) rmSync(place(name + end), { force: true })
    swap(name)
    const foreign = readFileSync(place(name))
    const opened = await openAgain()
    expect(opened.core.state().phase).toBe('ready')
    expect(content(await everything(opened, profile.sessionIds))).toEqual(content(before))
    const aside = asideIn(folder)
    expect(aside).toEqual([expect.stringMatching(new RegExp(`^${name}\\.unreadable-`))])
    expect(readFileSync(place(aside[0]!)).equals(foreign)).toBe(true)
    const reports = await opened.call('recovery.reports', {})
    const report = reports.find(({ set_aside }) => set_aside.includes(aside[0]!))!
    expect(report.file).toBe(name.replace('.db', ''))
    expect(report.unreadable_pages).toBe(report.pages)
    await opened.core.close()
  },
)

const strange: Readonly<Record<string, (path: string) => void>> = {
  'of another practice': (path) =>
    copyFileSync(join(other.kit.folder, path.endsWith('vault.db') ? 'vault.db' : 'service.db'), path),
  'random bytes': (path) => writeFileSync(path, Buffer.alloc(20_000, 0x5a)),
  'the beginning of an unencrypted database': (path) => writeFileSync(path, 'SQLite format 3\0'),
  'another program’s database': (path) => {
    rmSync(path)
    new Database(path).exec('create table person (id integer primary key)').close()
  },
  'a folder': (path) => {
    rmSync(path)
    mkdirSync(path)
    writeFileSync(join(path, 'file'), 'kept')
  },
}

test.each(Object.keys(strange))(
  'both databases replaced, %s: the app opens, keeps them, and recordings have sessions',
  async (which) => {
    const { folder, place, openAgain } = await copied()
    for (const name of databases) {
      for (const end of ['-wal', '-shm']) rmSync(place(name + end), { force: true })
      strange[which]!(place(name))
    }
    const isFolder = which === 'a folder'
    const found = databases.map((name) => readFileSync(place(isFolder ? join(name, 'file') : name)))
    const opened = await openAgain()
    expect(opened.core.state().phase).toBe('ready')
    const rows = await opened.call('sessions.list', {})
    expect(rows.map(({ client_name }) => client_name)).toEqual(
      expect.arrayContaining(['Client Number 0', 'Client Number 1', 'Nadia Petrov']),
    )
    const aside = databases.map((name) => asideIn(folder).find((one) => one.startsWith(name))!)
    expect(aside.map((name) => readFileSync(place(isFolder ? join(name, 'file') : name)))).toEqual(found)
    const reported = (await opened.call('recovery.reports', {})).flatMap(({ set_aside }) => set_aside)
    expect(reported.toSorted()).toEqual(aside.toSorted())
    await opened.core.close()
  },
)

test('with the wrapped key of another practice nothing is set aside, renamed or changed', async () => {
  for (const isMixed of [false, true]) {
    const { folder, place, swap, openAgain } = await copied()
    swap('vault.json', 'vault.json.bak', 'recordings/keys.json')
    const recordings = join(other.kit.folder, 'recordings')
    if (isMixed) for (const name of readdirSync(recordings)) copyFileSync(join(recordings, name), place(join('recordings', name)))
    const whole = contentOf(folder)
    for (let times = 0; times < 2; times += 1) {
      const opened = await openAgain()
      expect(opened.core.state()).toMatchObject({ phase: 'trouble', trouble: 'keys-mismatch' })
      const recordings = readdirSync(place('recordings')).filter((name) => name.endsWith('.afr'))
      const named = [...databases, ...recordings.map((name) => `recordings/${name}`)]
      expect(opened.core.state().unopened_files).toEqual(named.map((name) => ({ name, is_zip: false })))
      await opened.call('vault.retry', {})
      await opened.core.close()
    }
    expect(contentOf(folder)).toEqual(whole)

    // With the right one again, everything opens.
    for (const name of ['vault.json', 'vault.json.bak', 'recordings/keys.json'])
      copyFileSync(join(profile.kit.folder, name), place(name))
    const opened = await openAgain()
    expect(await everything(opened, profile.sessionIds)).toEqual(before)
    expect(await opened.call('recovery.reports', {})).toEqual([])
    await opened.core.close()
  }
})

test('a ZIP archive in place of a database is named as one where the key opens nothing', async () => {
  const { place, swap, openAgain } = await copied()
  swap('vault.json', 'vault.json.bak', 'recordings/keys.json')
  writeFileSync(place('vault.db'), Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(5000, 7)]))
  const opened = await openAgain()
  expect(opened.core.state()).toMatchObject({ phase: 'trouble', trouble: 'keys-mismatch' })
  expect(opened.core.state().unopened_files[0]).toEqual({ name: 'vault.db', is_zip: true })
  await opened.core.close()
})

test('a damaged database is not touched with the wrapped key of another practice', async () => {
  const { folder, place, swap, openAgain } = await copied()
  swap('vault.json', 'vault.json.bak', 'recordings/keys.json')
  truncateSync(place('vault.db'), 10_000)
  rmSync(place('service.db'))
  const whole = contentOf(folder)
  const opened = await openAgain()
  expect(opened.core.state()).toMatchObject({ phase: 'trouble', trouble: 'keys-mismatch' })
  await opened.core.close()
  expect(contentOf(folder)).toEqual(whole)
})

test.each(databases)('another practice’s %s-wal is set aside unchanged, and its database stays', async (name) => {
  const { folder, place, swap, openAgain } = await copied()
  swap(`${name}-wal`)
  const foreign = readFileSync(place(`${name}-wal`))
  let opened = await openAgain()
  expect(content(await everything(opened, profile.sessionIds))).toEqual(content(before))
  const aside = asideIn(folder)
  expect(aside).toEqual([expect.stringMatching(new RegExp(`^${name}\\.unreadable-.*-wal$`))])
  expect(readFileSync(place(aside[0]!)).equals(foreign)).toBe(true)
  const named = async (): Promise<string[]> =>
    (await opened.call('recovery.reports', {})).filter(({ set_aside }) => set_aside.includes(aside[0]!)).map(({ file }) => file)
  expect(await named()).toEqual([name.replace('.db', '')])
  await opened.core.close()
  opened = await openAgain()
  expect(await named()).toEqual([name.replace('.db', '')])
  await opened.core.close()
})

test('another practice’s recordings in the folder keep nothing from opening', async () => {
  const { folder, place, openAgain } = await copied()
  const names = (kit: Profile['kit']): string[] =>
    readdirSync(join(kit.folder, 'recordings')).filter((name) => name.endsWith('.afr'))
  const [own, foreign] = [names(profile.kit)[0]!, names(other.kit)[0]!]
  for (const to of [foreign, own]) copyFileSync(join(other.kit.folder, 'recordings', foreign), join(folder, 'recordings', to))
  for (const end of ['', '-wal', '-shm']) rmSync(place(`vault.db${end}`))
  const opened = await openAgain()
  expect(opened.core.state().phase).toBe('ready')
  expect(content(await everything(opened, profile.sessionIds))).toEqual(content(before))
  await opened.core.close()
})
