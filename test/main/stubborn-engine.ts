/** A utility process that holds SIGTERM back, like a library that is computing. */
const { parentPort } = process as unknown as { parentPort: { postMessage(message: unknown): void } }
process.on('SIGTERM', () => {})
setInterval(() => {}, 1000)
parentPort.postMessage('ready')
