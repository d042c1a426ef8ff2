import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createVault, inspectVault, openVault } from '#core/vault/vault.ts'
import type { VaultPorts } from '#core/vault/vault.ts'
import { noSmallDisk, smallDisk } from '#test/support/full-disk.ts'
import { leftOut } from '#test/support/left-out.ts'
import { codeOf, colours, vaultPorts } from './vault-fixture.ts'

async function made(ports: VaultPorts, rows = 50): Promise<string> {
  const { vault } = await createVault(ports, { protection: 'keychain' })
  const insert = vault.db.prepare('insert into person (name) values (?)')
  for (let row = 0; row < rows; row++) insert.run(`Theodora Blackwood ${row} `.repeat(20))
  vault.close()
  return join(ports.folder, 'vault.db')
}

describe('vault.db', () => {
  test('in plain text is not opened', async () => {
    const ports = vaultPorts()
    const path = await made(ports)
    rmSync(path)
    const plain = new Database(path)
    plain.exec('create table person (id integer primary key, name text)')
    plain.close()
    expect(await codeOf(() => openVault(ports))).toBe('not-encrypted')
  })

  test('of another profile does not open, though the key is right for this one', async () => {
    const [mine, other] = [vaultPorts(), vaultPorts()]
    const path = await made(mine)
    writeFileSync(path, readFileSync(await made(other)))
    expect(await codeOf(() => openVault(mine))).toBe('keys-mismatch')
  })
})

describe('a newer schema', () => {
  test('is reached with the records kept, and leaves no snapshot behind', async () => {
    const ports = vaultPorts()
    await made(ports)
    const vault = await openVault({ ...ports, migrations: [...ports.migrations, colours] })
    expect(vault.db.prepare("select count(*) from person where colour = 'grey'").pluck().get()).toBe(50)
    vault.close()
    expect(readdirSync(ports.folder).sort()).toEqual([
      'recordings',
      'salts.json',
      'salts.json.bak',
      'vault.db',
      'vault.json',
      'vault.json.bak',
    ])
  })

  test('is refused by an app that does not know it', async () => {
    const ports = vaultPorts()
    await made(ports)
    const vault = await openVault({ ...ports, migrations: [...ports.migrations, colours] })
    vault.close()
    expect(await codeOf(() => openVault(ports))).toBe('database-newer')
  })

  test('snapshots of an upgrade that was killed go at the next opening', async () => {
    const ports = vaultPorts()
    await made(ports)
    for (const left of ['vault.db.schema-1', 'vault.db.schema-1.new', 'vault.db.schema-1.new-journal'])
      writeFileSync(join(ports.folder, left), 'sealed')
    const vault = await openVault(ports)
    vault.close()
    expect(readdirSync(ports.folder).sort()).toEqual([
      'recordings',
      'salts.json',
      'salts.json.bak',
      'vault.db',
      'vault.json',
      'vault.json.bak',
    ])
  })

  test('that cannot be reached leaves the records as they were, and an encrypted copy of them', async () => {
    const ports = vaultPorts()
    await made(ports)
    const broken = {
      name: '0002-broken',
      version: 2,
      up: (): never => {
        throw new Error('broken step')
      },
    }
    await expect(openVault({ ...ports, migrations: [...ports.migrations, broken] })).rejects.toThrow('broken step')
    const copy = join(ports.folder, 'vault.db.schema-1')
    expect(readFileSync(copy).includes('Theodora')).toBe(false)
    const vault = await openVault({ ...ports, migrations: [...ports.migrations, colours] })
    expect(vault.db.prepare('select count(*) from person').pluck().get()).toBe(50)
    vault.close()
    expect(existsSync(copy)).toBe(false)
  })
})

describe('a full disk', () => {
  const without = leftOut('the vault on a full disk', noSmallDisk())

  test.skipIf(without)('stops the first run cleanly; with space again it is a first run still', async () => {
    for (const leave of [0, 4096, 12_288, 40_960]) {
      const disk = smallDisk(512)
      onTestFinished(() => disk.remove())
      disk.fill(leave)
      const ports = vaultPorts(disk.folder)
      expect(await codeOf(() => createVault(ports, { protection: 'keychain' })), `${leave} bytes left`).toBe('disk-full')
      rmSync(join(disk.folder, 'filling'))
      expect(await inspectVault(ports), `${leave} bytes left`).toMatchObject({ phase: 'first_run' })
      await made(ports, 1)
      expect(ports.keychain.accounts.size).toBe(1)
    }
  })

  test.skipIf(without)('is said when the records are opened, and they are whole with space again', async () => {
    const disk = smallDisk(512)
    onTestFinished(() => disk.remove())
    const ports = vaultPorts(disk.folder)
    await made(ports)
    disk.fill(0)
    expect(await codeOf(() => openVault(ports))).toBe('disk-full')
    rmSync(join(disk.folder, 'filling'))
    const vault = await openVault(ports)
    expect(vault.db.prepare('select count(*) from person').pluck().get()).toBe(50)
    vault.close()
  })
})
