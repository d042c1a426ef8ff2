import { AppError } from '#contract/errors.ts'
import type { ServiceDocument } from '#contract/model/service-document.ts'
import type { HandlersOf } from '#service/access/call.ts'
import type { Services } from './services.ts'
import { planSpeech } from '#engines/speech/plan.ts'
import { noSpeech } from '#engines/speech/port.ts'
import type { Database } from '../store/tables.ts'

const serviceVersion = '1.0.0'

export function serviceDocumentHandlers(services: Services): HandlersOf<'describeService'> {
  return {
    describeService: (call) => async (db) => {
      const { language, keyPepper, payer } = services
      const data: ServiceDocument = {
        name: 'Afterword Clinical Documentation Service',
        version: serviceVersion,
        api_version: '1',
        engines: {
          speech: await speechState(services, db),
          language: language.state(),
          payer: payer.state(call.caller.is_test),
        },
        capabilities: [
          'clients.write',
          'sessions.sync',
          'transcripts',
          'notes',
          'analyses',
          'templates',
          'consents',
          'operations',
          'models',
          'voices',
          'coverage',
          'payers',
          'staff',
          'rooms',
          'availability',
          'break_glass',
          'reassignments',
          'psychotherapy_notes',
          'cosign',
          'retention',
          'audit',
          'me',
          ...(keyPepper === null ? [] : ['api_keys']),
          'uploads',
          'events',
        ],
      }
      return { status: 200, data, touched: [] }
    },
  }
}

async function speechState({ speech, installed }: Services, db: Database): Promise<ServiceDocument['engines']['speech']> {
  try {
    const { words } = planSpeech(speech(), installed && (await installed(db)))
    return { name: words.kind === 'local' ? 'sherpa-onnx' : 'openai-compatible', ready: true, hint: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { name: 'none', ready: false, hint: error.detail ?? noSpeech }
  }
}
