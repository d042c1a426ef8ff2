import { readFileSync } from 'node:fs'
import { newId } from '#base/ids.ts'
import { encodePage, headPages, serialOf } from '#core/recordings/ogg.ts'
import { demux } from '#test/support/ogg-pages.ts'

const packetsPerSecond = 50

/** The project's own short session over and over, as one recording; made page by page, as it is read. */
export function* longRecording(minutes: number): Generator<Buffer> {
  const [head, , ...sound] = demux(readFileSync(new URL('../fixtures/speech/session.ogg', import.meta.url))).packets
  const pre_skip = head!.readUInt16LE(10)
  const id = newId()
  const serial = serialOf(id)
  yield headPages(id, { codec: 'opus', input_sample_rate: 48_000, channels: 1, bitrate: 28_000, pre_skip }, false)
  for (let second = 0; second < minutes * 60; second += 1) {
    const at = (second * packetsPerSecond) % (sound.length - packetsPerSecond)
    const packets = sound.slice(at, at + packetsPerSecond)
    const isLast = second === minutes * 60 - 1
    yield encodePage({ serial, number: second + 2, granule: (second + 1) * 48_000, isLast, packets })
  }
}
