import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { forbidCoreDumps } from '#base/core-dumps.ts'

interface ParentPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): void
  postMessage(message: unknown): void
}
const { parentPort } = process as { parentPort?: ParentPort }

export function tellStarter(message: unknown): void {
  if (parentPort) parentPort.postMessage(message)
  else process.send?.(message)
}

/** A forked process kills itself when its parent is gone. The process has nothing to clean up. */
export function listenToStarter(receive: (message: unknown) => void): void {
  if (parentPort) parentPort.on('message', ({ data }) => receive(data))
  else {
    process.on('message', receive)
    process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
    watchStarter()
  }
}

const WATCH_MS = 1000

/** `disconnect` cannot fire during a long computation, so a separate thread checks the parent every second. */
function watchStarter(): void {
  const source = `
    const starter = ${process.ppid}
    setInterval(() => {
      try {
        if (process.ppid !== starter) throw new Error('another parent')
        process.kill(starter, 0)
      } catch (error) {
        if (error.code !== 'EPERM') process.kill(process.pid, 'SIGKILL')
      }
    }, ${WATCH_MS})`
  const limits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 }
  new Worker(source, { eval: true, env: {}, execArgv: [], resourceLimits: limits }).unref()
}

/**
 * Lowers this process's CPU priority, so that recording and the window keep working. On Linux, also makes the system end this
 * process early if memory runs out, and prevents core dumps, which could contain session content.
 */
export function stepBack(): void {
  attempt(() => setPriority(constants.priority.PRIORITY_BELOW_NORMAL))
  attempt(() => writeFileSync('/proc/self/oom_score_adj', '900'))
  forbidCoreDumps()
}

function attempt(change: () => void): void {
  try {
    change()
  } catch {
    // The engine also works without this change.
  }
}
