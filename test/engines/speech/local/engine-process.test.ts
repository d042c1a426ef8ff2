import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { engineFile, scrubbedEnvironment } from '#engines/engine-host.ts'
import { leftOut } from '#test/support/left-out.ts'

/** Processes and their parents are read from the system here. */
const noProc = leftOut('the life of engine processes', process.platform === 'linux' ? null : 'it is looked at in /proc')
const child = new URL('./engine-starter-child.ts', import.meta.url)

describe.skipIf(noProc)('an engine process', () => {
  const starters: ChildProcess[] = []
  afterEach(() => {
    for (const starter of starters.splice(0)) starter.kill('SIGKILL')
  })
  function startStarter(): ChildProcess {
    const starter = fork(child, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    starters.push(starter)
    return starter
  }

  test('ends when the process that started it is killed', async () => {
    const starter = startStarter()
    const [{ engine }] = (await once(starter, 'message')) as [{ engine: number }]
    expect(isRunning(engine)).toBe(true)
    starter.kill('SIGKILL')
    await vi.waitUntil(() => !isRunning(engine), { timeout: 20_000 })
  })

  test('ends with the worker thread that started it', async () => {
    const worker = new Worker(child)
    const [{ engine }] = (await once(worker, 'message')) as [{ engine: number }]
    expect(isRunning(engine)).toBe(true)
    await worker.terminate()
    await vi.waitUntil(() => !isRunning(engine), { timeout: 20_000 })
  })

  test('knows nothing of its surroundings, steps back, and leaves no core file', async () => {
    vi.stubEnv('AFTERWORD_PASSPHRASE_FILE', '/somewhere')
    const starter = startStarter()
    const [{ engine }] = (await once(starter, 'message')) as [{ engine: number }]
    const names = readFileSync(`/proc/${engine}/environ`, 'utf8')
      .split('\0')
      .map((entry) => entry.split('=')[0])
    expect(names.filter((name) => name?.startsWith('AFTERWORD'))).toEqual([])
    expect(
      scrubbedEnvironment({
        HOME: '/own',
        TMPDIR: '/private/tmp',
        PATH: '/bin',
        AFTERWORD_PROFILE: '/p',
        API_KEY: 'secret',
      }),
    ).toEqual({ HOME: '/own', TMPDIR: '/private/tmp', PATH: '/bin' })
    const read = (name: string): string => readFileSync(`/proc/${engine}/${name}`, 'utf8').trim()
    await vi.waitUntil(() => niceOf(engine) >= 10 && read('oom_score_adj') === '900', { timeout: 25_000 })
    await vi.waitUntil(() => Number.parseInt(read('coredump_filter'), 16) === 0, { timeout: 25_000 })
    vi.unstubAllEnvs()
    starter.kill('SIGKILL')
    await vi.waitUntil(() => !isRunning(engine), { timeout: 20_000 })
  })

  test('is started from a file that is there', () => {
    expect(readdirSync(new URL('../../../../src/engines/speech/local/', import.meta.url))).toContain('speech-engine.ts')
    expect(engineFile('speech-engine')).toMatch(/speech-engine\.ts$/)
  })
})

/** Of /proc/PID/stat, behind the name in brackets: state, and further on the niceness. */
function statOf(processId: number): string[] | null {
  try {
    return readFileSync(`/proc/${processId}/stat`, 'utf8').split(') ')[1]!.split(' ')
  } catch {
    return null
  }
}
const isRunning = (processId: number): boolean => {
  const state = statOf(processId)?.[0]
  // One that ended and that nobody asked about is a zombie.
  return state !== undefined && state !== 'Z'
}
const niceOf = (processId: number): number => Number(statOf(processId)?.[16])
