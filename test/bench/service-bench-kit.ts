import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServiceClient } from '#client/client.ts'
import { startAlone } from '#test/service/alone-kit.ts'
import type { Alone } from '#test/service/alone-kit.ts'

/** One kind of call; the client it is about. */
export interface Call {
  readonly kind: 'listClients' | 'createSession' | 'generateNoteFromData'
  readonly client_id: string
}

export interface Load {
  readonly bases: readonly string[]
  readonly token: string
  readonly call: Call
  readonly connections: number
  readonly seconds: number
  /** Number of the first call, so that no two loads book the same hour or use the same key. */
  readonly first: number
}

export interface Measured {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly asked: number
  readonly refused: number
}

/** Something that answers the three calls: the service, or the bare route. */
export interface Side {
  readonly bases: readonly string[]
  readonly token: string
  readonly client_id: string
  readonly pids: readonly number[]
  stop(): Promise<void>
}

const clientBody = {
  display_name: 'Maren Voss',
  given_name: 'Maren',
  family_name: 'Voss',
  pronouns: 'she/her',
  date_of_birth: '1988-04-12',
  email: 'maren@client.example',
  phone: '+49 30 1234567',
  diagnoses: [{ code: 'F41.1', description: 'Generalized anxiety disorder' }],
}
const clients = 200

function childAt(file: string, args: readonly string[]) {
  return spawn(process.execPath, [new URL(file, import.meta.url).pathname, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** The service as it is operated, in so many processes on one store, with a practice of 200 clients. */
export async function startService(folders: readonly string[], environment: Record<string, string>): Promise<Side> {
  const usual = { NODE_ENV: 'production', AFTERWORD_PLAN: 'enterprise', ...environment }
  const processes: Alone[] = []
  for (const folder of folders) processes.push(await startAlone(folder, usual))
  const [first] = processes
  const token = first!.ownerKey!
  const client = createServiceClient({ base_url: first!.address, fetch, token })
  let client_id = ''
  for (let index = 0; index < clients; index += 1) client_id = (await client.call('createClient', { body: clientBody })).data.id
  return {
    bases: processes.map(({ address }) => address.replace(/\/v1$/, '')),
    token,
    client_id,
    pids: processes.map(({ pid }) => pid),
    stop: async () => void (await Promise.all(processes.map((process) => process.stop()))),
  }
}

export async function startBare(store: string, processes: number): Promise<Side> {
  const body = JSON.stringify({ ...clientBody, status: 'active', insurance: null, goals: [], vocabulary: [], clinician_id: null })
  const children: ChildProcess[] = []
  const bases: string[] = []
  for (let index = 0; index < processes; index += 1) {
    const child = childAt('./bare-service-child.ts', [store, '0199b2a4-6c10-7c3e-9a51-1f0e5d2b7a01', body])
    children.push(child)
    bases.push(
      await new Promise<string>((ready) => {
        child.stdout.on('data', (chunk: Buffer) => {
          const found = /listening on (\S+)\/v1/.exec(chunk.toString())?.[1]
          if (found) ready(found)
        })
      }),
    )
  }
  return {
    bases,
    token: 'none',
    client_id: 'c1',
    pids: children.map(({ pid }) => pid!),
    stop: async () => {
      for (const child of children) child.kill()
    },
  }
}

/** What the container image sets so that memory is kept low. */
export function memoryOfImage(): Record<string, string> {
  const containerfile = readFileSync(new URL('../../tools/container/Containerfile', import.meta.url), 'utf8')
  return Object.fromEntries(
    [...containerfile.matchAll(/\b(NODE_OPTIONS|MALLOC_\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]),
  )
}

/** A new key for a store on PostgreSQL. */
export function keyFileIn(folder: string): string {
  const file = `${folder}/data.key`
  writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
  return file
}

export function run(load: Load): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const file = new URL('./service-load-child.ts', import.meta.url).pathname
    execFile(process.execPath, [file, JSON.stringify(load)], (error, stdout) => {
      if (error) reject(error)
      else resolve(JSON.parse(stdout) as Measured)
    })
  })
}

/**
 * Milliseconds of processor the threads of these processes have used, by the scheduler's own account: the hundredths of
 * `/proc/PID/stat` are sampled by a timer and miss or double what wakes with it. Linux alone.
 */
export function processorMs(pids: readonly number[]): number {
  if (process.platform !== 'linux') return Number.NaN
  return pids.reduce((sum, pid) => sum + threadsOf(pid).reduce((ofOne, file) => ofOne + nanosecondsIn(file), 0), 0) / 1e6
}

const threadsOf = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/schedstat`)

/** Of a thread that ended in between, 0. */
function nanosecondsIn(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0])
  } catch {
    return 0
  }
}
