import type { ServiceDocument } from '#contract/model/service-document.ts'
import type { HandlersOf, Services } from '../handler.ts'
import { noSpeech } from '../speech/port.ts'

const serviceVersion = '1.0.0'

export function serviceDocumentHandlers({ speech, language, audio }: Services): HandlersOf<'describeService'> {
  return {
    describeService: () => async () => {
      const isSpeechReady = speech() !== null
      const data: ServiceDocument = {
        name: 'Afterword Clinical Documentation Service',
        version: serviceVersion,
        api_version: '1',
        engines: {
          speech: {
            name: isSpeechReady ? 'openai-compatible' : 'none',
            ready: isSpeechReady,
            hint: isSpeechReady ? null : noSpeech,
          },
          language: { name: language.engine.name, ready: true, hint: null },
          payer: { name: 'none', ready: false, hint: 'No payer gateway is set up.' },
        },
        capabilities: [
          'clients.write',
          'sessions.sync',
          'transcripts',
          'notes',
          'consents',
          'operations',
          // Only audio that stands here already can be named.
          ...(audio === null ? [] : ['uploads']),
        ],
      }
      return { status: 200, data, touched: [] }
    },
  }
}
