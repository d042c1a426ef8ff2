import type { Settings } from '#contract/bridge/settings.ts'
import { AppError } from '#contract/errors.ts'
import type { ServiceClient } from '#client/client.ts'

/** Whether a recording can be written out as things stand, without asking anybody. */
export interface SpeechReady {
  now(): boolean
  /** Asks the service on this laptop; true where the answer is another than before. */
  refresh(): Promise<boolean>
}

/** A server that is set up counts as ready; of the models on this laptop the service knows. */
export function createSpeechReady(settings: () => Settings, embedded: () => ServiceClient): SpeechReady {
  let hasModels = false
  return {
    now() {
      const { speech_engine, speech_address, service_address } = settings()
      if (service_address !== null) return true
      return speech_engine === 'server' ? speech_address !== null : speech_engine === 'local' && hasModels
    },
    async refresh() {
      const { speech_engine, service_address } = settings()
      const before = hasModels
      if (speech_engine === 'local' && service_address === null) hasModels = await isReady(embedded())
      return hasModels !== before
    },
  }
}

async function isReady(service: ServiceClient): Promise<boolean> {
  try {
    return (await service.call('describeService', {})).data.engines.speech.ready
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
