import { performance } from 'node:perf_hooks'
import type { EngineHost } from '#engines/engine-host.ts'
import type { InstalledModels } from './models-port.ts'
import { EngineGone, startListening, engineError, createLevel, levelled } from './listening.ts'

/**
 * Runs the models on a short sample in a separate engine process. Returns the time without loading, and the number of words
 * (null without a recognizer).
 * @throws AppError `model-damaged`, `engine-failed`; the abort reason of `signal`
 */
export async function tryModels(
  host: EngineHost,
  models: InstalledModels,
  sound: Float32Array,
  signal: AbortSignal,
): Promise<{ seconds_taken: number; words: number | null }> {
  const [model, segmentation, embedding] = [models.speech(), models.segmentation(), models.embedding()]
  const words = { model, vad: models.vad(), denoiser: models.denoiser(), language: null, vocabulary: [] }
  const speakers =
    segmentation === null || embedding === null ? null : { segmentation, embedding, voices: null, enrolled: [], kept: null }
  try {
    const listening = await startListening(host, { words, speakers }, signal)
    try {
      const started = performance.now()
      const whole = Int16Array.from(sound, (sample) => sample * 32_767)
      const samples = levelled(whole, createLevel()(whole))
      const { segments } = await listening.hear({ index: 0, samples, wantWords: true, keep: false })
      if (speakers !== null) await listening.speakers(null)
      const said = segments.flatMap(({ text }) => text.split(' ')).length
      return { seconds_taken: (performance.now() - started) / 1000, words: model === null ? null : said }
    } finally {
      listening.close()
    }
  } catch (error) {
    throw error instanceof EngineGone ? engineError(error) : error
  }
}
