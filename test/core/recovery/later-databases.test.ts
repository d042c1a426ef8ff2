import { cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { killed, openedProfile, reopened, reported, shown, signedWork, taken } from '../compare-kit.ts'
import type { CoreKit } from '../core-kit.ts'

const databases = ['vault.db', 'service.db'] as const
const all = [...databases, 'inventory.aw', 'recordings/inventory.aw'] as const

/** A profile with signed work of today, closed, and its files of yesterday in another folder. */
async function twoDays() {
  const { kit, opened: first } = await openedProfile()
  let opened = await reopened(kit, first)
  await signedWork(opened, 'Ada Quist')
  await opened.core.close()
  const yesterday = mkdtempSync(join(tmpdir(), 'afterword-yesterday-'))
  onTestFinished(() => rmSync(yesterday, { recursive: true }))
  cpSync(kit.folder, yesterday, { recursive: true })
  opened = await kit.open()
  const work = await signedWork(opened, 'Ida Brandt')
  const before = await shown(opened, work)
  await opened.core.close()
  return { kit, yesterday, work, before }
}

function putBack(kit: CoreKit, from: string, move: (name: string) => string): void {
  for (const name of all) {
    const to = join(kit.folder, move(name))
    mkdirSync(join(to, '..'), { recursive: true })
    renameSync(join(kit.folder, name), to)
    cpSync(join(from, name), join(kit.folder, name))
  }
}

test.each([
  ['beside them, as a sync program names them', (name: string) => `${name} (conflicted copy)`],
  ['in a hidden folder, as a backup program leaves them', (name: string) => `.replaced/${name}`],
])('older files put back over newer ones lose nothing if the newer ones are %s', async (_, move) => {
  const { kit, yesterday, work, before } = await twoDays()
  putBack(kit, yesterday, move)
  const opened = await kit.open()
  await opened.settled()
  expect(await shown(opened, work)).toEqual(before)
  const reports = await opened.call('recovery.reports', {})
  expect(reports.map(({ file, cause, set_aside }) => [file, cause, set_aside.length])).toEqual([
    ['vault', 'behind', 1],
    ['service', 'behind', 1],
  ])
  expect(reports.flatMap(({ items }) => items.filter(({ is_recovered }) => !is_recovered))).toEqual([])
  await opened.core.close()
  const next = await kit.open()
  expect(await next.call('recovery.reports', {})).toHaveLength(2)
  expect(readdirSync(kit.folder).filter((name) => name.includes('.older-'))).toHaveLength(2)
  await next.core.close()
})

test('journals that a cleanup moved into another folder lose nothing', async () => {
  const { kit, opened: first } = await openedProfile()
  const opened = await reopened(kit, first)
  const work = await signedWork(opened, 'Ida Brandt')
  const before = await shown(opened, work)
  await killed(kit, opened)
  mkdirSync(join(kit.folder, 'Cleaner backup'))
  for (const name of readdirSync(kit.folder).filter((found) => /-(wal|shm)$/.test(found)))
    renameSync(join(kit.folder, name), join(kit.folder, 'Cleaner backup', name))
  const again = await kit.open()
  await again.settled()
  expect(await shown(again, work)).toEqual(before)
  expect((await reported(again)).flatMap(({ items }) => items)).toEqual([])
  await again.core.close()
})

test('an older copy, and one with another history, do not take the place of the records', async () => {
  const { kit, yesterday, work, before } = await twoDays()
  for (const name of databases) cpSync(join(yesterday, name), join(kit.folder, `${name} - Copy`))
  const today = taken(kit, ...databases)
  for (const name of databases) cpSync(join(yesterday, name), join(kit.folder, name))
  let opened = await kit.open()
  for (const name of ['Other', 'Another', 'A third']) await signedWork(opened, name)
  await opened.core.close()
  for (const name of databases) cpSync(join(kit.folder, name), join(kit.folder, `${name} - Other`))
  today.putBack()
  for (const name of all.slice(2)) rmSync(join(kit.folder, name))
  opened = await kit.open()
  await opened.settled()
  expect(await shown(opened, work)).toEqual(before)
  const clients = await opened.call('clients.list', {})
  expect(JSON.stringify(clients)).not.toContain('A third')
  expect(readdirSync(kit.folder).filter((name) => name.includes('.older-'))).toEqual([])
  await opened.core.close()
})
