import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changePassphrase, newRecoveryCode } from '#core/vault/change-access.ts'
import { findKeys, replaceKeys } from '#core/vault/key-copies.ts'
import { createVault, openVault, type Unlock } from '#core/vault/vault.ts'
import { codeOf, passphrase, vaultPorts } from './vault-fixture.ts'

const next = 'five loud green parrots'
type Ports = ReturnType<typeof vaultPorts>

async function made(protection: 'keychain' | 'passphrase'): Promise<{ ports: Ports; code: string }> {
  const ports = vaultPorts()
  const { vault, recovery_code } = await createVault(ports, { protection, passphrase })
  vault.db.prepare('insert into person (name) values (?)').run('Theodora Blackwood')
  vault.close()
  return { ports, code: recovery_code }
}

/** What opening with it came to; the records must be there. */
const openedBy = (ports: Ports, unlock?: Unlock): Promise<string> =>
  codeOf(async () => {
    const vault = await openVault(ports, unlock)
    expect(vault.db.prepare('select name from person').pluck().all()).toEqual(['Theodora Blackwood'])
    vault.close()
  })

const file = (ports: Ports, name = 'vault.json'): string => join(ports.folder, name)

describe('another passphrase', () => {
  test('opens the records from then on, the old one no longer, the recovery code still', async () => {
    const { ports, code } = await made('passphrase')
    await changePassphrase(ports, { passphrase }, next)
    expect(await openedBy(ports, { passphrase })).toBe('wrong-passphrase')
    expect(await openedBy(ports, { passphrase: next })).toBe('none')
    expect(await openedBy(ports, { recovery_code: code })).toBe('none')
    expect(readFileSync(file(ports, 'vault.json.bak'))).toEqual(readFileSync(file(ports)))
  })

  test('can be set with the recovery code by whoever forgot theirs', async () => {
    const { ports, code } = await made('passphrase')
    await changePassphrase(ports, { recovery_code: code }, next)
    expect(await openedBy(ports, { passphrase: next })).toBe('none')
  })

  test('needs the one before, twelve characters, and a profile that has one; a refusal changes no byte', async () => {
    const { ports } = await made('passphrase')
    const before = readFileSync(file(ports))
    expect(await codeOf(() => changePassphrase(ports, { passphrase: 'not the right words' }, next))).toBe('wrong-passphrase')
    expect(await codeOf(() => changePassphrase(ports, { passphrase }, 'elevenchars'))).toBe('passphrase-too-short')
    expect(readFileSync(file(ports))).toEqual(before)
    const kept = await made('keychain')
    expect(await codeOf(() => changePassphrase(kept.ports, { recovery_code: kept.code }, next))).toBe('conflict')
  })
})

describe('another recovery code', () => {
  test('opens the records, and the code before it opens nothing', async () => {
    const { ports, code } = await made('passphrase')
    const fresh = await newRecoveryCode(ports, { passphrase })
    expect(fresh).not.toBe(code)
    expect(await openedBy(ports, { recovery_code: code })).toBe('wrong-recovery-code')
    expect(await openedBy(ports, { recovery_code: fresh })).toBe('none')
    expect(await openedBy(ports, { passphrase })).toBe('none')
  })

  test('is made without a proof only where the keychain holds the key, and only while it does', async () => {
    const { ports, code } = await made('keychain')
    const fresh = await newRecoveryCode(ports, null)
    expect(await openedBy(ports, { recovery_code: code })).toBe('wrong-recovery-code')
    ports.keychain.accounts.clear()
    expect(await codeOf(() => newRecoveryCode(ports, null))).toBe('key-gone')
    expect(await openedBy(ports, { recovery_code: fresh })).toBe('none')
    expect(await openedBy(ports)).toBe('none')
    const { ports: typed } = await made('passphrase')
    expect(await codeOf(() => newRecoveryCode(typed, null))).toBe('vault-locked')
  })
})

describe('cut off while it is changed', () => {
  test('before the copy followed, the new way counts, and the next opening takes the old one out of the copy', async () => {
    const { ports, code } = await made('passphrase')
    copyFileSync(file(ports), file(ports, 'old'))
    const fresh = await newRecoveryCode(ports, { passphrase })
    copyFileSync(file(ports, 'old'), file(ports, 'vault.json.bak'))
    expect(await openedBy(ports, { recovery_code: code })).toBe('wrong-recovery-code')
    expect(await openedBy(ports, { recovery_code: fresh })).toBe('none')
    expect(readFileSync(file(ports, 'vault.json.bak'))).toEqual(readFileSync(file(ports)))
  })

  test('a first file that is damaged then gives way to the newest whole copy, whichever way that has', async () => {
    const { ports, code } = await made('passphrase')
    copyFileSync(file(ports), file(ports, 'old'))
    const fresh = await newRecoveryCode(ports, { passphrase })
    writeFileSync(file(ports), 'half a fi')
    expect(await openedBy(ports, { recovery_code: fresh })).toBe('none')
    for (const name of ['vault.json.bak', 'recordings/keys.json']) copyFileSync(file(ports, 'old'), file(ports, name))
    writeFileSync(file(ports), 'half a fi')
    expect(await openedBy(ports, { recovery_code: code })).toBe('none')
  })
})

describe('a disk that takes no more while it is changed', () => {
  /** A folder in the way of the temporary file: the name itself cannot be written, not even by root. */
  const block = (ports: Ports, name: string): string => mkdirSync(`${file(ports, name)}.new`, { recursive: true })!

  test('loses no new recovery code: the code is shown, it opens the records, and the copy follows at a later opening', async () => {
    const { ports, code } = await made('passphrase')
    const inTheWay = block(ports, 'vault.json.bak')
    const fresh = await newRecoveryCode(ports, { passphrase })
    expect(await openedBy(ports, { recovery_code: fresh })).toBe('none')
    expect(await openedBy(ports, { recovery_code: code })).toBe('wrong-recovery-code')
    rmSync(inTheWay, { recursive: true })
    expect(await openedBy(ports, { passphrase })).toBe('none')
    expect(readFileSync(file(ports, 'vault.json.bak'))).toEqual(readFileSync(file(ports)))
  })

  test('leaves the old way in force where the new one could not be proven', async () => {
    const { ports, code } = await made('passphrase')
    const old = envelopeOf(ports)
    const change = replaceKeys(ports, old, { ...old, created_at: '2026-01-01T00:00:00.000Z' }, async () => {
      block(ports, 'vault.json')
      throw new Error('it did not open')
    })
    await expect(change).rejects.toThrow('it did not open')
    rmSync(`${file(ports)}.new`, { recursive: true })
    expect(await openedBy(ports, { recovery_code: code })).toBe('none')
    expect(envelopeOf(ports)).toEqual(old)
  })

  test('says so where the new one stands unproven and cannot be taken back, and removes no last envelope', async () => {
    const { ports, code } = await made('passphrase')
    const errors: string[] = []
    const log = { ...ports.log, error: (event: string) => void errors.push(event) }
    const old = envelopeOf(ports)
    const change = replaceKeys({ ...ports, log }, old, { ...old, created_at: '2026-01-01T00:00:00.000Z' }, async () => {
      block(ports, 'vault.json')
      for (const name of ['vault.json.bak', 'recordings/keys.json']) rmSync(file(ports, name))
      throw new Error('it did not open')
    })
    expect(await codeOf(() => change)).toBe('disk-failed')
    expect(errors).toEqual(['envelope.not-taken-back'])
    expect(await openedBy(ports, { recovery_code: code })).toBe('none')
  })
})

function envelopeOf({ folder }: Ports) {
  const found = findKeys(folder)
  if (found.kind !== 'made') throw new Error(found.kind)
  return found.envelope
}
