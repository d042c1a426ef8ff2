import type { Emit } from '#contract/bridge/events.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import type { Log } from '#base/log.ts'
import { errorKind } from '#base/log.ts'
import type { ServiceClient } from '#client/client.ts'
import { AppError } from '#contract/errors.ts'

interface Ports {
  readonly embedded: () => ServiceClient
  readonly settings: () => Settings
  readonly emit: Emit
  readonly log: Log
}

export interface SpeechWatch {
  readonly speechReady: SpeechReady
  lookAgain(): void
  stop(): Promise<void>
}

export function watchSpeech({ embedded, settings, emit, log }: Ports): SpeechWatch {
  const speechReady = createSpeechReady(settings, embedded)
  let looking: Promise<void> = Promise.resolve()
  return {
    speechReady,
    lookAgain() {
      looking = speechReady
        .refresh()
        .then((isOther) => {
          if (isOther) emit('records.changed', { kinds: ['transcripts'] })
        })
        .catch((error: unknown) => log.error('speech.look', { kind: errorKind(error) }))
    },
    stop: () => looking,
  }
}

/** Whether transcription is possible now, from cached state. `refresh` returns true if this changed. */
export interface SpeechReady {
  now(): boolean
  refresh(): Promise<boolean>
}

function createSpeechReady(settings: () => Settings, embedded: () => ServiceClient): SpeechReady {
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
