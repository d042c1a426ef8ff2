import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openedProfile, reopened, reported, signedWork, taken } from '../compare-kit.ts'
import type { OpenCore } from '../core-kit.ts'

const copiesNamed = async (opened: OpenCore) => (await opened.call('recovery.reports', {})).map(({ copies }) => copies)

test('where records are missing, the report names files of another history that may still have them', async () => {
  const { kit, opened: first } = await openedProfile()
  let opened = await reopened(kit, first)
  const older = taken(kit, 'vault.db', 'service.db')
  await signedWork(opened, 'Lost')
  await opened.core.close()
  const newer = ['vault.db', 'service.db'].map((name) => readFileSync(join(kit.folder, name)))
  older.putBack()
  opened = await kit.open()
  await opened.until(async () => (await reported(opened)).some(({ items }) => items.includes('note of Lost: false')))
  await opened.settled()
  await opened.core.close()
  mkdirSync(join(kit.folder, 'backup'))
  writeFileSync(join(kit.folder, 'backup', 'vault.db'), newer[0]!)
  writeFileSync(join(kit.folder, 'service (1).db'), newer[1]!)
  opened = await kit.open()
  expect(await copiesNamed(opened)).toEqual([['backup/vault.db', 'service (1).db']])
  expect(await opened.call('clients.list', {})).toMatchObject([{ client: { display_name: 'Lost' } }])
  await opened.core.close()
})

test('where nothing is missing, no copy is named', async () => {
  const { kit, opened: first } = await openedProfile()
  let opened = await reopened(kit, first)
  const older = taken(kit, 'vault.db')
  await signedWork(opened, 'Kept')
  await opened.core.close()
  copyFileSync(join(kit.folder, 'vault.db'), join(kit.folder, 'vault (1).db'))
  older.putBack()
  opened = await kit.open()
  expect(await copiesNamed(opened)).toEqual([[]])
  await opened.core.close()
})
