import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import tls from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { lineLog, silentLog } from '#base/log.ts'
import { trustSystemCertificates, useProxies } from '#base/practice-network.ts'
import { leftOut } from '#test/support/left-out.ts'
import { findProgram } from '#test/support/machine.ts'
import { serverOfOwnAuthority } from '#test/support/own-authority.ts'
import { type Proxy, startProxy } from '#test/support/proxy.ts'

const source = (path: string): string => new URL(`../../src/${path}`, import.meta.url).href

/** What the core's thread does first, then one call. */
const program = `
  const [{ proxyRules, trustSystemCertificates, useProxies }, { silentLog }, { openSource }] = await Promise.all(
    ['base/practice-network', 'base/log', 'service/models/source'].map(
      (name) => import(process.env.SOURCES + name + '.ts')))
  if (process.env.TRUST === 'system') trustSystemCertificates(silentLog)
  const proxyFor = proxyRules()
  useProxies(proxyFor, silentLog)
  const call = async () => (await fetch(process.argv[1])).text()
  const download = async () => {
    const source = openSource({ proxyFor })
    const { body } = await source.get(process.argv[1], {}, AbortSignal.timeout(20_000))
    const text = (await body.toArray()).join('')
    source.close()
    return text
  }
  const asked = async (ask) => ask().catch((error) => error.cause?.code ?? error.detail ?? error.message)
  console.log(JSON.stringify([await asked(call), await asked(download)]))`

const noOpenssl = findProgram('openssl') === null ? 'no openssl to make a certificate with' : null

describe.skipIf(leftOut('a practice’s own authority behind its proxy', noOpenssl))('a practice’s own network', () => {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-network-'))
  let practice: ReturnType<typeof serverOfOwnAuthority>
  let proxy: Proxy
  beforeAll(async () => {
    practice = serverOfOwnAuthority(folder, 'practice.example')
    await new Promise<void>((ready) => practice.server.listen(0, '127.0.0.1', ready))
    proxy = await startProxy({ hosts: { 'practice.example': '127.0.0.1' } })
  })
  afterAll(async () => {
    await proxy.close()
    practice.server.closeAllConnections()
    practice.server.close()
    rmSync(folder, { recursive: true })
  })

  async function run(environment: Record<string, string>): Promise<string[]> {
    const address = `https://practice.example:${(practice.server.address() as AddressInfo).port}/`
    const env = { PATH: process.env['PATH'], SOURCES: source(''), ...environment }
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, address], { env })
    return JSON.parse(stdout) as string[]
  }

  test('is reached through its proxy, with its certificate from the system’s store, by calls and downloads alike', async () => {
    const environment = { HTTPS_PROXY: proxy.address, SSL_CERT_FILE: practice.authority, TRUST: 'system' }
    expect(await run(environment)).toEqual(['hello from the practice', 'hello from the practice'])
    const { port } = practice.server.address() as AddressInfo
    expect(proxy.asked).toEqual([`CONNECT practice.example:${port}`, `CONNECT practice.example:${port}`])
  })

  test('is refused where the system does not know its certificate', async () => {
    expect(await run({ HTTPS_PROXY: proxy.address, TRUST: 'system' })).toEqual([
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      expect.stringContaining('doesn’t trust the download server’s certificate'),
    ])
  })

  test('is not found without its proxy', async () => {
    const environment = { HTTPS_PROXY: proxy.address, NO_PROXY: 'practice.example', TRUST: 'system' }
    expect(await run(environment)).toEqual([
      expect.stringMatching(/ENOTFOUND|EAI_AGAIN/),
      expect.stringMatching(/ENOTFOUND|EAI_AGAIN/),
    ])
  })
})

describe('certificates', () => {
  const [one, other] = tls.rootCertificates as [string, string]
  const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'

  /** As strict as the real one: it takes all certificates or none. */
  function fakeTls(system: () => string[]) {
    const set: string[][] = []
    const setDefaultCACertificates = (certificates: readonly (string | NodeJS.ArrayBufferView)[]): void => {
      if (certificates.includes(broken)) throw Object.assign(new Error('PEM routines'), { code: 'ERR_OSSL_PEM_ASN1_LIB' })
      set.push([...(certificates as string[])])
    }
    return { set, getCACertificates: (type?: string) => (type === 'system' ? system() : [one]), setDefaultCACertificates }
  }

  test('one that cannot be read does not keep the others from being trusted', () => {
    const fake = fakeTls(() => [broken, one, other])
    trustSystemCertificates(silentLog, fake)
    expect(fake.set).toEqual([[one, other]])
  })

  test('a system that cannot be asked leaves the runtime’s own, and the log says so', () => {
    const lines: string[] = []
    const fake = fakeTls(() => {
      throw Object.assign(new Error('not implemented'), { code: 'ERR_FEATURE_UNAVAILABLE' })
    })
    trustSystemCertificates(
      lineLog((line) => lines.push(line)),
      fake,
    )
    expect(fake.set).toEqual([])
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { event: 'certificates.system-not-trusted', kind: 'Error:ERR_FEATURE_UNAVAILABLE' },
    ])
  })
})

describe('fetch in this thread', () => {
  let restore = (): void => {}
  let proxy: Proxy
  beforeAll(async () => {
    proxy = await startProxy({ hosts: {}, tunnelStatus: 403 })
  })
  afterEach(() => restore())
  afterAll(() => proxy.close())

  test('asks for the proxy of every address, of strings, URLs and requests', async () => {
    const asked: string[] = []
    restore = useProxies(async (address) => (asked.push(address.href), proxy.address), silentLog)
    for (const input of ['https://a.example/', new URL('https://b.example/'), new Request('https://c.example/')])
      await expect(fetch(input)).rejects.toThrow()
    expect(asked).toEqual(['https://a.example/', 'https://b.example/', 'https://c.example/'])
    expect(proxy.asked).toEqual(['CONNECT a.example:443', 'CONNECT b.example:443', 'CONNECT c.example:443'])
  })

  test('is as before once it is put back', async () => {
    const before = globalThis.fetch
    useProxies(async () => null, silentLog)()
    expect(globalThis.fetch).toBe(before)
  })
})
