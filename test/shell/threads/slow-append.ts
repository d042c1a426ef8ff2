/** An append thread on a slow disk: one record takes a while, and only then exists. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import type { AppendThreadData } from '#shell/core-threads.ts'
import { createRpc } from '#shell/rpc.ts'

const { folder } = workerData as AppendThreadData

createRpc(parentPort!, {
  append: ({ sequence }: { sequence: number }) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
    writeFileSync(join(folder, `record-${sequence}`), 'sound')
    return { next_sequence: sequence + 1, saved_ms: 200 }
  },
  status: () => [],
  'serve-core': () => null,
})
