/**
 * The speech engine's process. A damaged model or too little memory ends it and nothing else. It is given paths of
 * models and sound, and knows no records and no keys.
 */
import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { createDiarizer } from '../speakers/diarizer.ts'
import { createSpeechEngine } from './engine.ts'
import type { FromEngine } from './messages.ts'
import { toEngineSchema } from './messages.ts'

/** Electron's utility processes have this instead of `process.send`. */
interface ParentPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): void
  on(event: 'close', listener: () => void): void
  postMessage(message: unknown): void
}
const { parentPort } = process as { parentPort?: ParentPort }

const tell = (message: FromEngine): void => {
  if (parentPort) parentPort.postMessage(message)
  else process.send?.(message)
}
/** At once, in the middle of whatever the library does: nothing here needs an orderly end. */
const end = (): void => void process.kill(process.pid, 'SIGKILL')

stepBack()
const take = createSpeechEngine(tell, createDiarizer)
let last: Promise<void> = Promise.resolve()
const receive = (message: unknown): void => {
  last = last
    .then(() => take(toEngineSchema.parse(message)))
    // Whoever started this process ends it then.
    .catch(() => tell({ kind: 'failed', model: null }))
}
if (parentPort) {
  parentPort.on('message', ({ data }) => receive(data))
  parentPort.on('close', end)
} else {
  process.on('message', receive)
  process.on('disconnect', end)
}

/** Recording and the window come first; short of memory, the system ends this process before any other. */
function stepBack(): void {
  attempt(() => setPriority(constants.priority.PRIORITY_BELOW_NORMAL))
  attempt(() => writeFileSync('/proc/self/oom_score_adj', '900'))
  // A core file would hold what was said.
  attempt(() => writeFileSync('/proc/self/coredump_filter', '0'))
}

/** Not every system has each of these. */
function attempt(change: () => void): void {
  try {
    change()
  } catch {
    // it then runs like any other process
  }
}
