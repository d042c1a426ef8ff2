/** Loaded first in a process that stands for an Electron utility process: it has a port and no `process.send`. */
import { EventEmitter } from 'node:events'

const send = process.send?.bind(process)
const port = Object.assign(new EventEmitter(), { postMessage: (message: unknown) => void send?.(message) })
process.on('message', (data) => port.emit('message', { data }))
// Chromium kills utility processes when the app is gone; there is no event for it.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
Object.assign(process, { parentPort: port, send: undefined })
