/** A core with bugs: every call fails, and locking and closing block its thread. */
import { parentPort } from 'node:worker_threads'
import { createRpc } from '#shell/rpc.ts'

const block = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)

createRpc(parentPort!, {
  call: ({ name }: { name: string }) => {
    if (name === 'clients.list') throw new TypeError('Maren Voss is not a function')
    if (name === 'clients.get') throw Object.assign(new Error('Maren Voss'), { code: 'ENOENT' })
    if (name === 'app.state') return { ok: true, value: process.env['AFTERWORD_SHARED'] }
    if (name === 'vault.lock') block()
    return { ok: true, value: () => 'cannot be cloned' }
  },
  state: () => ({ phase: 'locked' }),
  close: block,
})
