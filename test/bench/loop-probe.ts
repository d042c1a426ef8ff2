/**
 * Loaded into a service with `--import`: measures how long its event loop is held. SIGUSR2 appends what was seen since the
 * last one to LOOP_PROBE_FILE as a line of JSON.
 */
import { appendFileSync } from 'node:fs'

const file = process.env['LOOP_PROBE_FILE']
/** Milliseconds between two looks. */
const step = 5

if (file !== undefined) {
  let last = performance.now()
  let worst = 0
  let processor = processorMs()
  let busiest = 0
  setInterval(() => {
    const now = performance.now()
    worst = Math.max(worst, now - last - step)
    last = now
    const used = processorMs()
    busiest = Math.max(busiest, used - processor)
    processor = used
  }, step).unref()
  process.on('SIGUSR2', () => {
    appendFileSync(file, `${JSON.stringify({ worst, busiest, rss: process.memoryUsage.rss() })}\n`)
    worst = 0
    busiest = 0
  })
}

/** Of the thread that answers, in milliseconds. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
