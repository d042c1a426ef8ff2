/** Preloaded into a utility process: provides `process.parentPort` (which has no `close` event) and removes `process.send`. */
import { EventEmitter } from 'node:events'

const send = process.send?.bind(process)
const port = Object.assign(new EventEmitter(), { postMessage: (message: unknown) => void send?.(message) })
process.on('message', (data) => port.emit('message', { data, ports: [] }))
// Chromium kills utility processes when the app is gone.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
Object.assign(process, { parentPort: port, send: undefined })
