/** Starts an engine from a process or a worker thread and says which process it is. Linux. */
import { readdirSync, readFileSync } from 'node:fs'
import { setInterval } from 'node:timers'
import { parentPort } from 'node:worker_threads'
import { forkedEngines } from '#engines/engine-host.ts'

const children = (): number[] =>
  readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )

const before = new Set(children())
forkedEngines().start('speech-engine')
const engine = children().find((process) => !before.has(process))
const told = { engine }
if (parentPort) parentPort.postMessage(told)
else process.send?.(told)
setInterval(() => {}, 1000)
