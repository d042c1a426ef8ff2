/** Another user's program: tries to listen on the port of the first argument, on both loopback addresses, without a pause. */
import { createServer } from 'node:net'

const port = Number(process.argv[2])
let attempts = 0

function take(host: string): void {
  const server = createServer()
  server.once('error', () => {
    attempts += 1
    setImmediate(() => take(host))
  })
  server.listen({ host, port, exclusive: true }, () => process.send?.({ taken: host }))
}

for (const host of ['127.0.0.1', '::1', '0.0.0.0', '::']) take(host)
process.on('message', () => process.send?.({ attempts }))
process.on('disconnect', () => process.exit(0))
