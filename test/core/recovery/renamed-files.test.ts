import { mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { copyOf, everything, makeProfile, type Profile } from './damage-kit.ts'

let profile: Profile
let before: Awaited<ReturnType<typeof everything>>
beforeAll(async () => {
  profile = await makeProfile(2)
  const opened = await profile.kit.open()
  before = await everything(opened, profile.sessionIds)
  await opened.core.close()
}, 120_000)
afterAll(() => profile.kit.remove())

function copied() {
  const copy = copyOf(profile)
  onTestFinished(() => copy.remove())
  return { ...copy, place: (name: string): string => join(copy.folder, name) }
}

const asideIn = (folder: string): string[] => readdirSync(folder).filter((name) => /\.(damaged|unreadable)-/.test(name))

test.each([[['vault.db']], [['service.db']], [['vault.db', 'service.db']]])(
  'databases that somebody renamed are read under their new names: %j',
  async (renamed) => {
    const { folder, place, openAgain } = copied()
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
  const { folder, place, openAgain } = copied()
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
