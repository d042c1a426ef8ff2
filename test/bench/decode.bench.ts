/** Sound on its way to the speech engine: fifty minutes of our own Opus to 16 kHz, cut into pieces, written as WAV. */
import { performance } from 'node:perf_hooks'
import { decodeOggOpus } from '#engines/speech/audio-source.ts'
import { cutIntoPieces } from '#engines/speech/plan.ts'
import { longRecording } from './long-recording.ts'

const minutes = 50
/** A slice takes about a millisecond; the longest holds are the collector's, once in some minutes of sound. */
const goals = { seconds: 15, heldMs: 20, memoryMb: 120 }

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

/** Processor time this thread spends between two turns of its event loop: what everything else has to wait for. */
function cpuOfTurns(): { stop(): { longest: number; p999: number } } {
  const spent: number[] = []
  let before = process.threadCpuUsage()
  let isRunning = true
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(before)
    spent.push((user + system) / 1000)
    before = process.threadCpuUsage()
    if (isRunning) setImmediate(look)
  }
  setImmediate(look)
  return {
    stop: () => {
      isRunning = false
      const sorted = spent.toSorted((left, right) => left - right)
      return { longest: sorted.at(-1) ?? 0, p999: sorted[Math.floor(sorted.length * 0.999)] ?? 0 }
    },
  }
}

function say(isMet: boolean, what: string, value: string, goal: string): void {
  process.stdout.write(`${isMet ? 'met' : 'missed'}  ${what}  ${value}  ${goal}\n`)
}

const recording = Buffer.concat([...longRecording(minutes)])
const before = process.memoryUsage().rss
let peak = before
const turns = cpuOfTurns()
const start = performance.now()
let seconds = 0
for await (const piece of cutIntoPieces(decodeOggOpus(chunks(recording)))) {
  seconds += piece.duration_ms / 1000
  peak = Math.max(peak, process.memoryUsage().rss)
}
const took = (performance.now() - start) / 1000
const { longest, p999 } = turns.stop()
const grown = (peak - before) / 1e6
say(
  took <= goals.seconds,
  `decode of ${Math.round(seconds / 60)} minutes`,
  `${took.toFixed(1)} s, ${Math.round(seconds / took)} times real time`,
  `${goals.seconds} s`,
)
say(
  longest <= goals.heldMs,
  'longest hold of the thread while decoding',
  `${longest.toFixed(1)} ms (p99.9 ${p999.toFixed(1)} ms)`,
  `${goals.heldMs} ms`,
)
say(grown <= goals.memoryMb, 'memory grown while decoding', `${Math.round(grown)} MB`, `${goals.memoryMb} MB`)
