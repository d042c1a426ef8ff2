import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startCore } from '#shell/core-host.ts'
import { startProxy } from '#test/support/proxy.ts'

test('the core reaches a practice through the proxy that the shell’s system names', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-proxy-'))
  const proxy = await startProxy({ tunnelStatus: 403 })
  const asked: string[] = []
  const host = await startCore({
    folder,
    resources: resolve('resources'),
    shell: 'electron',
    app_version: '0.0.0',
    startLocked: false,
    passphraseFile: undefined,
    onEvent: () => {},
    resolveProxy: async (address) => {
      asked.push(new URL(address).origin)
      return `PROXY ${new URL(proxy.address).host}; DIRECT`
    },
  })
  onTestFinished(async () => {
    await host.close()
    await proxy.close()
    rmSync(folder, { recursive: true })
  })
  const vault = {
    protection: 'passphrase',
    passphrase: 'a long enough passphrase',
    therapist_name: 'Robin Adair',
    therapist_credential: null,
  }
  expect(await host.call('vault.create', vault)).toMatchObject({ ok: true })
  expect(await host.call('moving.signIn', { address: 'https://practice.example/v1' })).toMatchObject({
    ok: false,
    error: { code: 'service-unreachable' },
  })
  expect(asked).toEqual(['https://practice.example'])
  expect(proxy.asked).toEqual(['CONNECT practice.example:443'])
})
