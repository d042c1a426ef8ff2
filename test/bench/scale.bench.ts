/**
 * What a laptop, a practice of thirty and a hundred thousand practices need, from costs measured here and from the
 * assumptions named in scale-model.ts. SCALE_SPEECH_MS sets the processor time for a minute of speech (`npm run bench
 * local-speech` measures it), SCALE_STREAMS_PERCENT that of 1,000 idle streams. docs/scale.md says what the figures mean.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '#base/ids.ts'
import { createServiceClient } from '#client/client.ts'
import { startPostgres } from '#test/support/postgres.ts'
import { requestOf } from '../engines/language/support/dialogue.ts'
import { longDialogue } from './long-dialogue.ts'
import type { Costs, Needs, Size } from './scale-model.ts'
import { assumptions, needsOf } from './scale-model.ts'
import type { Call, Side } from './service-bench-kit.ts'
import { processorMs, run, startService } from './service-bench-kit.ts'

/** 9.6 s of processor for ten minutes of two voices, by `npm run bench local-speech`. */
const speechMsPerMinute = Number(process.env['SCALE_SPEECH_MS'] ?? 960)
const seconds = Number(process.env['SERVICE_BENCH_SECONDS'] ?? 4)

/** Percent of a core for 1,000 idle streams, by `npm run bench service-streams`. */
const streamsPercent = Number(process.env['SCALE_STREAMS_PERCENT'] ?? 0.5)

const folder = mkdtempSync(join(tmpdir(), 'afterword-scale-'))
const say = (line: string): boolean => process.stdout.write(`${line}\n`)

let first = 0
async function processorFor(side: Side, kind: Call['kind'], pids: readonly number[] = side.pids): Promise<number> {
  const before = processorMs(pids)
  const load = {
    bases: side.bases,
    token: side.token,
    call: { kind, client_id: side.client_id },
    connections: 16,
    seconds,
    first,
  }
  const { perSecond, asked } = await run(load)
  first += asked + 1000
  return (processorMs(pids) - before) / (perSecond * seconds)
}

/** Milliseconds of processor of a process and of those it started, also of those that have ended. Linux alone. */
function familyMs(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  const own = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]) * 10, 0)
  const started = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
  return started.reduce((sum, child) => sum + familyMs(child), own)
}

interface OfSession {
  readonly bytesPerSession: number
  readonly draftMs: number
  readonly analysisMs: number
}

/** What a session of 50 minutes costs and leaves in the store: its transcript of 9,000 words, a draft and an analysis. */
async function ofSession(side: Side, data: string): Promise<OfSession> {
  const client = createServiceClient({ base_url: `${side.bases[0]}/v1`, fetch, token: side.token })
  const [pid] = side.pids
  const size = (): number =>
    readdirSync(data).reduce((sum, name) => (name.endsWith('.db') ? sum + statSync(join(data, name)).size : sum), 0)
  const { speakers, segments } = requestOf(longDialogue(), 'soap')
  const words = { language: 'en', duration_ms: 3_000_000, speakers: [...speakers], segments: [...segments] }
  const spent = { draft: 0, analysis: 0 }
  const session = async (index: number): Promise<void> => {
    const starts_at = new Date(Date.UTC(2020, 0, 1, index)).toISOString()
    const about = { client_id: side.client_id, session_type: 'individual', duration_minutes: 50 } as const
    const session_id = (await client.call('createSession', { body: { ...about, starts_at } })).data.id
    const transcript_id = newId()
    const engine = { name: 'bench', version: '1', model: null }
    await client.call('putTranscript', { params: { id: transcript_id }, body: { session_id, engine, ...words } })
    const before = familyMs(pid!)
    await client.call('generateNote', { body: { session_id, client_id: side.client_id, transcript_id, template: 'soap' } })
    const between = familyMs(pid!)
    await client.call('analyze', { body: { session_id, transcript_id } })
    spent.draft += between - before
    spent.analysis += familyMs(pid!) - between
  }
  const warm = 5
  for (let index = 0; index < warm; index += 1) await session(index)
  spent.draft = spent.analysis = 0
  const sessions = 20
  const before = size()
  for (let index = warm; index < warm + sessions; index += 1) await session(index)
  const each = { draftMs: spent.draft / sessions, analysisMs: spent.analysis / sessions }
  // What still stands in the journal goes into the file when the store is closed.
  await side.stop()
  return { ...each, bytesPerSession: (size() - before) / sessions }
}

async function measure(): Promise<Costs> {
  const data = join(folder, 'data')
  const sqlite = await startService([data], {})
  await processorFor(sqlite, 'listClients')
  await sqlite.stop()
  const counted = join(folder, 'counted')
  const session = await ofSession(await startService([counted], {}), counted)
  const postgres = await startPostgres({ durable: true })
  try {
    const url = await postgres.database()
    const environment = { DATABASE_URL: url, AFTERWORD_SERVICE_KEY_FILE: `${data}.key` }
    const side = await startService([join(folder, 'on-postgres')], environment)
    // Warm, and with all the connections it will have.
    await processorFor(side, 'createSession')
    const look = await postgres.look(url)
    const { rows } = await look.query<{ pid: number }>('select pid from pg_stat_activity where pid <> pg_backend_pid()')
    const databaseMs = await processorFor(
      side,
      'createSession',
      rows.map(({ pid }) => pid),
    )
    const readMs = await processorFor(side, 'listClients')
    const writeMs = await processorFor(side, 'createSession')
    await look.end()
    await side.stop()
    return { readMs, writeMs, databaseMs, speechMsPerMinute, streamMs: streamsPercent / 100, ...session }
  } finally {
    await postgres.stop()
  }
}

const sizes: readonly Size[] = [
  { name: 'one laptop', clinicians: 1, practices: 1 },
  { name: 'a practice of 30', clinicians: 30, practices: 1 },
  { name: '100,000 practices of 5', clinicians: 500_000, practices: 100_000 },
]

function line(name: string, of: (needs: Needs) => number, unit: string, needs: readonly Needs[]): void {
  const shown = needs.map((one) => of(one).toLocaleString('en-US', { maximumSignificantDigits: 3 }).padStart(12))
  say(`${name.padEnd(34)}${shown.join('')}  ${unit}`)
}

try {
  const costs = await measure()
  say('measured on this machine')
  for (const [name, value] of Object.entries(costs)) say(`  ${name.padEnd(20)} ${value.toPrecision(3)}`)
  say('assumed')
  for (const [name, value] of Object.entries(assumptions)) say(`  ${name.padEnd(24)} ${value.toLocaleString('en-US')}`)
  const needs = sizes.map((size) => needsOf(size, costs))
  say(`${''.padEnd(34)}${['laptop', '30', '100,000'].map((name) => name.padStart(12)).join('')}`)
  line('sessions a day', (one) => one.sessionsPerDay, '', needs)
  line('calls at the peak', (one) => one.callsPerSecond, 'a second', needs)
  line('cores for calls, texts, streams', (one) => one.serviceCores, '', needs)
  line('of those, drafts and analyses', (one) => one.textCores, '', needs)
  line('of those, idle streams', (one) => one.streamCores, '', needs)
  line('processes of the service', (one) => one.processes, '', needs)
  line('cores for speech', (one) => one.speechCores, '', needs)
  line('cores of PostgreSQL', (one) => one.databaseCores, '', needs)
  line('records after seven years', (one) => one.databaseTerabytes, 'TB', needs)
  line('nodes of PostgreSQL', (one) => one.databaseNodes, 'by practice, and as many standbys', needs)
  line('audio at most', (one) => one.audioTerabytes, 'TB', needs)
  line('money', (one) => one.dollarsPerMonth, 'dollars a month', needs)
  line(
    'money for a clinician',
    (one) => one.dollarsPerMonth / (one.sessionsPerDay / assumptions.sessionsPerDay),
    'dollars a month',
    needs,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
