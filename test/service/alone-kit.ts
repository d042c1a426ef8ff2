import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** The service as a process of its own, started as `npm run service` does, on a port of its own. */
export interface Alone {
  /** Ends in `/v1`. */
  readonly address: string
  /** Only at the first start with its folder. */
  readonly ownerKey: string | null
  readonly stdout: string
  readonly stderr: string
  readonly pid: number
  /** Its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

const bin = resolve(import.meta.dirname, '..', '..', 'src', 'service', 'operate', 'bin.ts')

export function freshFolder(): { data: string; remove: () => void } {
  const root = mkdtempSync(join(tmpdir(), 'afterword-alone-'))
  return { data: join(root, 'data'), remove: () => rmSync(root, { recursive: true, force: true }) }
}

export async function startAlone(data: string, environment: Record<string, string> = {}, more: string[] = []): Promise<Alone> {
  const child = spawn(process.execPath, [bin, '--port', '0', '--data', data, ...more], {
    // Never into the keychain of whoever runs the tests.
    env: { ...process.env, NODE_ENV: 'test', AFTERWORD_SERVICE_KEY_STORE: 'file', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  const address = await new Promise<string>((ready, failed) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said.stdout += chunk.toString()
      const found = /^listening on (\S+)\n/m.exec(said.stdout)?.[1]
      if (found) ready(found)
    })
    child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()))
    child.on('exit', (code) => failed(new Error(`exit ${code}: ${said.stderr}`)))
  })
  return {
    address,
    get stdout() {
      return said.stdout
    },
    get stderr() {
      return said.stderr
    },
    pid: child.pid!,
    ownerKey: /^owner key: (\S+)$/m.exec(said.stdout)?.[1] ?? null,
    stop: (signal = 'SIGTERM') => ended(child, signal),
  }
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve) => {
    child.removeAllListeners('exit')
    child.on('exit', (code) => resolve(code))
    child.kill(signal)
  })
}

/** One command of the program, to its end. */
export async function runService(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, AFTERWORD_SERVICE_KEY_STORE: 'file', ...environment }
    execFile(process.execPath, [bin, ...args], { env, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
  })
}
