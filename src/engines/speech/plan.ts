import { AppError } from '#contract/errors.ts'
import type { SpeechSettings } from '#base/engine-settings.ts'
import type { InstalledModels, RecognizerModel } from './local/models-port.ts'
import { noSpeech } from './port.ts'

export interface SpeakerModels {
  readonly segmentation: string
  readonly embedding: string
}

export interface LocalWords {
  readonly kind: 'local'
  readonly model: RecognizerModel
  readonly vad: string
  readonly denoiser: string | null
  readonly language: string | null
}

export interface ServerWords {
  readonly kind: 'server'
  readonly settings: SpeechSettings
}

/** Who hears the words of a piece of work, and who tells the speakers apart. */
export interface SpeechPlan {
  readonly words: LocalWords | ServerWords
  /** Null: nothing on this machine tells them apart. */
  readonly speakers: SpeakerModels | null
  /** Of what was asked of one, nothing is gone on with by another. */
  readonly identity: readonly [engine: string, model: string | null]
}

const noModel =
  'No speech model is installed. Install one under “Speech on this laptop”, or give the address of a speech server instead.'
const noDetector =
  'The small model that finds where somebody speaks is not installed. Install it under “Speech on this laptop”, beside the speech model.'

/**
 * The server where one is set up and the models here are not asked for by name; else the models here. Sound never goes
 * to a server because a model is missing.
 *
 * @throws AppError `engine-not-ready`, `model-damaged`
 */
export function planSpeech(settings: SpeechSettings | null, models: InstalledModels | null): SpeechPlan {
  if (settings?.engine === 'none') throw new AppError('engine-not-ready', noSpeech)
  const speakers = models === null ? null : speakerModels(models)
  if (settings !== null && settings.engine !== 'local')
    return { words: { kind: 'server', settings }, speakers, identity: [settings.address, settings.model] }
  const model = models?.speech() ?? null
  if (models === null || model === null) throw new AppError('engine-not-ready', settings === null ? noSpeech : noModel)
  const vad = models.vad()
  if (vad === null) throw new AppError('engine-not-ready', noDetector)
  const words: LocalWords = { kind: 'local', model, vad, denoiser: models.denoiser(), language: settings?.language ?? null }
  return { words, speakers, identity: ['local', model.name] }
}

export function speakerModels(models: InstalledModels): SpeakerModels | null {
  const segmentation = models.segmentation()
  const embedding = models.embedding()
  return segmentation === null || embedding === null ? null : { segmentation, embedding }
}
