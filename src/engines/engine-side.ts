import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { forbidCoreDumps } from '#base/core-dumps.ts'

/** The inside of an engine's process: messages in and out, whichever way it was started. */

/** Electron's utility processes have this instead of `process.send`. */
interface ParentPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): void
  postMessage(message: unknown): void
}
const { parentPort } = process as { parentPort?: ParentPort }

export function tellStarter(message: unknown): void {
  if (parentPort) parentPort.postMessage(message)
  else process.send?.(message)
}

/**
 * Ends at once when the process that started it is gone: nothing needs an orderly end. Chromium ends a utility process
 * itself; `parentPort` has no `close` event.
 */
export function listenToStarter(receive: (message: unknown) => void): void {
  if (parentPort) parentPort.on('message', ({ data }) => receive(data))
  else {
    process.on('message', receive)
    process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
    watchStarter()
  }
}

/** Milliseconds between two looks. */
const WATCH_MS = 1000

/** `disconnect` waits for a computation to end. A thread of its own does not. */
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

/** Recording and the window come first; short of memory, the system ends this process before any other. */
export function stepBack(): void {
  attempt(() => setPriority(constants.priority.PRIORITY_BELOW_NORMAL))
  attempt(() => writeFileSync('/proc/self/oom_score_adj', '900'))
  forbidCoreDumps()
}

/** Not every system has each of these. */
function attempt(change: () => void): void {
  try {
    change()
  } catch {
    // it then runs like any other process
  }
}
