/** The thread that writes recordings to disk. It has the keys of the open recordings and no others. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '#base/clock.ts'
import { openLog } from '#base/log-file.ts'
import { createAppendService } from '#core/recordings/append-service.ts'
import type { AppendThreadData } from './core-threads.ts'
import type { OpenRecordingsMessage } from './open-recordings.ts'
import { createRpc } from './rpc.ts'

if (parentPort === null) throw new Error('append-thread runs as a worker')

const log = openLog((workerData as AppendThreadData).folder, 'append')
const service = createAppendService({
  clock: systemClock,
  log,
  onChanged: (recordings) => parentPort?.postMessage({ kind: 'open-recordings', recordings } satisfies OpenRecordingsMessage),
})

const forCore = {
  open: service.open,
  gap: service.gap,
  attach: service.attach,
  close: service.close,
  status: service.status,
}

createRpc(parentPort, {
  open: service.open,
  append: service.append,
  reattach: service.reattach,
  status: service.status,
  'serve-core': ({ port }: { port: MessagePort }) => void createRpc(port, forCore),
})
