import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changePassphrase, newRecoveryCode } from '#core/vault/change-access.ts'
import { createVault, inspectVault, openVault, type Unlock } from '#core/vault/vault.ts'
import { codeOf, passphrase, temporaryFolder, vaultPorts } from './vault-fixture.ts'

const copies = ['vault.json', 'vault.json.bak', 'recordings/keys.json'] as const
const next = 'five loud green parrots'
type Ports = ReturnType<typeof vaultPorts>

async function made(protection: 'keychain' | 'passphrase' = 'passphrase'): Promise<{ ports: Ports; code: string }> {
  const ports = vaultPorts()
  const { vault, recovery_code } = await createVault(ports, { protection, passphrase })
  vault.close()
  return { ports, code: recovery_code }
}

const openedBy = (ports: Ports, unlock?: Unlock): Promise<string> => codeOf(async () => (await openVault(ports, unlock)).close())

const file = ({ folder }: Ports, name: string): string => join(folder, name)
const textOf = (ports: Ports, name: string): string => readFileSync(file(ports, name), 'utf8')
const asideOf = (ports: Ports, name: string): string[] =>
  readdirSync(dirname(file(ports, name))).filter((found) => new RegExp(`^${basename(name)}\\.(damaged|unreadable)-`).test(found))

/** The copies as they are now, to be put back later. */
function savedCopies(ports: Ports): (name: string) => void {
  const saved = temporaryFolder()
  for (const name of copies) cpSync(file(ports, name), join(saved, name), { recursive: true })
  return (name) => cpSync(join(saved, name), file(ports, name))
}

describe('three copies of the wrapped keys', () => {
  test.each(copies)('%s alone opens the records, and the other two come back', async (last) => {
    const { ports, code } = await made()
    const whole = textOf(ports, last)
    for (const name of copies) if (name !== last) rmSync(file(ports, name))
    expect(await inspectVault(ports)).toMatchObject({ phase: 'locked', protection: 'passphrase' })
    expect(await openedBy(ports, { recovery_code: code })).toBe('none')
    for (const name of copies) expect(textOf(ports, name)).toBe(whole)
  })

  test.each(copies)('a damaged %s is set aside as it was, and written again', async (name) => {
    const { ports } = await made()
    const whole = textOf(ports, name)
    writeFileSync(file(ports, name), whole.slice(0, 100))
    expect(await openedBy(ports, { passphrase })).toBe('none')
    expect(textOf(ports, name)).toBe(whole)
    const [aside] = asideOf(ports, name)
    expect(readFileSync(join(file(ports, name), '..', aside!), 'utf8')).toBe(whole.slice(0, 100))
  })

  test.each([
    [
      'UTF-8 with a byte order mark and Windows line ends',
      (text: string) => Buffer.from(`\uFEFF${text.replaceAll('\n', '\r\n')}`),
    ],
    ['UTF-16', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 without a mark', (text: string) => Buffer.from(text, 'utf16le')],
    ['text padded with zeros', (text: string) => Buffer.concat([Buffer.from(text), Buffer.alloc(3000)])],
    ['UTF-16 of other byte order', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ])('a copy that an editor saved as %s opens the records, and is written again', async (_, encoded) => {
    const { ports } = await made()
    const whole = textOf(ports, 'vault.json')
    for (const name of copies) rmSync(file(ports, name))
    writeFileSync(file(ports, 'vault.json'), encoded(whole))
    expect(await openedBy(ports, { passphrase })).toBe('none')
    for (const name of copies) expect(textOf(ports, name)).toBe(whole)
  })

  test.each(copies)('a folder in place of %s is set aside, and no new profile is offered', async (name) => {
    const { ports } = await made()
    rmSync(file(ports, name))
    mkdirSync(join(file(ports, name), 'inside'), { recursive: true })
    expect(await inspectVault(ports)).toMatchObject({ phase: 'locked' })
    expect(await codeOf(() => createVault(ports, { protection: 'keychain' }))).toBe('vault-exists')
    expect(await openedBy(ports, { passphrase })).toBe('none')
    expect(asideOf(ports, name)).toHaveLength(1)
    expect(readFileSync(file(ports, name)).length).toBeGreaterThan(100)
  })

  test('with none that can be read the trouble is the keys, whatever took their place, and no key is made', async () => {
    for (const damage of [rmSync, (path: string) => writeFileSync(path, ''), (path: string) => (rmSync(path), mkdirSync(path))]) {
      const { ports } = await made('keychain')
      for (const name of copies) damage(file(ports, name))
      expect(await inspectVault(ports)).toMatchObject({ phase: 'trouble', trouble: 'keys-missing' })
      expect(await codeOf(() => createVault(ports, { protection: 'keychain' }))).toBe('keys-missing')
      expect(await openedBy(ports)).toBe('keys-missing')
      expect(existsSync(file(ports, 'vault.db'))).toBe(true)
    }
  })
})

const flipped = (text: string, ...places: readonly number[]): Buffer => {
  const bytes = Buffer.from(text)
  for (const at of places) bytes[at]! ^= 4
  return bytes
}

describe('copies that are all damaged', () => {
  test.each<[string, readonly (readonly number[] | null)[]]>([
    ['three, each in other bytes', [[100, 700], [300, 301], [500]]],
    ['three, in bytes that lie side by side', [[400], [401], [402]]],
    ['two, six bytes each', [[10, 50, 90, 130, 170, 210], [600, 640, 680, 720, 760, 800], null]],
  ])('%s: open the records together, are set aside as they were, and written again', async (_, places) => {
    const { ports } = await made()
    const whole = textOf(ports, 'vault.json')
    for (const [index, name] of copies.entries()) {
      const damaged = places[index] ?? null
      if (damaged === null) rmSync(file(ports, name))
      else writeFileSync(file(ports, name), flipped(whole, ...damaged))
    }
    expect(await inspectVault(ports)).toMatchObject({ phase: 'locked', protection: 'passphrase' })
    expect(await openedBy(ports, { passphrase })).toBe('none')
    for (const [index, name] of copies.entries()) {
      expect(textOf(ports, name)).toBe(whole)
      const aside = asideOf(ports, name).map((found) => readFileSync(join(dirname(file(ports, name)), found)))
      expect(aside).toEqual(places[index] ? [flipped(whole, ...places[index])] : [])
    }
  })

  test('one cut off, one flipped: the rest of the longer one counts', async () => {
    const { ports } = await made()
    const whole = textOf(ports, 'vault.json')
    writeFileSync(file(ports, 'vault.json'), whole.slice(0, 600))
    writeFileSync(file(ports, 'vault.json.bak'), flipped(whole, 300))
    rmSync(file(ports, 'recordings/keys.json'))
    expect(await openedBy(ports, { passphrase })).toBe('none')
    for (const name of copies) expect(textOf(ports, name)).toBe(whole)
  })

  test('in the same byte of each, or in too many bytes of two: nothing is guessed', async () => {
    const { ports } = await made()
    const whole = textOf(ports, 'vault.json')
    for (const name of copies) writeFileSync(file(ports, name), flipped(whole, 100))
    expect(await inspectVault(ports)).toMatchObject({ phase: 'trouble', trouble: 'keys-missing' })
    for (const name of copies) writeFileSync(file(ports, name), '')
    const many = Array.from({ length: 40 }, (_, index) => 100 + index)
    writeFileSync(file(ports, 'vault.json'), flipped(whole, ...many))
    writeFileSync(file(ports, 'vault.json.bak'), flipped(whole, 600))
    expect(await inspectVault(ports)).toMatchObject({ phase: 'trouble', trouble: 'keys-missing' })
  })
})

describe('an older copy put back', () => {
  test.each([[['vault.json']], [['vault.json.bak']], [['recordings/keys.json']], [['vault.json', 'vault.json.bak']]])(
    '%s opens nothing with what was taken back, and is brought up to date',
    async (names) => {
      const { ports, code } = await made()
      const putBack = savedCopies(ports)
      await changePassphrase(ports, { passphrase }, next)
      const fresh = await newRecoveryCode(ports, { passphrase: next })
      const newest = textOf(ports, 'vault.json')
      for (const name of names) putBack(name)
      expect(await openedBy(ports, { passphrase })).toBe('wrong-passphrase')
      expect(await openedBy(ports, { recovery_code: code })).toBe('wrong-recovery-code')
      expect(await openedBy(ports, { recovery_code: fresh })).toBe('none')
      for (const name of copies) expect(textOf(ports, name)).toBe(newest)
    },
  )

  test('does not count as the newest because it says so: only the key to the records can seal it', async () => {
    const { ports, code } = await made()
    const old = textOf(ports, 'vault.json')
    const fresh = await newRecoveryCode(ports, { passphrase })
    const { checksum: _, ...body } = { ...(JSON.parse(old) as { checksum: string }), generation: 99 }
    const { createHash } = await import('node:crypto')
    const checksum = createHash('sha256').update(JSON.stringify(body)).digest('hex')
    writeFileSync(file(ports, 'vault.json'), JSON.stringify({ ...body, checksum }))
    expect(await openedBy(ports, { recovery_code: code })).toBe('wrong-recovery-code')
    expect(await openedBy(ports, { recovery_code: fresh })).toBe('none')
    expect(textOf(ports, 'vault.json')).toBe(textOf(ports, 'vault.json.bak'))
  })
})

describe('keys of other records put in place', () => {
  test.each(['keychain', 'passphrase'] as const)('both upper copies of a %s profile: the third opens', async (protection) => {
    const [mine, other] = [await made('keychain'), await made(protection)]
    const whole = textOf(mine.ports, 'vault.json')
    // One keychain for both, as for two data folders of one person.
    for (const [account, key] of other.ports.keychain.accounts) mine.ports.keychain.accounts.set(account, Uint8Array.from(key))
    for (const name of copies.slice(0, 2)) writeFileSync(file(mine.ports, name), textOf(other.ports, name))
    expect(await inspectVault(mine.ports)).toMatchObject({ phase: 'openable', protection: 'keychain' })
    expect(await openedBy(mine.ports)).toBe('none')
    for (const name of copies) expect(textOf(mine.ports, name)).toBe(whole)
    for (const name of copies.slice(0, 2)) expect(asideOf(mine.ports, name)).toHaveLength(1)
  })

  test('with the same passphrase, too', async () => {
    const [mine, other] = [await made(), await made()]
    for (const name of copies.slice(0, 2)) writeFileSync(file(mine.ports, name), textOf(other.ports, name))
    expect(await openedBy(mine.ports, { recovery_code: mine.code })).toBe('none')
    for (const name of copies.slice(0, 2)) writeFileSync(file(mine.ports, name), textOf(other.ports, name))
    expect(await openedBy(mine.ports, { passphrase })).toBe('none')
  })

  test('all three: the screen says that keys and records do not belong together, and nothing is changed', async () => {
    const [mine, other] = [await made(), await made()]
    const own = textOf(mine.ports, 'vault.json')
    for (const name of copies) writeFileSync(file(mine.ports, name), textOf(other.ports, name))
    expect(await openedBy(mine.ports, { passphrase })).toBe('keys-mismatch')
    writeFileSync(file(mine.ports, 'vault.json'), own)
    expect(await openedBy(mine.ports, { passphrase })).toBe('none')
  })
})

test('a profile of an earlier version opens with its two copies, gets the third, and its old copies count no more', async () => {
  const { ports, code } = await made()
  const { generation: _, seal: __, checksum: ___, ...body } = JSON.parse(textOf(ports, 'vault.json')) as Record<string, unknown>
  const { createHash } = await import('node:crypto')
  const older = { ...body, version: 1 }
  const text = JSON.stringify({ ...older, checksum: createHash('sha256').update(JSON.stringify(older)).digest('hex') })
  rmSync(file(ports, 'recordings'), { recursive: true })
  for (const name of copies.slice(0, 2)) writeFileSync(file(ports, name), text)
  expect(await openedBy(ports, { recovery_code: code })).toBe('none')
  expect(textOf(ports, 'recordings/keys.json')).toBe(textOf(ports, 'vault.json'))
  expect(readdirSync(ports.folder).filter((name) => name.includes('damaged'))).toEqual([])
  const fresh = await newRecoveryCode(ports, { passphrase })
  for (const name of copies.slice(0, 2)) writeFileSync(file(ports, name), text)
  expect(await openedBy(ports, { recovery_code: code })).toBe('wrong-recovery-code')
  expect(await openedBy(ports, { recovery_code: fresh })).toBe('none')
})
