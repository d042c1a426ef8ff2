import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import { join } from 'node:path'

/** A practice's own certificate authority, made with openssl, and a server for `host` whose certificate it signed. */
export function serverOfOwnAuthority(folder: string, host: string): { authority: string; server: Server } {
  const file = (name: string): string => join(folder, name)
  const openssl = (...words: string[]): void => void execFileSync('openssl', words, { stdio: 'ignore' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-days',
    '2',
    '-subj',
    '/CN=Practice authority',
    '-keyout',
    file('ca.key'),
    '-out',
    file('ca.pem'),
  )
  openssl('req', ...newKey, '-subj', `/CN=${host}`, '-keyout', file('host.key'), '-out', file('host.csr'))
  writeFileSync(file('names'), `subjectAltName=DNS:${host}`)
  const signed = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-CAcreateserial', '-days', '2', '-extfile', file('names')]
  openssl('x509', '-req', '-in', file('host.csr'), ...signed, '-out', file('host.pem'))
  const server = createServer({ key: readFileSync(file('host.key')), cert: readFileSync(file('host.pem')) }, (_, response) =>
    response.end('hello from the practice'),
  )
  return { authority: file('ca.pem'), server }
}
