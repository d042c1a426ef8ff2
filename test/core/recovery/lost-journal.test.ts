import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openedProfile } from '../compare-kit.ts'
import { coreKit } from '../core-kit.ts'

/** A profile as a killed process leaves it, a moment after a change. */
async function killed() {
  const { kit, opened } = await openedProfile()
  await opened.call('clients.create', { display_name: 'Vera Moss' })
  await opened.settled()
  const folder = mkdtempSync(join(tmpdir(), 'afterword-killed-'))
  cpSync(kit.folder, folder, { recursive: true })
  await opened.core.close()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return { folder, open: () => coreKit({ folder }).open({ keychain: kit.ports.keychain }), closed: kit }
}

const journals = ['vault.db-wal', 'vault.db-shm', 'service.db-wal', 'service.db-shm']

test('after a kill, journals that somebody deleted are reported, because nobody knows what was in them', async () => {
  const { folder, open } = await killed()
  for (const name of journals) rmSync(join(folder, name), { force: true })
  const opened = await open()
  const reports = await opened.call('recovery.reports', {})
  expect(reports).toMatchObject([{ file: 'vault', cause: 'behind', set_aside: [], solved_at: null }])
  expect(reports[0]!.items).toContainEqual(expect.objectContaining({ kind: 'list', is_recovered: false }))
  await opened.core.close()
  const again = await open()
  expect(await again.call('recovery.reports', {})).toHaveLength(1)
  await again.core.close()
})

test('after a kill with its journals, nothing is reported and nothing is missing', async () => {
  const { open } = await killed()
  const opened = await open()
  expect(await opened.call('recovery.reports', {})).toEqual([])
  expect((await opened.call('clients.list', {})).map(({ client }) => client.display_name)).toEqual(['Vera Moss'])
  await opened.core.close()
})

test('a profile that was closed has no journals, and nothing is reported', async () => {
  const { closed } = await killed()
  for (const name of journals) rmSync(join(closed.folder, name), { force: true })
  const opened = await closed.open()
  expect(await opened.call('recovery.reports', {})).toEqual([])
  await opened.core.close()
})
