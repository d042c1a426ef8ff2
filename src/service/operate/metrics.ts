import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { ObservedCall } from '#service/http/request.ts'
import type { Connections } from '../store/connections.ts'
import type { WorkCount } from '../store/work-counts.ts'

export interface Metrics {
  observe(call: ObservedCall): void
  /** The text format of Prometheus, with what is counted at this moment. */
  text(): Promise<string>
  readonly contentType: string
}

interface Looked {
  work(): Promise<readonly WorkCount[]>
  isReady(): Promise<boolean>
  /** Connections of the pool; null on SQLite. */
  pool(): Connections | null
  now(): number
}

/** Seconds; the last steps are for calls that wait for long work. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30, 60]

/**
 * Every label comes from a closed list: operations of the contract, statuses, kinds and states of work. No ids, nothing
 * of a caller's.
 */
export function createMetrics(looked: Looked): Metrics {
  const registry = new Registry()
  const registers = [registry]
  // Milliseconds. The usual 10 wakes an idle process 100 times a second.
  collectDefaultMetrics({ register: registry, prefix: 'afterword_', eventLoopMonitoringPrecision: 50 })
  const requests = new Counter({
    name: 'afterword_requests_total',
    help: 'Calls answered',
    labelNames: ['operation', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'afterword_request_duration_seconds',
    help: 'From the request line to the answer',
    labelNames: ['operation'],
    buckets,
    registers,
  })
  const refusals = new Counter({
    name: 'afterword_quota_refusals_total',
    help: 'Calls refused because the day’s quota was used up',
    registers,
  })
  const ready = new Gauge({ name: 'afterword_ready', help: '1 where calls can be served', registers })
  const jobs = new Gauge({ name: 'afterword_jobs', help: 'Work that is not over', labelNames: ['kind', 'state'], registers })
  const age = new Gauge({
    name: 'afterword_job_queue_age_seconds',
    help: 'How long the oldest work of a kind has waited to be begun',
    labelNames: ['kind'],
    registers,
  })
  const pool = new Gauge({
    name: 'afterword_database_connections',
    help: 'Connections to PostgreSQL',
    labelNames: ['state'],
    registers,
  })
  return {
    contentType: registry.contentType,
    observe({ operation, status, duration_ms, code }) {
      // Addresses that are none of ours are one label: they are a caller's words.
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
