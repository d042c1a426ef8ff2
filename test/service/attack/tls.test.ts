import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, getCiphers } from 'node:tls'
import type { ConnectionOptions } from 'node:tls'
import { afterAll, expect, test } from 'vitest'
import { listen } from '#service/operate/listen.ts'
import type { Listener } from '#service/operate/listen.ts'

const folder = mkdtempSync(join(tmpdir(), 'afterword-tls-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function certificate(name: string, newkey: readonly string[]) {
  const [key, file] = [join(folder, `${name}-key.pem`), join(folder, `${name}.pem`)]
  const args = ['req', '-x509', '-newkey', ...newkey, '-nodes', '-days', '2', '-subj', `/CN=${name}`]
  execFileSync('openssl', [...args, '-keyout', key, '-out', file], { stdio: 'ignore' })
  return { certificate: file, key }
}

/** The protocol and cipher that both sides agree on, or null. */
function agreed({ port }: Listener, options: ConnectionOptions): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options }, () => {
      resolve(`${socket.getProtocol()} ${socket.getCipher().name}`)
      socket.destroy()
    })
    socket.on('error', () => resolve(null))
  })
}

const certificates = {
  rsa: ['rsa:2048'],
  ecdsa: ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
} as const
const accepted = {
  rsa: ['ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES256-GCM-SHA384', 'ECDHE-RSA-CHACHA20-POLY1305'],
  ecdsa: ['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
} as const

test.each(['rsa', 'ecdsa'] as const)(
  'with an %s certificate, only TLS 1.3 and TLS 1.2 with forward secrecy and authenticated encryption connect, also after a reload',
  async (kind) => {
    const tls = certificate(kind, certificates[kind])
    const listener = await listen({ fetch: async () => new Response('yes'), host: '127.0.0.1', port: 0, tls })
    const offered = getCiphers()
      .map((name) => name.toUpperCase())
      .filter((name) => !name.startsWith('TLS_'))
    for (let round = 0; round < 2; round += 1) {
      const found: string[] = []
      for (const cipher of offered) {
        // Level 0 lets this client offer what no client should.
        const options = { ciphers: `${cipher}:@SECLEVEL=0`, minVersion: 'TLSv1', maxVersion: 'TLSv1.2' } as const
        const result = await agreed(listener, options).catch(() => null)
        if (result !== null) found.push(result)
      }
      expect(found.toSorted()).toEqual(accepted[kind].map((name) => `TLSv1.2 ${name}`).toSorted())
      expect(await agreed(listener, {})).toMatch(/^TLSv1\.3 TLS_/)
      const old = { ciphers: 'ALL:@SECLEVEL=0', minVersion: 'TLSv1', maxVersion: 'TLSv1.1' } as const
      expect(await agreed(listener, old)).toBeNull()
      listener.reloadTls()
    }
    const closed = listener.close()
    listener.cutOff()
    await closed
  },
)
