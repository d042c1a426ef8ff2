import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openedProfile, reopened, signedWork, taken } from '../compare-kit.ts'
import type { OpenCore } from '../core-kit.ts'

const copiesNamed = async (opened: OpenCore) => (await opened.call('recovery.reports', {})).map(({ copies }) => copies)

test('where records are missing, the report names the files that may still have them', async () => {
  const { kit, opened: first } = await openedProfile()
  let opened = await reopened(kit, first)
  const older = taken(kit, 'vault.db', 'service.db')
  await signedWork(opened, 'Lost')
  await opened.core.close()
  mkdirSync(join(kit.folder, 'backup'))
  copyFileSync(join(kit.folder, 'vault.db'), join(kit.folder, 'backup', 'vault.db'))
  copyFileSync(join(kit.folder, 'service.db'), join(kit.folder, 'service (1).db'))
  older.putBack()
  opened = await kit.open()
  await opened.until(async () => (await copiesNamed(opened)).some((names) => names.length > 0))
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
