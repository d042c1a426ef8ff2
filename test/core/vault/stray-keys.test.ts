import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { changePassphrase } from '#core/vault/change-access.ts'
import { createVault, inspectVault, openVault, type Unlock } from '#core/vault/vault.ts'
import { codeOf, passphrase, vaultPorts } from './vault-fixture.ts'

const copies = ['vault.json', 'vault.json.bak', 'recordings/keys.json'] as const
const next = 'five loud green parrots'
type Ports = ReturnType<typeof vaultPorts>

async function made(protection: 'keychain' | 'passphrase' = 'passphrase'): Promise<Ports> {
  const ports = vaultPorts()
  const { vault } = await createVault(ports, { protection, passphrase })
  vault.close()
  return ports
}

const file = ({ folder }: Ports, name: string): string => join(folder, name)
const textOf = (ports: Ports, name: string): string => readFileSync(file(ports, name), 'utf8')
const openedBy = (ports: Ports, unlock?: Unlock): Promise<string> => codeOf(async () => (await openVault(ports, unlock)).close())

/** No copy is left, but this file. */
function only(ports: Ports, name: string, content: string | Buffer): void {
  for (const copy of copies) rmSync(file(ports, copy), { force: true })
  mkdirSync(dirname(file(ports, name)), { recursive: true })
  writeFileSync(file(ports, name), content)
}

test.each([
  'vault (1).json',
  'vault.json.txt',
  'Vault.json',
  'VAULT.JSON',
  'vault.json ',
  'vault.json.',
  'vault - Copy.json',
  'backup/vault.json',
  '.stversions/vault~20261101-120000.json',
  'recordings/old/keys.json',
])('the one copy left has the name %j: it opens the records, stays, and the three are written again', async (name) => {
  const ports = await made()
  const whole = textOf(ports, 'vault.json')
  only(ports, name, whole)
  expect(await inspectVault(ports)).toMatchObject({ phase: 'locked', protection: 'passphrase' })
  expect(await codeOf(() => createVault(ports, { protection: 'keychain' }))).toBe('vault-exists')
  expect(await openedBy(ports, { passphrase })).toBe('none')
  for (const copy of [...copies, name]) expect(textOf(ports, copy)).toBe(whole)
})

test.each(['vault.json', 'vault.json.gz', 'recordings/keys.json.gz'])('compressed as %s, it opens them too', async (name) => {
  const ports = await made()
  const whole = textOf(ports, 'vault.json')
  only(ports, name, gzipSync(whole))
  expect(await openedBy(ports, { passphrase })).toBe('none')
  for (const copy of copies) expect(textOf(ports, copy)).toBe(whole)
})

test.each([
  [
    'in capitals',
    (folder: string) => {
      for (const name of readdirSync(folder)) renameSync(join(folder, name), join(folder, name.toUpperCase()))
    },
  ],
  [
    'one folder down',
    (folder: string) => {
      const names = readdirSync(folder)
      mkdirSync(join(folder, 'Afterword'))
      for (const name of names) renameSync(join(folder, name), join(folder, 'Afterword', name))
    },
  ],
  [
    'three folders down',
    (folder: string) => {
      const names = readdirSync(folder)
      mkdirSync(join(folder, 'old', 'laptop', 'Afterword'), { recursive: true })
      for (const name of names) renameSync(join(folder, name), join(folder, 'old', 'laptop', 'Afterword', name))
    },
  ],
])('where all files are %s, no new profile is made, and the records open', async (_, move) => {
  const ports = await made()
  const first = await openVault(ports, { passphrase })
  first.db.prepare("insert into person (name) values ('Ada')").run()
  first.close()
  move(ports.folder)
  expect(await codeOf(() => createVault(ports, { protection: 'keychain' }))).toBe('vault-exists')
  const vault = await openVault(ports, { passphrase })
  expect(vault.db.prepare('select name from person').pluck().all()).toEqual(['Ada'])
  vault.close()
})

test.each(['passphrase', 'keychain'] as const)(
  'where all three belong to other records, the own one under another name opens the records: %s',
  async (protection) => {
    const [ports, other] = [await made(protection), await made(protection)]
    const own = textOf(ports, 'vault.json')
    const foreign = textOf(other, 'vault.json')
    for (const copy of copies) writeFileSync(file(ports, copy), foreign)
    writeFileSync(file(ports, 'vault (1).json'), own)
    const unlock = protection === 'keychain' ? undefined : { passphrase }
    if (protection === 'keychain') expect(await inspectVault(ports)).toMatchObject({ phase: 'openable' })
    expect(await openedBy(ports, unlock)).toBe('none')
    for (const copy of copies) expect(textOf(ports, copy)).toBe(own)
    const aside = readdirSync(ports.folder).filter((name) => name.startsWith('vault.json.unreadable-'))
    expect(aside.map((name) => textOf(ports, name))).toEqual([foreign])
  },
)

test('a link to itself under any name keeps nothing from being found', async () => {
  const ports = await made()
  only(ports, 'vault (1).json', textOf(ports, 'vault.json'))
  symlinkSync(file(ports, 'other'), file(ports, 'other'))
  expect(await openedBy(ports, { passphrase })).toBe('none')
})

test.each(['nowhere', 'data'])('a data folder that is a link to %s is a disk to look for, never a first run', async (target) => {
  const folder = join(vaultPorts().folder, 'data')
  symlinkSync(join(folder, '..', target), folder)
  const ports = vaultPorts(folder)
  expect(await inspectVault(ports)).toMatchObject({ phase: 'trouble', trouble: 'disk-failed' })
  expect(await openedBy(ports, { passphrase })).toBe('disk-failed')
})

test('of several, the newest decides which passphrase opens the records', async () => {
  const ports = await made()
  const old = textOf(ports, 'vault.json')
  await changePassphrase(ports, { passphrase }, next)
  const newest = textOf(ports, 'vault.json')
  only(ports, 'old/vault.json', old)
  writeFileSync(file(ports, 'vault (1).json'), newest)
  expect(await openedBy(ports, { passphrase })).toBe('wrong-passphrase')
  expect(await openedBy(ports, { passphrase: next })).toBe('none')
  for (const copy of copies) expect(textOf(ports, copy)).toBe(newest)
})

test('one of other records in a subfolder opens nothing, and changes nothing', async () => {
  const [ports, other] = [await made(), await made()]
  const [own, database] = [textOf(ports, 'vault.json'), readFileSync(file(ports, 'vault.db'))]
  only(ports, 'backup/vault.json', textOf(other, 'vault.json'))
  writeFileSync(file(ports, 'backup/vault.db'), readFileSync(file(other, 'vault.db')))
  expect(await openedBy(ports, { passphrase })).toBe('keys-mismatch')
  expect(readFileSync(file(ports, 'vault.db'))).toEqual(database)
  expect(readdirSync(ports.folder)).not.toContain('vault.json')
  writeFileSync(file(ports, 'mine.json'), own)
  expect(await openedBy(ports, { passphrase })).toBe('none')
  for (const copy of copies) expect(textOf(ports, copy)).toBe(own)
})
