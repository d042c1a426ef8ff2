import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createServiceClient } from '#client/client.ts'
import type { ServiceClient } from '#client/client.ts'
import { startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import { freshFolder, startAlone } from '../alone-kit.ts'
import type { Alone } from '../alone-kit.ts'
import { wavOf } from '../sound.ts'

let folder: ReturnType<typeof freshFolder>
let service: Alone
function fresh(): void {
  folder = freshFolder()
}
async function end(): Promise<void> {
  await service.stop('SIGKILL')
  folder.remove()
}

const rootOf = (alone: Alone): string => alone.address.replace(/\/v1$/, '')
const get = (path: string, headers: Record<string, string> = {}) => fetch(rootOf(service) + path, { headers })
const clientOf = (alone: Alone): ServiceClient =>
  createServiceClient({ base_url: alone.address, fetch, token: alone.ownerKey ?? '' })
const lines = (alone: Alone): Record<string, unknown>[] =>
  alone.stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('what the machinery asks', () => {
  beforeAll(async () => {
    fresh()
    service = await startAlone(folder.data)
  })
  afterAll(end)

  test('it is alive and ready without a key, and says nothing more', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const answer = await get(path)
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
      expect((await answer.text()).length).toBeLessThan(12)
      expect((await fetch(rootOf(service) + path, { method: 'POST' })).status).toBe(405)
    }
  })

  test('metrics count calls by operation and status, from this machine, and name nobody', async () => {
    const { data } = await clientOf(service).call('createClient', { body: { display_name: 'Quillon Ferreira' } })
    await get(`/v1/clients/${data.id}?q=Quillon`)
    await get('/nowhere/Quillon')
    const text = await (await get('/metrics')).text()
    expect(text).toContain('afterword_requests_total{operation="createClient",status="201"} 1')
    expect(text).toContain('afterword_requests_total{operation="getClient",status="401"} 1')
    expect(text).toContain('afterword_requests_total{operation="none",status="404"} 1')
    expect(text).toContain('afterword_request_duration_seconds_count{operation="createClient"} 1')
    expect(text).toMatch(/^afterword_nodejs_eventloop_lag_seconds /m)
    expect(text).toMatch(/^afterword_ready 1$/m)
    expect(text).not.toMatch(/Quillon|[0-9a-f]{8}-[0-9a-f]{4}-/)
  })

  test('headers that are too large are refused, and the service goes on', async () => {
    const answer = await get('/healthz', { 'X-Long': 'x'.repeat(20_000) })
    expect(answer.status).toBe(431)
    const { port } = new URL(service.address)
    // What is not HTTP at all.
    const said = await new Promise<string>((ended) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('HELO\r\n\r\n'))
      let text = ''
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
      socket.on('close', () => ended(text))
    })
    expect(said).toContain('400')
    expect((await get('/healthz')).status).toBe(200)
  })
})

describe('a process of its own', () => {
  beforeEach(fresh)
  afterEach(end)

  test('no word of a call reaches the log, whatever it is sent in', async () => {
    const canary = 'Quillonferreira'
    service = await startAlone(folder.data)
    const headers = { Authorization: `Bearer ${service.ownerKey}`, 'Content-Type': 'application/json' }
    const post = (path: string, body: string, more: Record<string, string> = {}) =>
      fetch(service.address + path, { method: 'POST', headers: { ...headers, ...more }, body })
    await post('/clients', JSON.stringify({ display_name: canary, status: canary, [canary]: canary }))
    await post('/clients', JSON.stringify({ display_name: canary }), {
      'Idempotency-Key': canary,
      Prefer: canary,
      'X-Request-Id': canary,
    })
    await post('/clients', `{"display_name": ${canary}`)
    await post('/clients', canary, { 'Content-Type': `text/${canary}` })
    await post(`/${canary}`, canary)
    await post(
      '/ai/transcribe',
      JSON.stringify({ audio: { content: Buffer.from(canary).toString('base64'), media_type: canary } }),
    )
    await fetch(`${service.address}/clients?q=${canary}&cursor=${canary}&limit=${canary}`, { headers })
    await fetch(`${service.address}/sessions/${canary}`, { headers: { ...headers, Cookie: canary, 'User-Agent': canary } })
    await fetch(`${service.address}/clients`, { headers: { Authorization: `Bearer ${canary}` } })
    await fetch(`${service.address}/clients/${canary}`, {
      method: 'PATCH',
      headers: { ...headers, 'If-Match': canary },
      body: '{}',
    })
    await service.stop()
    const calls = lines(service).filter(({ event }) => event === 'call')
    expect(calls).toHaveLength(10)
    expect(Object.keys(calls[1]!).toSorted()).toEqual(
      ['at', 'code', 'duration_ms', 'event', 'level', 'operation', 'practice', 'request_id', 'status'].toSorted(),
    )
    expect(calls.map(({ status }) => status)).toContain(201)
    for (const form of [canary, canary.toLowerCase(), Buffer.from(canary).toString('base64'), service.ownerKey!.slice(-12)])
      expect(service.stderr + service.stdout.replace(/^owner key: .*$/m, '')).not.toContain(form)
  })

  test('told to end, it says so first, answers what is under way, hands work back, and ends with 0', async () => {
    const speech = await startScriptedSpeech(['hang'])
    service = await startAlone(folder.data, { AFTERWORD_SPEECH_ADDRESS: speech.address }, ['--drain-delay', '1'])
    const client = clientOf(service)
    const body = { audio: { content: wavOf(1), media_type: 'audio/wav' } }
    const waiting = client.call('transcribe', { body })
    await speech.arrived(1)
    const stopped = service.stop()
    const unready = await vi.waitUntil(
      async () => {
        const answer = await get('/readyz')
        return answer.status === 503 ? answer : null
      },
      { timeout: 20_000, interval: 20 },
    )
    expect(unready.headers.get('connection')).toBe('close')
    expect((await get('/healthz')).status).toBe(200)
    // The call that waits for the recogniser is not cut off: it is told where its work will be found.
    expect(await waiting).toMatchObject({ status: 202, data: { status: 'running' } })
    expect(await stopped).toBe(0)
    await expect(get('/healthz')).rejects.toThrow()
    expect(lines(service).map(({ event }) => event)).toEqual(expect.arrayContaining(['service.draining', 'service.closed']))
    await speech.close()
  })

  test('told twice, it ends at once', async () => {
    service = await startAlone(folder.data, {}, ['--drain-delay', '600'])
    const stopped = service.stop()
    await vi.waitUntil(async () => (await get('/readyz')).status === 503, { timeout: 20_000, interval: 20 })
    process.kill(service.pid, 'SIGTERM')
    expect(await stopped).toBe(1)
  })
})

describe('TLS', () => {
  beforeEach(fresh)
  afterEach(end)
  const certificates = mkdtempSync(join(tmpdir(), 'afterword-tls-'))
  afterAll(() => rmSync(certificates, { recursive: true, force: true }))
  const at = (name: string): string => join(certificates, name)
  const make = (name: string): void => {
    const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
    const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1']
    execFileSync('openssl', [...args, '-keyout', at('key.pem'), '-out', at('certificate.pem'), ...subject], { stdio: 'ignore' })
  }
  beforeAll(() => make('first'))

  /** The name in the certificate it shows, and the status of `/healthz`. */
  function ask(ca: Buffer): Promise<[string, number]> {
    return new Promise((resolve, reject) => {
      const asked = request(`${rootOf(service)}/healthz`, { ca, agent: false }, (answer) => {
        const { subject } = (
          answer.socket as unknown as { getPeerCertificate(): { subject: { CN: string } } }
        ).getPeerCertificate()
        answer.resume()
        resolve([subject.CN, answer.statusCode ?? 0])
      })
      asked.on('error', reject)
      asked.end()
    })
  }

  test('it speaks TLS with the certificate it is given, and takes a new one on SIGHUP without a pause', async () => {
    const args = ['--tls-certificate', at('certificate.pem'), '--tls-key', at('key.pem')]
    service = await startAlone(folder.data, {}, args)
    expect(service.address).toMatch(/^https:/)
    expect(await ask(readFileSync(at('certificate.pem')))).toEqual(['first', 200])
    const before = readFileSync(at('certificate.pem'))
    writeFileSync(at('certificate.pem'), 'half a certificate')
    process.kill(service.pid, 'SIGHUP')
    await vi.waitUntil(() => service.stderr.includes('tls.unusable'), { timeout: 20_000 })
    expect(await ask(before)).toEqual(['first', 200])
    make('second')
    process.kill(service.pid, 'SIGHUP')
    await vi.waitUntil(() => service.stderr.includes('tls.reloaded'), { timeout: 20_000 })
    expect(await ask(readFileSync(at('certificate.pem')))).toEqual(['second', 200])
    await service.stop()
    writeFileSync(at('key.pem'), 'no key')
    await expect(startAlone(folder.data, {}, args)).rejects.toThrow('cannot be used')
  })
})
