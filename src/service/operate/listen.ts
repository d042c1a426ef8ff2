import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Server as TlsServer } from 'node:https'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSecureContext } from 'node:tls'
import { getRequestListener } from '@hono/node-server'
import { Mistake } from './mistake.ts'

export interface Limits {
  /** From the first byte to the end of the headers. */
  readonly headersMs: number
  /** To the end of the body: 16 MiB over a line of 0.5 Mbit/s. */
  readonly requestMs: number
  /** Nothing is sent either way; longer than a call waits for long work, and than an event stream is silent. */
  readonly idleMs: number
  /** Between two calls on one connection; longer than the minute that proxies keep theirs. */
  readonly keepAliveMs: number
  readonly headerBytes: number
}

export const usualLimits: Limits = {
  headersMs: 15_000,
  requestMs: 300_000,
  idleMs: 120_000,
  keepAliveMs: 65_000,
  headerBytes: 16 * 1024,
}

export interface Tls {
  readonly certificate: string
  readonly key: string
}

interface Listening {
  readonly fetch: (request: Request, from: string | undefined) => Promise<Response>
  readonly host: string
  readonly port: number
  readonly tls: Tls | null
  readonly limits?: Limits
}

export interface Listener {
  readonly port: number
  /** Reads certificate and key again; connections that stand keep what they have. */
  reloadTls(): void
  /** No more connections; settles when the last one is closed, idle ones at once. */
  close(): Promise<void>
  /** Whatever is still open is cut off. */
  cutOff(): void
}

/** @throws Mistake where it cannot listen there, or the certificate cannot be used */
export async function listen({ fetch, host, port, tls, limits = usualLimits }: Listening): Promise<Listener> {
  const options = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    // How often Node looks whether one of these is over.
    connectionsCheckingInterval: Math.min(5000, limits.headersMs),
  }
  const answer = getRequestListener((request, { incoming }) => fetch(request, incoming.socket.remoteAddress))
  const onRequest: typeof answer = (incoming, outgoing) => answer(incoming, outgoing)
  const server: Server | TlsServer =
    tls === null
      ? createServer(options, (incoming, outgoing) => void onRequest(incoming, outgoing))
      : createTlsServer({ ...options, ...readTls(tls), minVersion: 'TLSv1.2' }, (incoming, outgoing) => {
          void onRequest(incoming, outgoing)
        })
  server.setTimeout(limits.idleMs)
  await new Promise<void>((ready, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      failed(new Mistake(`cannot listen on ${host}, port ${port}: ${error.code ?? 'error'}`))
    })
    server.listen(port, host, ready)
  })
  return {
    port: (server.address() as AddressInfo).port,
    reloadTls: () => {
      if (tls !== null) (server as TlsServer).setSecureContext(readTls(tls))
    },
    close: () => new Promise((closed) => void server.close(() => closed())),
    cutOff: () => server.closeAllConnections(),
  }
}

function readTls({ certificate, key }: Tls): { cert: Buffer; key: Buffer } {
  try {
    const read = { cert: readFileSync(certificate), key: readFileSync(key) }
    createSecureContext(read)
    return read
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? 'unreadable'
    throw new Mistake(`The certificate ${certificate} with the key ${key} cannot be used (${why}).`)
  }
}
