import { retryAfterMs } from '#base/clock.ts'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createPlainServer } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { catalogue, readCatalogue } from '#service/models/known-models.ts'
import { wantedFiles } from '#service/models/manifest.ts'
import { recommended } from '#service/models/installed.ts'
import { openSource, mayFollow, mirrored } from '#service/models/source.ts'
import { findProgram } from '#test/support/machine.ts'
import { leftOut } from '#test/support/left-out.ts'
import { openModelKit } from './model-kit.ts'
import type { ModelKit } from './model-kit.ts'
import { startProxy } from '#test/support/proxy.ts'
import type { Proxy } from '#test/support/proxy.ts'
import { quick, smallEntry } from './small-model.ts'

let kit: ModelKit | null = null
let proxy: Proxy | null = null
afterEach(async () => {
  await kit?.close()
  await proxy?.close()
  kit = proxy = null
})

const through = (address: string) => async (): Promise<string> => address

test('a model is fetched through the proxy for its address', async () => {
  proxy = await startProxy()
  kit = await openModelKit({ tuning: { ...quick, proxyFor: through(proxy.address) } })
  expect((await kit.installed()).status).toBe('succeeded')
  expect(proxy.asked).toEqual(
    expect.arrayContaining([expect.stringContaining(`${kit.source.address}/owner/small/resolve/main/model.onnx`)]),
  )
  expect(proxy.asked).toHaveLength(3)
})

const noCertificate = findProgram('openssl') === null ? 'no openssl to make a certificate with' : null

test.skipIf(leftOut('https through a proxy', noCertificate))(
  'encrypted addresses go through a tunnel, and an unknown certificate is refused',
  async () => {
    proxy = await startProxy()
    const folder = mkdtempSync(join(tmpdir(), 'afterword-certificate-'))
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const made = [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      key,
      '-out',
      cert,
      '-days',
      '2',
      '-subj',
      '/CN=127.0.0.1',
    ]
    execFileSync('openssl', made, { stdio: 'ignore' })
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) => response.end('hello'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const at = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const source = openSource({ proxyFor: through(proxy.address) })
    await expect(source.get(`https://${at}/`, {}, AbortSignal.timeout(20_000))).rejects.toMatchObject({
      code: 'download-failed',
      detail: expect.stringContaining('certificate'),
    })
    expect(proxy.asked).toEqual([`CONNECT ${at}`])
    source.close()
    await new Promise((resolve) => server.close(resolve))
    rmSync(folder, { recursive: true })
  },
)

test('a source elsewhere sends nobody to this machine, and one on this machine may', () => {
  const may = (first: string, next: string): boolean => mayFollow(new URL(first), new URL(next))
  const elsewhere = 'https://models.example/model.onnx'
  expect(may(elsewhere, 'https://store.example/model.onnx')).toBe(true)
  const here = ['http://127.0.0.1:8080/x', 'http://localhost/x', 'http://[::1]/x', 'https://127.0.0.1/x', 'http://2130706433/x']
  for (const next of here) {
    expect(may(elsewhere, next)).toBe(false)
    expect(may('http://127.0.0.1:9000/model.onnx', next)).toBe(true)
  }
  expect(may('http://127.0.0.1:9000/model.onnx', 'http://store.example/model.onnx')).toBe(false)
})

test('a proxy that wants a password for its tunnel is told from a connection that broke off', async () => {
  proxy = await startProxy({ tunnelStatus: 407 })
  const source = openSource({ proxyFor: through(proxy.address) })
  const asked = source.get('https://models.invalid/', {}, AbortSignal.timeout(20_000))
  await expect(asked).rejects.toMatchObject({ code: 'download-failed', detail: expect.stringContaining('407') })
  source.close()
})

test('a proxy that is not there is a connection that broke off, not a wrong model', async () => {
  kit = await openModelKit({ tuning: { ...quick, proxyFor: through('http://127.0.0.1:9') } })
  expect(await kit.installed()).toMatchObject({ status: 'failed', problem: { code: 'download-failed' } })
})

test('of a release, length and checksum are taken from its list; a file without one there is not fetched', async () => {
  const sha256 = 'ab'.repeat(32)
  const assets = [
    { name: 'model.onnx', size: 12, digest: `sha256:${sha256}` },
    { name: 'old.onnx', size: 12, digest: null },
  ]
  const lists = createPlainServer((_, response) => response.end(JSON.stringify({ assets })))
  await new Promise<void>((resolve) => lists.listen(0, '127.0.0.1', resolve))
  const mirror = `http://127.0.0.1:${(lists.address() as AddressInfo).port}`
  const source = openSource({ proxyFor: async () => null })
  const wanted = (name: string) => {
    const address = `https://github.com/owner/small/releases/download/v1/${name}`
    const [entry] = readCatalogue([{ ...smallEntry, files: [{ role: 'model', name, address, bytes: null, sha256: null }] }])
    return wantedFiles(entry!, mirror, source, AbortSignal.timeout(20_000))
  }
  expect(await wanted('model.onnx')).toEqual([expect.objectContaining({ bytes: 12, check: { sha256 }, checksum_from: 'source' })])
  await expect(wanted('old.onnx')).rejects.toMatchObject({
    code: 'model-mismatch',
    detail: expect.stringContaining('no checksum'),
  })
  source.close()
  await new Promise((resolve) => lists.close(resolve))
})

test('a mirror takes the place of every source’s host; the paths stay', () => {
  const address = 'https://huggingface.co/owner/model/resolve/main/a%2B%2B.onnx?download=1'
  expect(mirrored(address, null)).toBe(address)
  expect(mirrored(address, 'https://mirror.example/models/')).toBe(
    'https://mirror.example/models/owner/model/resolve/main/a%2B%2B.onnx?download=1',
  )
})

test('every address of the catalogue is encrypted, every model has the files its kind needs, and no name is a path', () => {
  const needed = {
    transducer: ['encoder', 'decoder', 'joiner', 'tokens'],
    whisper: ['encoder', 'decoder', 'tokens'],
    moonshine: ['preprocessor', 'encoder', 'uncached_decoder', 'cached_decoder', 'tokens'],
  } as const
  expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length)
  for (const { kind, task, files } of catalogue) {
    expect(files.every(({ address }) => address.startsWith('https://'))).toBe(true)
    const roles = files.map(({ role }) => role)
    expect(roles).toEqual(task === 'recognition' ? needed[kind as keyof typeof needed] : ['model'])
  }
})

test('what is recommended fits the machine and speaks the language', () => {
  const recogniser = (memory: number, language: string) =>
    catalogue.find(({ id, task }) => task === 'recognition' && recommended(catalogue, memory, language).has(id))
  expect(recogniser(7800, 'en')?.id).toBe('parakeet-tdt-0.6b-v2-int8')
  expect(recogniser(7800, 'de-AT')?.id).toBe('parakeet-tdt-0.6b-v3-int8')
  expect(recogniser(7800, 'ja')?.id).toBe('whisper-small-int8')
  expect(recogniser(1000, 'cs')?.id).toBe('whisper-tiny-int8')
  for (const memory of [500, 4000, 64_000]) {
    const set = catalogue.filter(({ id }) => recommended(catalogue, memory, 'fr').has(id))
    expect(set.map(({ task }) => task).toSorted()).toEqual(['embedding', 'recognition', 'segmentation', 'vad'])
  }
})

test('when to ask again is read as seconds or as a date', () => {
  expect(retryAfterMs('7', 0)).toBe(7000)
  expect(retryAfterMs('Thu, 01 Jan 1970 00:01:00 GMT', 10_000)).toBe(50_000)
  expect([retryAfterMs(undefined, 0), retryAfterMs('soon', 0)]).toEqual([null, null])
})
