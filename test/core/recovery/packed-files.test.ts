import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
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

const both = ['vault.db', 'service.db'] as const

test.each([
  ['and the database compressed', ['', '-wal'], true],
  ['compressed beside the database', ['-wal'], true],
  ['and the database compressed under their names', ['', '-wal'], false],
])('a journal %s loses nothing', async (_, ends, isRenamed) => {
  const { place, openAgain, folder } = copied(profile)
  const first = await openAgain()
  await first.call('clients.create', { display_name: 'In The Journal' })
  await first.settled()
  await first.call('settings.update', { practice_name: 'Quiet Street' })
  const clients = await first.call('clients.list', {})
  cpSync(folder, `${folder}-open`, { recursive: true })
  await first.core.close()
  rmSync(folder, { recursive: true })
  cpSync(`${folder}-open`, folder, { recursive: true })
  rmSync(`${folder}-open`, { recursive: true })
  for (const copy of ['inventory.aw', 'recordings/inventory.aw']) rmSync(place(copy), { force: true })
  for (const name of both) {
    rmSync(place(`${name}-shm`), { force: true })
    for (const end of ends) {
      const bytes = gzipSync(readFileSync(place(name + end)))
      rmSync(place(name + end))
      writeFileSync(place(name + end + (isRenamed ? '.gz' : '')), bytes)
    }
  }
  const opened = await openAgain()
  expect(await opened.call('clients.list', {})).toEqual(clients)
  expect((await opened.call('settings.get', {})).practice_name).toBe('Quiet Street')
  const items = (await opened.call('recovery.reports', {})).flatMap((report) => report.items)
  // The inventory is gone, so a report of a repair says that it can't tell.
  expect(items.filter(({ is_recovered, kind }) => !is_recovered && kind !== 'list')).toEqual([])
  await opened.core.close()
})

test.each([
  ['beside its name', (name: string) => `${name}.gz`],
  ['under its name', (name: string) => name],
])('a database compressed %s is unpacked, and the compressed one stays', async (_, moved) => {
  const { folder, place, openAgain } = copied(profile)
  const packed = new Map(both.map((name) => [name, gzipSync(readFileSync(place(name)))]))
  for (const name of both) {
    rmSync(place(name))
    writeFileSync(place(moved(name)), packed.get(name)!)
  }
  const opened = await openAgain()
  expect(await everything(opened, profile.sessionIds)).toEqual(before)
  const kept = readdirSync(folder).filter((name) => statSync(place(name)).isFile())
  for (const bytes of packed.values()) expect(kept.some((name) => readFileSync(place(name)).equals(bytes))).toBe(true)
  await opened.core.close()
})
