/** What recording costs. The packets are as long as the recorder's own: 67 bytes, constant bit rate, 20 ms. */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { MessageChannel, Worker } from 'node:worker_threads'
import { OpusDecoder } from 'opus-decoder'
import { newId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { recordingMethods } from '#contract/bridge/recordings.ts'
import type { AudioFormat } from '#contract/model/recording.ts'
import type { AppendService } from '#core/recordings/append-service.ts'
import { joinPackets } from '#core/recordings/opus-packets.ts'
import { type AppendThreadData, appendThreadLimits } from '#shell/core-threads.ts'
import { createRpc } from '#shell/rpc.ts'
import { openRecordingCore } from '#test/crash/recording-core.ts'
import { demux } from '#test/support/ogg-pages.ts'

const HOUR_RECORDS = 18_000
const format: AudioFormat = { codec: 'opus', input_sample_rate: 48_000, channels: 1, bitrate: 26_800, pre_skip: 312 }
const folder = mkdtempSync(join(tmpdir(), 'afterword-bench-'))
const input = recordingMethods['recordings.append'].input

function report(name: string, value: number, unit: string, most: number, isAtLeast = false): void {
  const isMet = isAtLeast ? value >= most : value <= most
  const goal = `${isAtLeast ? 'at least' : 'at most'} ${Number(most.toFixed(2))} ${unit}`
  process.stdout.write(`${isMet ? 'met   ' : 'missed'}  ${name.padEnd(58)}${value.toFixed(2)} ${unit}`.padEnd(92) + `${goal}\n`)
}

const at = (sorted: readonly number[], share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0

function packet(): Buffer {
  const bytes = randomBytes(67)
  bytes[0] = 0xf8
  return bytes
}

/** The append thread as the shells start it; questions and answers cross threads as they do there. */
async function startThread() {
  const workerData: AppendThreadData = { folder }
  const program = new URL('../../src/shell/append-thread.ts', import.meta.url)
  const worker = new Worker(program, { workerData, resourceLimits: appendThreadLimits })
  const fromWindow = createRpc(worker, {})
  const { port1, port2 } = new MessageChannel()
  await fromWindow.call('serve-core', { port: port1 }, [port1])
  const fromCore = createRpc(port2, {})
  const service: AppendService = {
    open: (open) => fromCore.call('open', open) as never,
    gap: (gap) => fromCore.call('gap', gap) as never,
    attach: (attach) => fromCore.call('attach', attach) as never,
    reattach: (attach) => fromWindow.call('reattach', attach) as never,
    close: (id) => fromCore.call('close', id) as never,
    status: () => fromCore.call('status', undefined) as never,
    append: (record) => fromWindow.call('append', input.parse(record)) as never,
  }
  const end = async (): Promise<void> => {
    port2.close()
    await worker.terminate()
  }
  return { service, end }
}

async function appendRecords(service: AppendService, recordingId: string, count: number) {
  const took: number[] = []
  globalThis.gc?.()
  const memory = process.memoryUsage().rss
  const cpu = process.cpuUsage()
  for (let sequence = 0; sequence < count; sequence += 1) {
    const packets = joinPackets(Array.from({ length: 10 }, packet))
    const began = performance.now()
    await Promise.resolve(service.append({ recording_id: recordingId, sequence, packets, peak: 0.5, rms: 0.1 }))
    took.push(performance.now() - began)
  }
  const { user, system } = process.cpuUsage(cpu)
  globalThis.gc?.()
  return { took: took.toSorted((a, b) => a - b), cpu: (user + system) / 1e6, grown: process.memoryUsage().rss - memory }
}

function bareAppends(count: number): number[] {
  const file = openSync(join(folder, 'bare'), 'a')
  const bytes = randomBytes(741)
  const took = Array.from({ length: count }, () => {
    const began = performance.now()
    writeSync(file, bytes)
    fdatasyncSync(file)
    return performance.now() - began
  })
  closeSync(file)
  return took.toSorted((a, b) => a - b)
}

async function recordHour(): Promise<void> {
  const { service, end } = await startThread()
  const core = openRecordingCore({ folder: join(folder, 'hour'), append: service, log: silentLog })
  const start = () =>
    core.handlers['recordings.start']({ session_id: newId(), window_id: 'window-one', format, device_label: '' })
  // Ten minutes first: what compiled code and heaps take once is not growth.
  const warmUp = await start()
  await appendRecords(service, warmUp.recording_id, HOUR_RECORDS / 6)
  await core.handlers['recordings.finish']({ recording_id: warmUp.recording_id })
  const { recording_id } = await start()
  const bare = bareAppends(2000)
  const { took, cpu, grown } = await appendRecords(service, recording_id, HOUR_RECORDS)
  const began = performance.now()
  const finished = await core.handlers['recordings.finish']({ recording_id })
  const finishing = performance.now() - began
  const file = join(folder, 'hour', 'recordings', `${recording_id}.afr`)
  report('bytes per recorded hour', statSync(file).size / 1e6, 'MB', 13.5)
  report('CPU of a core while recording, append path over threads', (cpu / 3600) * 100, '%', 1)
  report('memory growth over a simulated hour', Math.max(0, grown) / 1e6, 'MB', 10)
  report('chunk to durable, p50', at(took, 0.5), 'ms', at(bare, 0.5) + 2)
  report('chunk to durable, p95', at(took, 0.95), 'ms', at(bare, 0.95) + 5)
  process.stdout.write(
    `        bare append and fdatasync: p50 ${at(bare, 0.5).toFixed(2)} ms, p95 ${at(bare, 0.95).toFixed(2)} ms\n`,
  )
  report('finishing an hour: final record, length, hash', finishing / 1000, 's', 3)
  await firstSound(core, recording_id, finished.ogg_bytes ?? 0)
  core.db.close()
  await end()
}

/** From opening the player in the middle of an hour to the first bytes there. */
async function firstSound(core: ReturnType<typeof openRecordingCore>, recordingId: string, bytes: number): Promise<void> {
  const began = performance.now()
  const parts = core.audio.read(recordingId, bytes >> 1, bytes)[Symbol.asyncIterator]()
  await parts.next()
  report('first bytes from the middle of an hour, nothing cached', performance.now() - began, 'ms', 1500)
  await parts.return?.()
  const again = performance.now()
  const warm = core.audio.read(recordingId, bytes >> 2, bytes)[Symbol.asyncIterator]()
  await warm.next()
  report('first bytes of a second range', performance.now() - again, 'ms', 50)
  await warm.return?.()
}

/** Real speech, over and over: from sealed records to 16 kHz samples. */
async function decodeSpeed(): Promise<void> {
  const ogg = readFileSync(new URL('../fixtures/speech/session.ogg', import.meta.url))
  const packets = demux(ogg).packets.slice(2)
  const decoder = new OpusDecoder({ channels: 1, sampleRate: 16_000 })
  await decoder.ready
  const began = performance.now()
  let samples = 0
  for (let round = 0; round < 24; round += 1) {
    for (let from = 0; from < packets.length; from += 200)
      samples += decoder.decodeFrames(packets.slice(from, from + 200)).samplesDecoded
  }
  report('decode speed to 16 kHz, times real time', samples / 16_000 / ((performance.now() - began) / 1000), 'x', 100, true)
  decoder.free()
}

try {
  await recordHour()
  await decodeSpeed()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
