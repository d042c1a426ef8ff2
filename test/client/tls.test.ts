import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createServer as listen } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createServiceClient, type ServiceClient } from '#client/client.ts'
import { realTimer, type Timer } from '#client/patience.ts'
import { findProgram } from '#test/support/machine.ts'
import { leftOut } from '#test/support/left-out.ts'
import { type Chaos, chaosProxy } from '#test/support/chaos-proxy.ts'
import { openKit, type ServiceKit } from '#test/service/service-kit.ts'

const noCertificate = findProgram('openssl') === null ? 'no openssl to make a certificate with' : null
const unreachable = expect.objectContaining({ code: 'service-unreachable' })
const hasty: Timer = (ms, ring) => realTimer(ms / 100, ring)

describe.skipIf(leftOut('the client on lines that are encrypted', noCertificate))('on an encrypted line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-tls-'))
  const trusted = getCACertificates('default')
  let kit: ServiceKit
  let server: ReturnType<typeof createServer>
  let certificate: string

  beforeAll(async () => {
    const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
    const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
    const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')]
    execFileSync('openssl', [...made, ...names, ...files], { stdio: 'ignore' })
    certificate = readFileSync(join(folder, 'certificate.pem'), 'utf8')
    kit = await openKit()
    const listener = getRequestListener((request) => kit.handle(request))
    const key = readFileSync(join(folder, 'key.pem'))
    server = createServer({ key, cert: certificate }, (incoming, outgoing) => void listener(incoming, outgoing))
    await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready))
  })
  afterAll(async () => {
    setDefaultCACertificates(trusted)
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
    await kit.close()
    rmSync(folder, { recursive: true })
  })

  /** The certificate of one's own practice is trusted, or not. */
  async function over(chaos: Chaos, isTrusted = true, timer: Timer = realTimer): Promise<ServiceClient> {
    setDefaultCACertificates(isTrusted ? [...trusted, certificate] : trusted)
    const line = await chaosProxy((server.address() as AddressInfo).port, () => chaos)
    onTestFinished(() => line.close())
    return createServiceClient({ base_url: `https://127.0.0.1:${line.port}/v1`, token: 'aw_live_x', fetch, timer })
  }
  const ask = (client: ServiceClient) => client.call('listClients', {})

  test('a service whose certificate is trusted is talked to', async () => {
    expect((await ask(await over({ kind: 'pass' }))).data.data).toEqual([])
  })

  test.each<Chaos>([
    { kind: 'portal', status: 200 },
    { kind: 'portal', status: 302 },
    { kind: 'portal', status: 511 },
    { kind: 'hang-up' },
    { kind: 'reset', after: 300, direction: 'down' },
  ])('what does not speak TLS with that certificate is not the service: %j', async (chaos) => {
    await expect(ask(await over(chaos))).rejects.toEqual(unreachable)
  })

  test('one that never gets as far as TLS ends in its time', async () => {
    await expect(ask(await over({ kind: 'half-open' }, true, hasty))).rejects.toEqual(unreachable)
  })

  test('nobody whose certificate is not trusted hears a word', async () => {
    const heard: string[] = []
    const imposter = createServer({ key: readFileSync(join(folder, 'key.pem')), cert: certificate }, (request, answer) => {
      heard.push(request.headers.authorization ?? '')
      answer.end('{}')
    })
    await new Promise<void>((ready) => void imposter.listen(0, '127.0.0.1', ready))
    onTestFinished(() => void imposter.close())
    setDefaultCACertificates(trusted)
    const { port } = imposter.address() as AddressInfo
    const client = createServiceClient({ base_url: `https://127.0.0.1:${port}/v1`, token: 'aw_live_x', fetch })
    await expect(ask(client)).rejects.toEqual(unreachable)
    expect(heard).toEqual([])
  })

  test('where TLS is gone the key does not go out in plain', async () => {
    const seen: Buffer[] = []
    const tap = listen((caller) => {
      caller.on('data', (bytes: Buffer) => void seen.push(bytes)).on('error', () => {})
      caller.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}')
    })
    await new Promise<void>((ready) => void tap.listen(0, '127.0.0.1', ready))
    onTestFinished(() => void tap.close())
    const base_url = `https://127.0.0.1:${(tap.address() as AddressInfo).port}/v1`
    const client = createServiceClient({ base_url, token: 'aw_live_x', fetch })
    await expect(ask(client)).rejects.toEqual(unreachable)
    await expect(client.call('createClient', { body: { display_name: 'Ana Lopez' } })).rejects.toEqual(unreachable)
    expect(Buffer.concat(seen).toString('latin1')).not.toMatch(/aw_live_x|Ana|Bearer/)
  })
})
