import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '#base/clock.ts'
import { timestamp } from '#base/clock.ts'
import type { SelfTestResult } from '#contract/model/speech-model.ts'
import { decodeWav } from '#engines/speech/decode-wav.ts'
import { SAMPLE_RATE } from '#engines/speech/pcm.ts'
import type { InstalledModels } from '#engines/speech/local/models-port.ts'

export interface Trial {
  /** Working through the sound, without the loading before it, which an hour does not feel. */
  readonly seconds_taken: number
  /** Null where nothing was there that hears words. */
  readonly words: number | null
}

/**
 * Runs what is installed over sound, in the engine's own process.
 *
 * @throws AppError where it cannot be loaded or run; a damaged model ends that process, never this one
 */
export type TryModels = (models: InstalledModels, sound: Float32Array, signal: AbortSignal) => Promise<Trial>

export interface SelfTestPorts {
  readonly clock: Clock
  /** Folder of what comes with the app. */
  readonly resources: string
  readonly tryModels: TryModels
}

/** A few seconds of synthetic speech of our own. */
const sample = join('speech', 'self-test.wav')

export async function selfTest(models: InstalledModels, ports: SelfTestPorts, signal: AbortSignal): Promise<SelfTestResult> {
  const sound = await soundOf(join(ports.resources, sample))
  const { seconds_taken, words } = await ports.tryModels(models, sound, signal)
  return { at: timestamp(ports.clock), seconds_of_sound: sound.length / SAMPLE_RATE, seconds_taken, words }
}

async function soundOf(path: string): Promise<Float32Array> {
  const parts: Float32Array[] = []
  for await (const part of decodeWav(await readFile(path))) parts.push(part)
  const sound = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    sound.set(part, at)
    at += part.length
  }
  return sound
}
