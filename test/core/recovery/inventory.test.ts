import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createAudit } from '#core/audit/audit.ts'
import { openInventory } from '#core/recovery/inventory.ts'
import { openInventoryFile } from '#core/recovery/inventory-file.ts'
import { createRemoveRecords } from '#core/sync/merge/tombstones.ts'
import { migrations } from '#core/vault/migrations.ts'
import { openVault } from '#core/vault/vault.ts'
import { flip, isComplete, killed, openedProfile, reopened, reported, shown, signedWork, taken } from '../compare-kit.ts'
import { type CoreKit, clientWithSession, noService, type OpenCore } from '../core-kit.ts'

const fileOf = (kit: CoreKit): string => join(kit.folder, 'inventory.aw')
const secondOf = (kit: CoreKit): string => join(kit.folder, 'recordings', 'inventory.aw')
const asideIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.startsWith('inventory.aw.damaged-'))

/** One bit each, where no copy opens any more. */
function flipBoth(kit: CoreKit): void {
  for (const path of [fileOf(kit), secondOf(kit)]) {
    const bytes = readFileSync(path)
    bytes[bytes.length >> 1]! ^= 4
    writeFileSync(path, bytes)
  }
}
const practice = async (opened: OpenCore): Promise<string | null> => (await opened.call('settings.get', {})).practice_name

describe('settings that the records forgot come back', () => {
  test.each(['an older file was put back', 'the file is gone', 'the journal is gone'])('%s', async (which) => {
    const { kit, opened: first } = await openedProfile()
    let opened = await reopened(kit, first)
    const older = taken(kit, 'vault.db')
    await opened.call('settings.update', { practice_name: 'Quiet Street' })
    await (which === 'the journal is gone' ? killed(kit, opened) : opened.core.close())
    if (which === 'an older file was put back') older.putBack()
    else rmSync(join(kit.folder, which === 'the file is gone' ? 'vault.db' : 'vault.db-wal'))
    opened = await kit.open()
    expect(await practice(opened)).toBe('Quiet Street')
    const items = (await reported(opened)).flatMap((one) => one.items)
    expect(items).toContain('settings of null: true')
    const lost = items.filter((item) => item.endsWith('false') && !item.startsWith('other'))
    expect(lost).toEqual(which === 'the journal is gone' ? ['list of null: false'] : [])
    opened = await reopened(kit, opened)
    expect(await reported(opened)).toHaveLength(1)
    await opened.core.close()
  })

  test('but not the address of a practice, which is named instead', async () => {
    const { kit, opened: first } = await openedProfile()
    let opened = await reopened(kit, first)
    const older = taken(kit, 'vault.db')
    await opened.call('settings.update', { service_address: 'http://localhost:9/v1', theme: 'dark' })
    await opened.core.close()
    older.putBack()
    opened = await kit.open()
    expect(await opened.call('settings.get', {})).toMatchObject({ service_address: null, theme: 'dark' })
    expect((await reported(opened)).flatMap(({ items }) => items)).toEqual([
      'connection of null: false',
      'settings of null: true',
    ])
    await opened.core.close()
  })
})

describe('records that both databases lost are named by client and date', () => {
  test('a client, and a note that was signed', async () => {
    const { kit, opened: first } = await openedProfile()
    let opened = await reopened(kit, first)
    const kept = await signedWork(opened, 'Kept')
    opened = await reopened(kit, opened)
    const older = taken(kit, 'vault.db', 'service.db')
    await opened.call('clients.update', { id: kept.client_id, version: 1, patch: { phone: '5550100' } })
    const lost = await signedWork(opened, 'Lost')
    const { session } = await opened.call('sessions.get', { id: lost.session_id })
    await opened.core.close()
    older.putBack()
    opened = await kit.open()
    await opened.until(async () => (await reported(opened)).some(({ items }) => items.some((item) => item.startsWith('note of'))))
    const [report, ...others] = await opened.call('recovery.reports', {})
    expect(others).toEqual([])
    const items = report!.items.filter(({ is_recovered }) => !is_recovered)
    expect(items.map(({ kind, client_name, is_partial }) => `${kind} of ${client_name}${is_partial ? ', in part' : ''}`)).toEqual(
      expect.arrayContaining([
        'client of Kept, in part',
        'client of Lost, in part',
        'session of Lost, in part',
        ...['consent', 'transcript', 'note'].map((kind) => `${kind} of Lost`),
      ]),
    )
    expect(items.length).toBe(6)
    expect(items.find(({ kind }) => kind === 'note')?.date).toBe(session.starts_at)
    // Named once.
    await opened.call('recovery.markRead', { id: report!.id })
    opened = await reopened(kit, opened)
    expect(await reported(opened)).toEqual([])
    await opened.core.close()
  })

  test('also after the two were compared only at a later opening', async () => {
    const { kit, opened: first } = await openedProfile()
    let opened = await reopened(kit, first)
    const older = taken(kit, 'vault.db')
    const work = await signedWork(opened, 'Later')
    const before = await shown(opened, work)
    await opened.core.close()
    older.putBack()
    opened = await kit.open({ openService: noService })
    expect(await reported(opened)).toEqual([])
    await clientWithSession(opened, 'Meanwhile')
    opened = await reopened(kit, opened)
    expect(await shown(opened, work)).toEqual(before)
    expect((await reported(opened)).flatMap(({ items }) => items).filter((item) => item.endsWith('false'))).toEqual([])
    await opened.core.close()
  })
})

describe('the list of the records stands in two places', () => {
  test.each(['flipped', 'deleted', 'older'])(
    'what was lost is named from the second copy where the first is %s',
    async (damage) => {
      const { kit, opened: first } = await openedProfile()
      let opened = await reopened(kit, first)
      const older = taken(kit, 'vault.db', 'service.db')
      copyFileSync(fileOf(kit), `${fileOf(kit)}.older`)
      await signedWork(opened, 'Lost')
      await opened.core.close()
      older.putBack()
      const whole = readFileSync(fileOf(kit))
      if (damage === 'deleted') rmSync(fileOf(kit))
      else if (damage === 'older') copyFileSync(`${fileOf(kit)}.older`, fileOf(kit))
      else
        writeFileSync(
          fileOf(kit),
          whole.map((byte, at) => (at === whole.length >> 1 ? byte ^ 4 : byte)),
        )
      opened = await kit.open()
      await opened.until(async () =>
        (await reported(opened)).some(({ items }) => items.some((item) => item.startsWith('note of'))),
      )
      const items = (await reported(opened)).flatMap((report) => report.items)
      expect(items).toEqual(expect.arrayContaining(['client of Lost: false', 'note of Lost: false']))
      expect(items.filter((item) => item.startsWith('list'))).toEqual([])
      await opened.core.close()
      expect(asideIn(kit.folder).length).toBe(damage === 'flipped' ? 1 : 0)
      expect(readFileSync(secondOf(kit)).equals(readFileSync(fileOf(kit)))).toBe(true)
    },
  )

  test('a second copy that does not open is set aside and written again', async () => {
    const { kit, opened } = await openedProfile()
    await opened.core.close()
    writeFileSync(secondOf(kit), 'damaged')
    const again = await kit.open()
    expect(readFileSync(secondOf(kit)).equals(readFileSync(fileOf(kit)))).toBe(true)
    expect(asideIn(join(kit.folder, 'recordings')).length).toBe(1)
    expect(await reported(again)).toEqual([])
    await again.core.close()
  })
})

describe('where the list of the records cannot be read either, the report says so', () => {
  const damages = {
    'vault.db lost pages': (kit: CoreKit) => flip(kit, 'vault.db', 0.5),
    'service.db lost pages': (kit: CoreKit) => flip(kit, 'service.db', 0.5),
    'vault.db is gone': (kit: CoreKit) => rmSync(join(kit.folder, 'vault.db')),
  }
  test.each(Object.entries(damages))('and %s', async (_, harm) => {
    const { kit, opened: first } = await openedProfile()
    await signedWork(first, 'Anybody')
    await first.core.close()
    harm(kit)
    flipBoth(kit)
    let opened = await kit.open()
    const items = (await reported(opened)).flatMap((report) => report.items)
    expect(items.filter((item) => item.startsWith('list'))).toEqual(['list of null: false'])
    // It stays said until it was read, and is said once.
    opened = await reopened(kit, opened)
    const reports = await opened.call('recovery.reports', {})
    expect(reports.flatMap((report) => report.items).filter(({ kind }) => kind === 'list').length).toBe(1)
    for (const { id } of reports) await opened.call('recovery.markRead', { id })
    opened = await reopened(kit, opened)
    expect(await reported(opened)).toEqual([])
    await opened.core.close()
    expect([kit.folder, join(kit.folder, 'recordings')].map((folder) => asideIn(folder).length)).toEqual([1, 1])
  })

  test('also after a kill before the two databases were compared', async () => {
    const { kit, opened: first } = await openedProfile()
    await signedWork(first, 'Anybody')
    let opened = await reopened(kit, first)
    const older = taken(kit, 'vault.db')
    await signedWork(opened, 'Later')
    await opened.core.close()
    older.putBack()
    flipBoth(kit)
    opened = await kit.open({ openService: noService })
    expect(await reported(opened)).toEqual([])
    opened = await reopened(kit, opened)
    expect((await reported(opened)).flatMap(({ items }) => items)).toContain('list of null: false')
    await opened.core.close()
  })
})

describe('nothing is reported', () => {
  test('where the inventory is older than the records', async () => {
    const { kit, opened: first } = await openedProfile()
    await signedWork(first, 'First')
    let opened = await reopened(kit, first)
    copyFileSync(fileOf(kit), `${fileOf(kit)}.older`)
    await signedWork(opened, 'Second')
    await opened.call('settings.update', { practice_name: 'Quiet Street' })
    await killed(kit, opened)
    for (const path of [fileOf(kit), secondOf(kit)]) copyFileSync(`${fileOf(kit)}.older`, path)
    opened = await kit.open()
    expect(await practice(opened)).toBe('Quiet Street')
    await isComplete(opened)
    expect(await reported(opened)).toEqual([])
    await opened.core.close()
  })

  test.each(['flipped', 'cut', 'empty', 'deleted', 'another profile’s'])(
    'where the inventory is %s, and it is written again',
    async (damage) => {
      const { kit, opened: first } = await openedProfile()
      await signedWork(first, 'First')
      await first.core.close()
      rmSync(secondOf(kit))
      const whole = readFileSync(fileOf(kit))
      const changed = Buffer.from(whole)
      changed[whole.length >> 1]! ^= 4
      if (damage === 'deleted') rmSync(fileOf(kit))
      else if (damage === 'another profile’s') {
        const { kit: other, opened } = await openedProfile()
        await opened.core.close()
        copyFileSync(fileOf(other), fileOf(kit))
      } else {
        const left = { flipped: changed, cut: whole.subarray(0, whole.length >> 1), empty: Buffer.alloc(0) }
        writeFileSync(fileOf(kit), left[damage as keyof typeof left])
      }
      const opened = await kit.open()
      expect(await reported(opened)).toEqual([])
      await opened.core.close()
      expect(existsSync(fileOf(kit))).toBe(true)
      expect(readFileSync(fileOf(kit)).length).toBe(whole.length)
      expect(readFileSync(secondOf(kit)).equals(readFileSync(fileOf(kit)))).toBe(true)
      // A file that did not open is set aside, not overwritten.
      expect(asideIn(kit.folder).length).toBe(damage === 'deleted' ? 0 : 1)
    },
  )
})

test('who was erased leaves the inventory at once, and is not named after a repair', async () => {
  const { kit, opened } = await openedProfile()
  const { client_id } = await signedWork(opened, 'Erased')
  await opened.core.close()
  const vault = await openVault({ ...kit.ports, migrations })
  onTestFinished(() => vault.close())
  const file = openInventoryFile({ ...kit.ports, vault })
  const listed = (): boolean => JSON.stringify(file.read()?.content()).includes(client_id)
  const before = readFileSync(fileOf(kit))
  const isListedIn = (path: string): boolean => !readFileSync(path).equals(before)
  const inventory = openInventory({ ...kit.ports, vault, emit: () => {} })
  expect(listed()).toBe(true)
  createRemoveRecords(vault.db).client(client_id)
  createAudit(vault.db, kit.ports.clock).append({ action: 'client.erased', subject_id: client_id, client_id })
  inventory.emit('records.changed', { kinds: ['clients'] })
  expect(listed()).toBe(false)
  expect([fileOf(kit), secondOf(kit)].map(isListedIn)).toEqual([true, true])
  // Killed before it was written, and the vault repaired then: the older one names the client still.
  for (const path of [fileOf(kit), secondOf(kit)]) writeFileSync(path, before)
  vault.db.exec(`insert into recovery_reports values ('r', '2026-01-01', 'vault', 'damaged', '[]', 1, 1, null, null, null)`)
  openInventory({ ...kit.ports, vault, emit: () => {} }).compared()
  expect(vault.db.prepare('select kind, client_name from recovery_items').all()).toEqual([{ kind: 'list', client_name: null }])
})

test('after a repair, an inventory that is older than the newest changes says that more may be missing', async () => {
  const { kit, opened } = await openedProfile()
  await signedWork(opened, 'Known')
  await opened.core.close()
  const inventories = [fileOf(kit), secondOf(kit)].map((path) => ({ path, bytes: readFileSync(path) }))
  const again = await kit.open()
  await signedWork(again, 'Since')
  await again.core.close()
  for (const { path, bytes } of inventories) writeFileSync(path, bytes)
  const vault = await openVault({ ...kit.ports, migrations })
  onTestFinished(() => vault.close())
  const named = () => vault.db.prepare('select kind, client_name from recovery_items').all()
  openInventory({ ...kit.ports, vault, emit: () => {} }).compared()
  expect(named()).toEqual([])
  for (const { path, bytes } of inventories) writeFileSync(path, bytes)
  vault.db.exec(`insert into recovery_reports values ('r', '2026-01-01', 'vault', 'damaged', '[]', 1, 1, null, null, null)`)
  openInventory({ ...kit.ports, vault, emit: () => {} }).compared()
  expect(named()).toEqual([{ kind: 'list', client_name: null }])
})

test('the inventory holds no readable word', async () => {
  const { kit, opened } = await openedProfile()
  await signedWork(opened, 'Readable Name')
  await opened.core.close()
  for (const path of [fileOf(kit), secondOf(kit)]) expect(readFileSync(path).includes('Readable')).toBe(false)
})
