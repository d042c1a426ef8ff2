/** An append thread that dies after its second record. */
import { parentPort } from 'node:worker_threads'
import '#shell/append-thread.ts'

parentPort!.on('message', ({ name, input }: { name?: string; input?: { sequence?: number } }) => {
  if (name === 'append' && input?.sequence === 1) process.exit()
})
