import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { OpusDecoder } from 'opus-decoder'
import { expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import type { Recording } from '#contract/model/recording.ts'
import { joinPackets } from '#core/recordings/opus-packets.ts'
import { demux } from '#test/support/ogg-pages.ts'
import { openRecordingCore } from './recording-core.ts'
import { seededRandom } from './seeded-random.ts'

const isFull = process.env['AFTERWORD_FAULTS'] === 'full'
const kills = isFull ? 100 : 8
const speech = demux(readFileSync(new URL('../fixtures/speech/session.ogg', import.meta.url))).packets.slice(2)
const packetsOf = (sequence: number): Buffer[] =>
  Array.from({ length: 10 }, (_, index) => speech[(sequence * 10 + index) % speech.length]!)

interface Started {
  readonly child: ChildProcess
  readonly recordingId: string
  readonly nextSequence: number
  readonly acknowledged: () => number[]
  readonly ledgerClosed: Promise<unknown>
}

const forkCore = (folder: string, session: string, recordingId: string): ChildProcess =>
  fork(new URL('./recording-child.ts', import.meta.url), [folder, session, recordingId], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'pipe'],
    serialization: 'advanced',
  })

/** Killed somewhere between its first instruction and the moment it has taken the recording up. */
async function killWhileItRecovers(folder: string, session: string, recordingId: string, afterMs: number): Promise<void> {
  const child = forkCore(folder, session, recordingId)
  const gone = once(child, 'exit')
  setTimeout(() => child.kill('SIGKILL'), afterMs)
  await gone
}

async function startCore(folder: string, session: string, recordingId: string): Promise<Started> {
  const child = forkCore(folder, session, recordingId)
  const ledger = child.stdio[4] as Readable
  let text = ''
  ledger.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const ledgerClosed = once(ledger, 'close')
  const [first] = (await once(child, 'message')) as [{ recording_id: string; next_sequence: number }]
  // A line cut short would have no end; each is written at once.
  const acknowledged = (): number[] => text.split('\n').slice(0, -1).map(Number)
  return { child, recordingId: first.recording_id, nextSequence: first.next_sequence, acknowledged, ledgerClosed }
}

const timeout = isFull ? 3_600_000 : 180_000

test(`${kills} kills of the core at random moments lose no acknowledged record and double none`, { timeout }, async () => {
  const { random, seed } = seededRandom()
  process.stderr.write(`core kills: ${kills}, AFTERWORD_SEED=${seed}\n`)
  const folder = mkdtempSync(join(tmpdir(), 'afterword-kill-'))
  const session = newId()
  const ledger = new Set<number>()
  let recordingId = ''
  let captured = 0
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      if (recordingId !== '' && random() < 0.3) await killWhileItRecovers(folder, session, recordingId, random() * 500)
      const core = await startCore(folder, session, recordingId)
      recordingId = core.recordingId
      // Everything acknowledged is there: the core never asks for one of those again.
      for (let sequence = core.nextSequence; sequence < captured; sequence += 1) expect(ledger.has(sequence)).toBe(false)
      // The window sends again what it still holds, and one more in case its acknowledgement was lost on the way.
      for (let sequence = Math.max(0, core.nextSequence - 1); sequence < captured; sequence += 1) send(core, sequence)
      const isDead = once(core.child, 'exit')
      setTimeout(() => core.child.kill('SIGKILL'), 1 + random() * 120)
      while (core.child.exitCode === null && core.child.signalCode === null && core.child.connected) {
        send(core, captured)
        captured += 1
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
      await isDead
      await core.ledgerClosed
      for (const sequence of core.acknowledged()) ledger.add(sequence)
    }
    const last = await startCore(folder, session, recordingId)
    for (let sequence = last.nextSequence; sequence < captured; sequence += 1) send(last, sequence)
    last.child.send({ finish: true })
    const [{ finished }] = (await once(last.child, 'message')) as [{ finished: Recording }]
    last.child.kill('SIGKILL')
    await last.ledgerClosed
    expect(ledger.size).toBeGreaterThan(0)
    expect(finished).toMatchObject({ state: 'finished', saved_ms: captured * 200, gaps: [] })
    await expectAllThere(folder, recordingId, captured)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

function send(core: Started, sequence: number): void {
  core.child.send({ sequence, packets: joinPackets(packetsOf(sequence)) }, () => {}) // it may be dead already
}

async function expectAllThere(folder: string, recordingId: string, records: number): Promise<void> {
  const core = openRecordingCore({ folder, log: silentLog })
  const parts: Uint8Array[] = []
  for await (const part of core.audio.read(recordingId)) parts.push(part)
  core.db.close()
  const packets = demux(Buffer.concat(parts)).packets.slice(2)
  expect(packets.length).toBe(records * 10)
  for (let sequence = 0; sequence < records; sequence += 1) {
    expect(Buffer.concat(packets.slice(sequence * 10, sequence * 10 + 10)).equals(Buffer.concat(packetsOf(sequence)))).toBe(true)
  }
  const decoder = new OpusDecoder({ channels: 1, sampleRate: 16_000 })
  await decoder.ready
  let samples = 0
  for (let from = 0; from < packets.length; from += 200) {
    const decoded = decoder.decodeFrames(packets.slice(from, from + 200))
    expect(decoded.errors).toEqual([])
    samples += decoded.samplesDecoded
  }
  decoder.free()
  expect(samples).toBe(packets.length * 320)
}
