import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { clientWithSession } from '../core-kit.ts'
import { format, recordOf } from '../recordings/recording-kit.ts'
import { copyOf, everything, makeProfile, type Profile, withoutTimes } from './damage-kit.ts'

let profile: Profile
let before: Awaited<ReturnType<typeof everything>>
let recordingId: string
beforeAll(async () => {
  profile = await makeProfile(1)
  const { kit } = profile
  const opened = await kit.open()
  const { session } = await clientWithSession(opened, 'Nadia Petrov', Date.UTC(2024, 5, 1, 9))
  const asked = { session_id: session.id, window_id: 'window-1', format, device_label: 'Mic' }
  ;({ recording_id: recordingId } = await opened.call('recordings.start', asked))
  for (let sequence = 0; sequence < 10; sequence += 1) kit.append.append({ recording_id: recordingId, ...recordOf(sequence) })
  await opened.call('recordings.finish', { recording_id: recordingId })
  await opened.settled()
  before = await everything(opened, profile.sessionIds)
  await opened.core.close()
}, 120_000)
afterAll(() => profile.kit.remove())

const asideIn = (folder: string): string[] =>
  [...readdirSync(folder), ...readdirSync(join(folder, 'recordings')).map((name) => `recordings/${name}`)].filter((name) =>
    name.includes('.unreadable-'),
  )

const links: Readonly<Record<string, (path: string) => void>> = {
  'a link to nothing': (path) => symlinkSync(`${path}.nowhere`, path),
  'a link to itself': (path) => symlinkSync(path, path),
}

const files: readonly (readonly string[])[] = [
  ['vault.db'],
  ['vault.db-wal'],
  ['service.db'],
  ['service.db-wal'],
  ['vault.json'],
  ['vault.json', 'vault.json.bak'],
  ['recordings/keys.json'],
  ['salts.json'],
  ['salts.json', 'salts.json.bak'],
  ['inventory.aw'],
  ['inventory.aw', 'recordings/inventory.aw'],
  ['recordings'],
]

test.each(Object.keys(links).flatMap((what) => files.map((names) => [what, names] as const)))(
  '%s in place of %j is set aside, and the records open without it',
  async (what, names) => {
    const copy = copyOf(profile)
    onTestFinished(() => copy.remove())
    for (const name of names) {
      rmSync(join(copy.folder, name), { recursive: true, force: true })
      links[what]!(join(copy.folder, name))
    }
    const opened = await copy.openAgain()
    expect(opened.core.state()).toMatchObject({ phase: 'ready' })
    expect(withoutTimes(await everything(opened, profile.sessionIds))).toEqual(withoutTimes(before))
    const aside = asideIn(copy.folder)
    expect(aside).toHaveLength(names.length)
    for (const name of aside) expect(lstatSync(join(copy.folder, name)).isSymbolicLink()).toBe(true)
    const reported = (await opened.call('recovery.reports', {})).flatMap(({ set_aside }) => set_aside)
    const isReported = (name: string): boolean => !/salts|inventory/.test(name)
    expect(reported.toSorted()).toEqual(aside.filter(isReported).toSorted())
    await opened.core.close()
  },
)

test.each(Object.keys(links))(
  '%s in place of a recording is set aside and reported, and the recording is shown as lost',
  async (what) => {
    const copy = copyOf(profile)
    onTestFinished(() => copy.remove())
    const path = join(copy.folder, 'recordings', `${recordingId}.afr`)
    rmSync(path)
    links[what]!(path)
    const opened = await copy.openAgain()
    const aside = asideIn(copy.folder)
    expect(aside).toHaveLength(1)
    expect((await opened.call('recovery.reports', {})).flatMap(({ set_aside }) => set_aside)).toEqual(aside)
    await opened.core.close()
  },
)

test('a link to a file or folder that can be read stays a link, and what it leads to is used', async () => {
  const copy = copyOf(profile)
  onTestFinished(() => copy.remove())
  const elsewhere = `${copy.folder}-elsewhere`
  mkdirSync(elsewhere)
  onTestFinished(() => rmSync(elsewhere, { recursive: true }))
  for (const name of ['recordings', 'vault.db', 'service.db']) {
    renameSync(join(copy.folder, name), join(elsewhere, name))
    symlinkSync(join(elsewhere, name), join(copy.folder, name))
  }
  const opened = await copy.openAgain()
  expect(await everything(opened, profile.sessionIds)).toEqual(before)
  expect(await opened.call('recovery.reports', {})).toEqual([])
  for (const name of ['recordings', 'vault.db', 'service.db'])
    expect(lstatSync(join(copy.folder, name)).isSymbolicLink()).toBe(true)
  await opened.core.close()
})
