import type { Emit } from '#contract/bridge/events.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import type { Log } from '#base/log.ts'
import { errorKind } from '#base/log.ts'
import type { ServiceClient } from '#client/client.ts'
import { createSpeechReady, type SpeechReady } from './speech-ready.ts'

interface Ports {
  /** The service on this laptop, also where another one is set up. */
  readonly embedded: () => ServiceClient
  readonly settings: () => Settings
  readonly emit: Emit
  readonly log: Log
}

export interface SpeechWatch {
  readonly speechReady: SpeechReady
  /** What can be done now may be another than before; windows are told where it is. */
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
