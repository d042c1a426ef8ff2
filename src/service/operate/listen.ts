import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import { getRequestListener } from '@hono/node-server'
import { Mistake } from './server-settings.ts'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { ObservedCall } from '#service/http/request.ts'
import type { Connections, WorkCount } from '../store/gauges.ts'

export const usualLimits = {
  headersMs: 15_000,
  /** Enough for 16 MiB at 0.5 Mbit/s. */
  requestMs: 300_000,
  /** Limit without traffic: longer than a call waits for an operation, and than the heartbeat interval of event streams. */
  idleMs: 120_000,
  /** Limit between calls on one connection: longer than the 60 seconds that are usual for proxies. */
  keepAliveMs: 65_000,
  headerBytes: 16 * 1024,
}
export type Limits = Readonly<typeof usualLimits>

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

export type Listener = Awaited<ReturnType<typeof listen>>

export async function listen({ fetch, host, port, tls, limits = usualLimits }: Listening) {
  const options = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(5000, limits.headersMs),
  }
  const answer = getRequestListener((request, { incoming }) => fetch(request, incoming.socket.remoteAddress))
  const onRequest = (...asked: Parameters<typeof answer>): void => void answer(...asked)
  const server: Server | TlsServer =
    tls === null ? createServer(options, onRequest) : createTlsServer({ ...options, ...readTls(tls) }, onRequest)
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
    close: () => new Promise<void>((closed) => void server.close(() => closed())),
    cutOff: () => server.closeAllConnections(),
  }
}

/** Only cipher suites with forward secrecy and authenticated encryption (AEAD). */
const protocol = {
  minVersion: 'TLSv1.2',
  honorCipherOrder: true,
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
} as const

function readTls({ certificate, key }: Tls): SecureContextOptions {
  try {
    const read = { cert: readFileSync(certificate), key: readFileSync(key), ...protocol }
    createSecureContext(read)
    return read
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? 'unreadable'
    throw new Mistake(`The certificate ${certificate} with the key ${key} cannot be used (${why}).`)
  }
}

export type Metrics = ReturnType<typeof createMetrics>

interface Looked {
  work(): Promise<readonly WorkCount[]>
  isReady(): Promise<boolean>
  pool(): Connections | null
  now(): number
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30, 60]

/** Label values come from closed lists, such as operations and statuses, so they contain no ids or callers. */
export function createMetrics(looked: Looked) {
  const registry = new Registry()
  // The event loop is measured every 50 ms. The default of 10 ms would wake an idle process 100 times per second.
  collectDefaultMetrics({ register: registry, prefix: 'afterword_', eventLoopMonitoringPrecision: 50 })
  const labelled = (name: string, help: string, labelNames: string[]) => ({
    name: `afterword_${name}`,
    help,
    labelNames,
    registers: [registry],
  })
  const requests = new Counter(labelled('requests_total', 'Calls answered', ['operation', 'status']))
  const durations = new Histogram({
    ...labelled('request_duration_seconds', 'From the request line to the answer', ['operation']),
    buckets,
  })
  const refusals = new Counter(labelled('quota_refusals_total', 'Calls refused because the day’s quota was used up', []))
  const ready = new Gauge(labelled('ready', '1 where calls can be served', []))
  const jobs = new Gauge(labelled('jobs', 'Work that is not over', ['kind', 'state']))
  const age = new Gauge(labelled('job_queue_age_seconds', 'How long the oldest work of a kind has waited to be begun', ['kind']))
  const pool = new Gauge(labelled('database_connections', 'Connections to PostgreSQL', ['state']))
  return {
    contentType: registry.contentType as string,
    observe({ operation, status, duration_ms, code }: Pick<ObservedCall, 'operation' | 'status' | 'duration_ms' | 'code'>) {
      const label = operation ?? 'none'
      requests.inc({ operation: label, status })
      durations.observe({ operation: label }, duration_ms / 1000)
      if (code === 'quota-exceeded') refusals.inc()
    },
    async text() {
      ready.set((await looked.isReady()) ? 1 : 0)
      jobs.reset()
      age.reset()
      for (const { kind, status, count, oldest } of await looked.work()) {
        jobs.set({ kind, state: status }, count)
        if (status === 'queued') age.set({ kind }, Math.max(0, looked.now() - Date.parse(oldest)) / 1000)
      }
      const connections = looked.pool()
      for (const [state, value] of Object.entries(connections ?? {})) pool.set({ state }, value)
      return registry.metrics()
    },
  }
}
