import autocannon from 'autocannon'
import { percentile } from './records-bench-kit.ts'
import type { Call, Load, Measured } from './service-bench-kit.ts'

/** The callers, in a process of their own: so many connections, each asking again as soon as it is answered. */
const load = JSON.parse(process.argv[2]!) as Load
const { call } = load
const headers = { authorization: `Bearer ${load.token}` }

let asked = load.first
/** Sessions are booked one after the other, so that none is refused. */
function bodyOf({ kind, client_id }: Call): string {
  if (kind === 'createSession') {
    const starts_at = new Date(Date.UTC(2030, 0, 1) + asked * 3_600_000).toISOString()
    return JSON.stringify({ client_id, session_type: 'individual', starts_at, duration_minutes: 50 })
  }
  return JSON.stringify({
    session_type: 'individual',
    duration_minutes: 50,
    presenting_concerns: ['Wakes at four and cannot sleep again', 'Argues with her brother about the house'],
    interventions: ['Sleep diary', 'Worry time in the afternoon'],
    client_response: 'Wants to try the diary until next week and was relieved to have said it.',
    client_id,
  })
}

const latencies: number[] = []
let refused = 0
const { duration, errors, timeouts } = await autocannon({
  url: [...load.bases],
  connections: load.connections,
  duration: load.seconds,
  setupClient: (client) =>
    client.on('response', (status, _bytes, milliseconds) => {
      latencies.push(milliseconds)
      if (status >= 300) refused += 1
    }),
  requests: [
    call.kind === 'listClients'
      ? { method: 'GET', path: '/v1/clients?limit=50', headers }
      : {
          method: 'POST',
          path: call.kind === 'createSession' ? '/v1/sessions' : '/v1/notes/generate',
          setupRequest: (request) => {
            asked += 1
            const body = bodyOf(call)
            return {
              ...request,
              body,
              headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': `bench-${asked}` },
            }
          },
        },
  ],
})

const measured: Measured = {
  perSecond: latencies.length / duration,
  p50: percentile(latencies, 0.5),
  p99: percentile(latencies, 0.99),
  asked: asked - load.first,
  refused: refused + errors + timeouts,
}
process.stdout.write(JSON.stringify(measured))
