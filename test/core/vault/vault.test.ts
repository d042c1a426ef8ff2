import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createVault, inspectVault, openVault } from '#core/vault/vault.ts'
import { codeOf, passphrase, vaultPorts } from './vault-fixture.ts'

const name = 'Theodora Blackwood'

async function made(ports: ReturnType<typeof vaultPorts>, protection: 'keychain' | 'passphrase' = 'keychain'): Promise<string> {
  const { vault, recovery_code } = await createVault(ports, { protection, passphrase })
  vault.db.prepare('insert into person (name) values (?)').run(name)
  vault.close()
  return recovery_code
}

const people = (vault: Awaited<ReturnType<typeof openVault>>): unknown =>
  vault.db.prepare('select name from person').pluck().all()

test.skipIf(process.platform === 'win32')(
  'files that their owner may not read or write are opened to the owner again',
  async () => {
    const ports = vaultPorts()
    await made(ports)
    mkdirSync(join(ports.folder, 'recordings'), { recursive: true })
    writeFileSync(join(ports.folder, 'recordings', 'sound.afr'), '')
    const closed = ['vault.json', 'vault.db', 'recordings/sound.afr'].map((file) => join(ports.folder, file))
    for (const [index, file] of closed.entries()) chmodSync(file, [0o000, 0o400, 0o200][index]!)
    expect(await inspectVault(ports)).toMatchObject({ phase: 'openable' })
    expect(closed.map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600, 0o600])
  },
)

describe('the first run', () => {
  test('an empty folder is a first run, and says whether there is a keychain', async () => {
    const ports = vaultPorts()
    expect(await inspectVault(ports)).toEqual({ phase: 'first_run', trouble: null, protection: null, keychain_available: true })
    ports.keychain.trouble = 'keychain-unavailable'
    expect(await inspectVault(ports)).toMatchObject({ phase: 'first_run', keychain_available: false })
  })

  test('a passphrase under twelve characters is refused before anything is written', async () => {
    const ports = vaultPorts()
    expect(await codeOf(() => createVault(ports, { protection: 'passphrase', passphrase: 'elevenchars' }))).toBe(
      'passphrase-too-short',
    )
    expect(readdirSync(ports.folder)).toEqual([])
  })

  test('a keychain that does not give back what it was given is not trusted with a key', async () => {
    const ports = vaultPorts()
    ports.keychain.get = async () => null
    expect(await codeOf(() => createVault(ports, { protection: 'keychain' }))).toBe('keychain-unavailable')
    expect(existsSync(join(ports.folder, 'vault.db'))).toBe(false)
    expect(await inspectVault(vaultPorts(ports.folder))).toMatchObject({ phase: 'first_run' })
  })

  test('a first run that broke off can be done again and leaves no stray key', async () => {
    const ports = vaultPorts()
    const broken = {
      ...ports,
      migrations: [
        {
          name: '0001-broken',
          version: 1,
          up: () => {
            throw new Error('power cut')
          },
        },
      ],
    }
    await expect(createVault(broken, { protection: 'keychain' })).rejects.toThrow('power cut')
    expect(readdirSync(ports.folder)).toContain('vault.db')
    expect(await inspectVault(ports)).toMatchObject({ phase: 'first_run' })
    await made(ports)
    expect(ports.keychain.accounts.size).toBe(1)
    const vault = await openVault(ports)
    expect(people(vault)).toEqual([name])
    vault.close()
  })

  test('a second first run in the same folder is refused', async () => {
    const ports = vaultPorts()
    await made(ports)
    expect(await codeOf(() => createVault(ports, { protection: 'keychain' }))).toBe('vault-exists')
  })

  test.each(['vault.db', 'vault.db-wal', 'service.db', 'recordings/one.afr'])(
    'no key is ever made beside %s without its envelope',
    async (file) => {
      const ports = vaultPorts()
      mkdirSync(join(ports.folder, 'recordings'))
      writeFileSync(join(ports.folder, file), 'sealed')
      expect(await inspectVault(ports)).toMatchObject({ phase: 'trouble', trouble: 'keys-missing' })
      expect(await codeOf(() => createVault(ports, { protection: 'keychain' }))).toBe('keys-missing')
      expect(await codeOf(() => openVault(ports))).toBe('keys-missing')
      expect(readFileSync(join(ports.folder, file), 'utf8')).toBe('sealed')
      expect(ports.keychain.accounts.size).toBe(0)
    },
  )
})

describe('with the key in the keychain', () => {
  test('opens by itself and holds what was written', async () => {
    const ports = vaultPorts()
    await made(ports)
    expect(await inspectVault(ports)).toEqual({
      phase: 'openable',
      trouble: null,
      protection: 'keychain',
      keychain_available: true,
    })
    const vault = await openVault(ports)
    expect(people(vault)).toEqual([name])
    vault.close()
  })

  test.each(['keychain-locked', 'keychain-unavailable'] as const)('%s is said as it is, and passes', async (trouble) => {
    const ports = vaultPorts()
    await made(ports)
    ports.keychain.trouble = trouble
    expect(await inspectVault(ports)).toEqual({ phase: 'trouble', trouble, protection: 'keychain', keychain_available: false })
    expect(await codeOf(() => openVault(ports))).toBe(trouble)
    ports.keychain.trouble = null
    expect(await inspectVault(ports)).toMatchObject({ phase: 'openable' })
  })

  test('a lost key is gone, not replaced; the recovery code opens the records and puts it back', async () => {
    const ports = vaultPorts()
    const code = await made(ports)
    ports.keychain.accounts.clear()
    expect(await inspectVault(ports)).toMatchObject({
      phase: 'trouble',
      trouble: 'key-gone',
      protection: 'keychain',
      keychain_available: true,
    })
    expect(await codeOf(() => openVault(ports))).toBe('key-gone')
    expect(ports.keychain.accounts.size).toBe(0)
    const vault = await openVault(ports, { recovery_code: ` ${code.toLowerCase().replaceAll('-', ' ')} ` })
    expect(people(vault)).toEqual([name])
    vault.close()
    const again = await openVault(ports)
    expect(people(again)).toEqual([name])
    again.close()
  })

  test('another key under its name is not tried on the records', async () => {
    const ports = vaultPorts()
    await made(ports)
    for (const [account, key] of ports.keychain.accounts)
      ports.keychain.accounts.set(
        account,
        key.map((byte) => byte ^ 1),
      )
    expect(await inspectVault(ports)).toMatchObject({ phase: 'trouble', trouble: 'key-gone' })
    expect(await codeOf(() => openVault(ports))).toBe('key-gone')
  })

  test('the recovery code opens the records where the keychain stays shut', async () => {
    const ports = vaultPorts()
    const code = await made(ports)
    ports.keychain.trouble = 'keychain-locked'
    const vault = await openVault(ports, { recovery_code: code })
    expect(people(vault)).toEqual([name])
    vault.close()
  })
})

describe('with a passphrase', () => {
  test('is locked until the passphrase is given; a wrong one is told from a right one', async () => {
    const ports = vaultPorts()
    ports.keychain.trouble = 'keychain-unavailable'
    const code = await made(ports, 'passphrase')
    expect(await inspectVault(ports)).toEqual({
      phase: 'locked',
      trouble: null,
      protection: 'passphrase',
      keychain_available: false,
    })
    expect(await codeOf(() => openVault(ports))).toBe('vault-locked')
    expect(await codeOf(() => openVault(ports, { passphrase: `${passphrase} ` }))).toBe('wrong-passphrase')
    expect(await codeOf(() => openVault(ports, { recovery_code: 'AAAAA-AAAAA' }))).toBe('wrong-recovery-code')
    for (const unlock of [{ passphrase }, { recovery_code: code }]) {
      const vault = await openVault(ports, unlock)
      expect(people(vault)).toEqual([name])
      vault.close()
    }
  })

  test('the same letters in another Unicode form are the same passphrase', async () => {
    const ports = vaultPorts()
    const { vault } = await createVault(ports, { protection: 'passphrase', passphrase: 'Zo\u00eb und das M\u00e4dchen' })
    vault.close()
    const again = await openVault(ports, { passphrase: 'Zoe\u0308 und das Ma\u0308dchen' })
    again.close()
  })

  test('a code of another profile does not open this one', async () => {
    const ports = vaultPorts()
    await made(ports, 'passphrase')
    const other = await made(vaultPorts(), 'passphrase')
    expect(await codeOf(() => openVault(ports, { recovery_code: other }))).toBe('wrong-recovery-code')
  })
})

describe('the envelope', () => {
  test('holds neither the key, the code, the passphrase nor a name', async () => {
    const ports = vaultPorts()
    const code = await made(ports)
    const [key] = ports.keychain.accounts.values()
    for (const file of ['vault.db', 'vault.json', 'vault.json.bak', 'recordings/keys.json']) {
      const text = readFileSync(join(ports.folder, file))
      for (const secret of [Buffer.from(key!), code, code.replaceAll('-', ''), passphrase, name])
        expect(text.includes(secret), file).toBe(false)
      expect(text.includes(Buffer.from(key!).toString('hex')) || text.includes(Buffer.from(key!).toString('base64'))).toBe(false)
    }
  })

  test('either copy alone opens the records and mends the other', async () => {
    const ports = vaultPorts()
    const code = await made(ports)
    for (const damaged of ['vault.json', 'vault.json.bak']) {
      const path = join(ports.folder, damaged)
      const whole = readFileSync(path, 'utf8')
      for (const broken of ['', '{', whole.replace(/"created_at": "2/, '"created_at": "3'), whole.slice(0, -20), null]) {
        if (broken === null) rmSync(path)
        else writeFileSync(path, broken)
        const vault = await openVault(ports, { recovery_code: code })
        vault.close()
        expect(readFileSync(path, 'utf8')).toBe(whole)
      }
    }
  })

  test('of a later version it is newer, not damaged', async () => {
    const ports = vaultPorts()
    await made(ports)
    for (const copy of ['vault.json', 'vault.json.bak', 'recordings/keys.json'])
      writeFileSync(join(ports.folder, copy), '{"format":"afterword-vault","version":3,"what":"else"}')
    expect(await inspectVault(ports)).toMatchObject({ phase: 'trouble', trouble: 'database-newer' })
  })
})

test('a closed vault gives no key and no record', async () => {
  const ports = vaultPorts()
  const { vault } = await createVault(ports, { protection: 'keychain' })
  const { db, keys } = vault
  const context = 'recording/1'
  const wrapped = keys.wrap(Buffer.alloc(32, 7), context)
  expect(keys.unwrap(wrapped, context)).toEqual(Buffer.alloc(32, 7))
  expect(await codeOf(() => keys.unwrap(wrapped, 'recording/2'))).toBe('database-damaged')
  expect(keys.derive('service.db')).not.toEqual(keys.derive('vault.db'))
  vault.close()
  expect(db.open).toBe(false)
  expect(await codeOf(() => keys.derive('service.db'))).toBe('vault-locked')
  expect(await codeOf(() => keys.unwrap(wrapped, context))).toBe('vault-locked')
})
