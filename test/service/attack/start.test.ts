import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { freshFolder, runService, startAlone } from '../alone-kit.ts'
import type { Alone } from '../alone-kit.ts'
import { openKit } from '../service-kit.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

function folder(): string {
  const { data, remove } = freshFolder()
  closers.push(remove)
  return data
}

async function start(data: string, args: string[] = []): Promise<Alone> {
  const service = await startAlone(data, {}, args)
  closers.push(() => service.stop('SIGKILL'))
  return service
}

const statusOf = async (service: Alone, key: string): Promise<number> =>
  (await fetch(`${service.address}/clients`, { headers: { Authorization: `Bearer ${key}` } })).status

test('a start that cannot listen makes no practice, so the next start still prints the owner key', async () => {
  const data = folder()
  const files = mkdtempSync(join(tmpdir(), 'afterword-tls-'))
  closers.push(() => rmSync(files, { recursive: true, force: true }))
  const certificate = join(files, 'certificate.pem')
  writeFileSync(certificate, 'half a certificate')
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  closers.push(() => other.close())
  const taken = String((other.address() as AddressInfo).port)
  const refused = await runService(['--data', data, '--port', taken])
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('cannot listen')])
  for (const key of [certificate, join(files, 'missing.pem')])
    await expect(startAlone(data, {}, ['--tls-certificate', certificate, '--tls-key', key])).rejects.toThrow('cannot be used')
  expect(existsSync(join(data, 'service.db'))).toBe(false)
  const service = await start(data)
  expect(await statusOf(service, service.ownerKey!)).toBe(200)
})

test('a data folder has one process: a second one is refused, stop then start works, and a killed process leaves no lock', async () => {
  const data = folder()
  const first = await start(data)
  const key = first.ownerKey!
  await expect(startAlone(data)).rejects.toThrow(`Another process of the service is using ${data}`)
  const migrated = await runService(['migrate', '--data', data])
  expect([migrated.code, migrated.stderr]).toEqual([2, expect.stringContaining('Another process')])
  expect(await statusOf(first, key)).toBe(200)
  expect(await first.stop()).toBe(0)
  const second = await start(data)
  expect([second.ownerKey, await statusOf(second, key)]).toEqual([null, 200])
  await second.stop('SIGKILL')
  expect(await statusOf(await start(data), key)).toBe(200)
})

for (const kind of ['sqlite', 'postgres'] as const) {
  const isLeftOut = kind === 'postgres' && leftOut('plans on PostgreSQL', await unmet('postgres'))
  test.skipIf(isLeftOut)(`a restart without a plan keeps the practice's plan (${kind})`, async () => {
    const kit = await openKit({ caller: 'api-keys' }, kind)
    closers.push(() => kit.close())
    const plan = async () => (await kit.ask<{ plan: string }>('select plan from practices'))[0]!.plan
    expect(await plan()).toBe('free')
    await kit.reopen({ caller: 'api-keys', plan: 'professional' })
    expect(await plan()).toBe('professional')
    await kit.reopen({ caller: 'api-keys' })
    expect(await plan()).toBe('professional')
  })
}
