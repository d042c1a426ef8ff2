import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { systemKeychain } from '#base/keychain.ts'
import { silentLog } from '#base/log.ts'
import { openServiceKeys } from '#core/settings/service-keys.ts'
import { signedInOf, textOf } from '#core/sign-in/session.ts'
import { windowsCredentials } from '#test/support/windows-credentials.ts'

const account = 'service-key/one'
const opened = (credentials = windowsCredentials()) => ({ ...credentials, keychain: systemKeychain(credentials.entry) })

test('a sign-in with long tokens is stored and read back where a secret may have 2,560 bytes', async () => {
  const { entry, stored } = windowsCredentials()
  const open = () => openServiceKeys(systemKeychain(entry), 'profile', silentLog, () => 'https://practice.example/v1')
  const token = (): string => randomBytes(3000).toString('base64url')
  const signedIn = {
    provider: { issuer: 'https://id.example', client_id: 'desktop', resource: 'https://practice.example/v1', scopes: ['sync'] },
    tokens: { access_token: token(), refresh_token: token(), expires_at: 1_800_000_000_000 },
  }
  await (await open()).set('service', textOf(signedIn))
  expect(signedInOf((await open()).get('service')!)).toEqual(signedIn)
  expect(Math.max(...[...stored.values()].map((secret) => secret.length))).toBeLessThanOrEqual(2560)
  await (await open()).set('service', null)
  expect([...stored.keys()]).toEqual([])
})

test.each([1, 2559, 2560, 2561, 5120, 5121, 20_000])('a secret of %d bytes comes back as it was', async (length) => {
  const { keychain, stored } = opened()
  const secret = randomBytes(length)
  await keychain.set(account, secret)
  expect(secret.equals((await keychain.get(account))!)).toBe(true)
  expect(stored.size).toBe(length <= 2560 ? 1 : 1 + Math.ceil(length / 2560))
})

test('a secret that fits is stored as before, and one that an older version stored is read', async () => {
  const { keychain, stored } = opened()
  await keychain.set(account, Buffer.from('short'))
  expect([...stored]).toEqual([[account, Uint8Array.from(Buffer.from('short'))]])
  // macOS and Linux let older versions store any length in one entry.
  const long = randomBytes(9000)
  stored.set(account, long)
  expect(long.equals((await keychain.get(account))!)).toBe(true)
})

test('what replaces a long secret leaves none of its parts behind', async () => {
  const { keychain, stored } = opened()
  for (const length of [20_000, 3000, 9000, 9000, 40]) {
    const secret = randomBytes(length)
    await keychain.set(account, secret)
    expect(secret.equals((await keychain.get(account))!)).toBe(true)
    expect(stored.size).toBe(length <= 2560 ? 1 : 1 + Math.ceil(length / 2560))
  }
  await keychain.set(account, randomBytes(9000))
  await keychain.remove(account)
  expect(stored.size).toBe(0)
})

test('a crash at any moment of a change leaves the old secret or the new one, and the next change cleans up', async () => {
  const lengths = [40, 6000, 9000]
  for (const [from, to] of lengths.flatMap((one) => lengths.map((other) => [one, other] as const))) {
    const [before, after] = [randomBytes(from), randomBytes(to)]
    for (let crashAfter = 0; ; crashAfter += 1) {
      const first = opened()
      await first.keychain.set(account, before)
      const dying = opened(windowsCredentials(first.stored))
      dying.limits.callsLeft = crashAfter
      const isDone = await Promise.race([
        dying.keychain.set(account, after).then(() => true),
        new Promise<false>((done) => setTimeout(() => setImmediate(() => done(false)), 5)),
      ])
      const { keychain, stored } = opened(windowsCredentials(first.stored))
      const found = Buffer.from((await keychain.get(account))!)
      expect(found.equals(before) || found.equals(after)).toBe(true)
      if (isDone) expect(found.equals(after)).toBe(true)
      await keychain.remove(account)
      expect([...stored.keys()]).toEqual([])
      if (isDone) break
    }
  }
})

test('a long secret with a missing or foreign part is refused, never shortened', async () => {
  for (const damage of ['missing', 'foreign'] as const) {
    const { keychain, stored } = opened()
    await keychain.set(account, randomBytes(9000))
    const part = [...stored.keys()].find((name) => name !== account)!
    if (damage === 'missing') stored.delete(part)
    else stored.set(part, randomBytes(2560))
    await expect(keychain.get(account)).rejects.toMatchObject({ code: 'keychain-unavailable' })
    const secret = randomBytes(9000)
    await keychain.set(account, secret)
    expect(secret.equals((await keychain.get(account))!)).toBe(true)
  }
})

test('changes and reads of one secret that overlap do not mix', async () => {
  const { keychain, stored } = opened()
  const secrets = Array.from({ length: 4 }, () => randomBytes(9000))
  const reads = secrets.map(async (secret) => {
    const set = keychain.set(account, secret)
    const found = Buffer.from((await keychain.get(account))!)
    await set
    return found.equals(secret)
  })
  expect(await Promise.all(reads)).toEqual([true, true, true, true])
  expect(stored.size).toBe(5)
})
