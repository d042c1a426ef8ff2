import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import { openServiceKeys } from '#core/settings/service-keys.ts'
import { clientWithSession, isBehindHttp, createProfile, coreKit, noService } from '../core-kit.ts'
import { memoryKeychain } from '#test/support/memory-keychain.ts'
import { openLaptop } from './migration-kit.ts'
import { openPractice } from './practice-kit.ts'

const day = 86_400_000

/** An app at a practice's service, with a clock of its own, whose key is looked after whenever `look` is called. */
async function atPractice(key: object = { renews_for_days: 30 }) {
  let now = Date.parse('2026-03-02T10:00:00.000Z')
  const clock = { ...systemClock, now: () => now }
  const practice = await openPractice({ clock })
  const person = await practice.person('Ana', ['clinician'], key)
  const kit = coreKit({ clock })
  const keychain = memoryKeychain()
  const napping = new Set<() => void>()
  const wait_for_days = (_ms: number | null, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const end = () => {
        napping.delete(end)
        resolve()
      }
      napping.add(end)
      signal.addEventListener('abort', end)
      if (signal.aborted) end()
    })
  const network: { fetch: typeof fetch } = { fetch }
  const ports = {
    fetch: ((request: Request) => network.fetch(request)) as typeof fetch,
    openService: noService,
    wait_for_days,
    keychain,
  }
  let opened = await kit.open(ports)
  await createProfile(opened)
  onTestFinished(async () => {
    await opened.core.close()
    kit.remove()
  })
  await opened.call('settings.update', { service_address: practice.address })
  await opened.call('settings.setKey', { which: 'service', key: person.key })
  const state = () => opened.call('moving.keyState', {})
  await opened.until(async () => (await state()).state === 'good')
  const secrets = () =>
    [...keychain.accounts]
      .filter(([name]) => name.startsWith('service-key'))
      .map(([, held]) => JSON.parse(Buffer.from(held).toString()) as { key: string; next?: string })
  return {
    practice,
    person,
    network,
    state,
    secret: () => secrets()[0]!,
    opened: () => opened,
    pass: (ms: number) => (now += ms),
    look: () => [...napping].forEach((end) => end()),
    until: (holds: () => boolean | Promise<boolean>) => opened.until(holds),
    async reopen() {
      await opened.core.close()
      opened = await kit.open(ports)
    },
  }
}

test('the key is rotated by the app before it ends, and the old one goes on for its grace', async () => {
  const app = await atPractice()
  const { key } = app.person
  expect(await app.state()).toEqual({ state: 'good', ends_at: '2026-04-01T10:00:00.000Z', renews: true })
  app.pass(14 * day)
  app.look()
  await app.until(async () => (await app.state()).state === 'good')
  expect(app.secret().key).toBe(key)
  app.pass(2 * day)
  app.look()
  await app.until(() => app.secret().key !== key)
  expect(app.secret()).not.toHaveProperty('next')
  await app.until(async () => (await app.state()).ends_at === '2026-04-17T10:00:00.000Z')
  expect((await app.practice.as(key).call('whoAmI', {})).data.has_former_secret).toBe(true)
  await app.opened().call('clients.create', { display_name: 'Without A Gap' })
  await app.opened().settled()
  expect(await app.opened().call('outbox.list', {})).toEqual([])
})

test('an answer to the rotation that is lost loses no key, also where the app is closed for longer than the grace', async () => {
  const app = await atPractice()
  const { key } = app.person
  app.network.fetch = (async (request: Request) => {
    const answer = await fetch(request)
    if (request.url.endsWith('/rotate')) app.network.fetch = (async () => Promise.reject(new TypeError('away'))) as typeof fetch
    else return answer
    throw new TypeError('cut')
  }) as typeof fetch
  app.pass(16 * day)
  app.look()
  await app.until(() => app.secret().next !== undefined)
  await app.until(async () => (await app.practice.as(key).call('whoAmI', {})).data.has_former_secret)
  expect(app.secret().key).toBe(key)
  app.network.fetch = fetch
  app.pass(2 * day)
  await app.reopen()
  await app.until(() => app.secret().key !== key)
  await app.until(async () => (await app.state()).state === 'good')
})

test('a key goes to no other host, also where another address is entered just while it is renewed', async () => {
  const app = await atPractice()
  const other = await openPractice()
  const there = await other.person('Ana', ['clinician'])
  const sent: string[] = []
  let isOther = false
  app.network.fetch = (async (request: Request) => {
    const token = request.headers.get('authorization')?.slice('Bearer '.length) ?? ''
    if (request.url.startsWith(other.address)) sent.push(token)
    const answer = await fetch(request)
    if (!request.url.startsWith(app.practice.address) || !request.url.endsWith('/rotate')) return answer
    await app.opened().call('settings.update', { service_address: other.address })
    await app.opened().call('settings.setKey', { which: 'service', key: there.key })
    isOther = true
    return answer
  }) as typeof fetch
  app.pass(16 * day)
  app.look()
  await app.until(() => isOther)
  await app.opened().call('clients.create', { display_name: 'Goes There' })
  await app.opened().settled()
  await app.until(async () => (await app.state()).state === 'good')
  expect(sent.filter((token) => token !== there.key && token !== '')).toEqual([])
  expect(app.secret().key).toBe(there.key)
})

test('a key that is revoked stops sending, not work, and is said to; so is one that ends by itself', async () => {
  const app = await atPractice({ expires_at: '2026-03-20T10:00:00.000Z' })
  expect(await app.state()).toEqual({ state: 'good', ends_at: '2026-03-20T10:00:00.000Z', renews: false })
  await app.practice.owner.call('revokeApiKey', { params: { id: app.person.key_id } })
  app.look()
  await app.until(async () => (await app.state()).state === 'revoked')
  const client = await app.opened().call('clients.create', { display_name: 'Work Goes On' })
  await app.until(async () => (await app.opened().call('outbox.list', {}))[0]?.error === 'unauthenticated')
  expect((await app.opened().call('clients.get', { id: client.id })).client.display_name).toBe('Work Goes On')
  const other = { name: 'Another', roles: ['clinician' as const], person_id: app.person.id }
  const { secret } = (await app.practice.owner.call('createApiKey', { body: other })).data
  await app.opened().call('settings.setKey', { which: 'service', key: secret! })
  await app.opened().settled()
  await app.until(async () => (await app.state()).state === 'good')
})

test('a key that is not in its place yet is not renewed: there would be nowhere to keep the new one', async () => {
  const keychain = memoryKeychain()
  const addressOf = () => 'https://practice.example/v1'
  const keys = await openServiceKeys(keychain, 'profile', silentLog, addressOf)
  await keys.set('moving', 'key')
  expect([keys.get('service'), keys.holds('service')]).toEqual(['key', false])
  await expect(keys.keepNext('service', 'next')).rejects.toMatchObject({ code: 'keychain-locked' })
  await keys.set('service', 'key')
  await keys.keepNext('service', 'next')
  expect(keys.next('service')).toBe('next')
})

test('a key that could not be taken away from where it was for the way never replaces a newer one', async () => {
  const practice = await openPractice()
  const { key, id } = await practice.person('Ana', ['clinician'])
  const keychain = memoryKeychain()
  const { remove } = keychain
  let isFailing = true
  keychain.remove = async (account) => {
    if (isFailing) throw new AppError('keychain-locked')
    return remove(account)
  }
  const laptop = await openLaptop({ keychain })
  await clientWithSession(laptop.opened, 'Marisol Vega')
  await laptop.opened.call('moving.look', { address: practice.address, key })
  await laptop.opened.call('moving.send', {})
  await laptop.opened.call('moving.confirm', {})
  const body = { name: 'Another', roles: ['clinician' as const], person_id: id }
  const { secret } = (await practice.owner.call('createApiKey', { body })).data
  await laptop.opened.call('settings.setKey', { which: 'service', key: secret! })
  isFailing = false
  await laptop.reopen()
  const isLeft = () => [...keychain.accounts.keys()].some((name) => name.startsWith('moving-key'))
  await laptop.opened.until(() => !isLeft())
  const [, held] = [...keychain.accounts].find(([name]) => name.startsWith('service-key'))!
  expect(JSON.parse(Buffer.from(held).toString())).toMatchObject({ key: secret })
})

test.skipIf(isBehindHttp)(
  'a key of an earlier time at the practice never takes the place of the one that was moved with',
  async () => {
    const practice = await openPractice()
    const { key, key_id, id } = await practice.person('Ana', ['clinician'])
    const keychain = memoryKeychain()
    const { set } = keychain
    let isFailing = false
    keychain.set = async (account, secret) => {
      if (isFailing && account.startsWith('service-key')) throw new AppError('keychain-locked')
      return set(account, secret)
    }
    const laptop = await openLaptop({ keychain })
    const { client } = await clientWithSession(laptop.opened, 'Marisol Vega')
    const moved = async (address: string | null, token: string | null): Promise<void> => {
      await laptop.opened.call('moving.look', { address, key: token })
      await laptop.opened.call('moving.send', {})
      await laptop.opened.call('moving.confirm', {})
    }
    await moved(practice.address, key)
    await moved(null, null)
    await practice.owner.call('revokeApiKey', { params: { id: key_id } })
    const body = { name: 'Another', roles: ['clinician' as const], person_id: id }
    const { secret } = (await practice.owner.call('createApiKey', { body })).data
    isFailing = true
    await moved(practice.address, secret!)
    const call = async (email: string): Promise<void> => {
      const { version } = (await laptop.opened.call('clients.get', { id: client.id })).client
      await laptop.opened.call('clients.update', { id: client.id, version, patch: { email } })
      await laptop.opened.until(async () => {
        const { data } = await practice.owner.call('getClient', { params: { id: client.id } })
        return data.email === email
      })
    }
    await call('first@example.org')
    isFailing = false
    await laptop.reopen()
    await laptop.opened.until(() => ![...keychain.accounts.keys()].some((name) => name.startsWith('moving-key')))
    await call('second@example.org')
  },
)
