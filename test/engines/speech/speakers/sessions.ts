import { readFileSync } from 'node:fs'
import { readWav } from '#engines/speech/decode-wav.ts'
import { testData } from '#test/support/machine.ts'
import { readRttm, type Spoken } from './score.ts'

/** Speech with what is known of it. */
export interface Session {
  readonly samples: Float32Array
  readonly spoken: readonly Spoken[]
}

const rate = 16

export const standIns = {
  segmentation: testData('models', 'standin', 'segmentation-standin.onnx'),
  embedding: testData('models', 'standin', 'speaker-embedding-standin.onnx'),
}

export function readSession(base: string): Session {
  const { samples } = samplesOf(readFileSync(`${base}.wav`))
  return { samples, spoken: readRttm(`${base}.rttm`) }
}

function samplesOf(bytes: Uint8Array): { samples: Float32Array } {
  const { data } = readWav(bytes)
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  return { samples: Float32Array.from({ length: data.byteLength >> 1 }, (_, index) => view.getInt16(index * 2, true) / 32_768) }
}

export interface Made {
  readonly who: string
  readonly sound: Float32Array
}

/** Each turn of a session by itself. */
export function turnsOf({ samples, spoken }: Session, rename: (who: string) => string = (who) => who): Made[] {
  return spoken.map(({ start_ms, end_ms, who }) => ({
    who: rename(who),
    sound: samples.slice(Math.round(start_ms * rate), Math.round(end_ms * rate)),
  }))
}

/** A session of these turns with these pauses between them. */
export function joinTurns(turns: readonly Made[], pauseMs: (index: number) => number): Session {
  const total = turns.reduce((sum, { sound }, index) => sum + sound.length + pauseMs(index) * rate, 0)
  const samples = new Float32Array(total)
  const spoken: Spoken[] = []
  let at = 0
  for (const [index, { who, sound }] of turns.entries()) {
    samples.set(sound, at)
    spoken.push({ who, start_ms: at / rate, end_ms: (at + sound.length) / rate })
    at += sound.length + pauseMs(index) * rate
  }
  return { samples, spoken }
}
