import { z } from 'zod'
import { languageSchema, lineSchema } from '../model/common.ts'
import { operationSchema } from '../model/operation.ts'
import { importReportSchema, installedModelSchema, modelIdSchema, modelListSchema } from '../model/speech-model.ts'
import { get, post, reach, remove } from './route.ts'

const byModel = z.object({ id: modelIdSchema.describe('Id of the model in the catalog, or of an imported one.') })
const owner = reach({ owner: 'all' })

const mirrorSchema = z.url({ protocol: /^https?$/ }).max(500)

const operatorOnly = (summary: string): string => `${summary} (operator only: 403 for keys and tokens)`

/** Only the operator of the machine may change models: the therapist in the app, or `npm run service -- models` on a server. */
export const modelRoutes = {
  listModels: get('/models', 'List speech models: available, installed and in use', owner, {
    query: z.object({
      language: languageSchema.optional().describe('Language (BCP 47) to recommend models for.'),
    }),
    answers: { 200: modelListSchema },
  }),
  installModel: post('/models/{id}/install', operatorOnly('Download, verify and test a model of the catalogue'), owner, {
    params: byModel,
    body: z
      .object({
        mirror: mirrorSchema
          .nullable()
          .default(null)
          .describe('Address of a private mirror that replaces scheme and host of every source; null: the sources themselves.'),
      })
      .meta({ id: 'ModelInstallation', description: 'Where to download from.' }),
    answers: { 200: installedModelSchema, 202: operationSchema },
    failures: [
      'too-many-operations',
      'not-found',
      'already-exists',
      'validation-failed',
      'download-failed',
      'model-mismatch',
      'disk-full',
      'disk-failed',
      'engine-failed',
      'cancelled',
    ],
    longRunning: true,
  }),
  importModels: post('/models/import', operatorOnly('Import models from a folder or files of this machine'), owner, {
    body: z
      .object({
        paths: z
          .array(z.string().min(1).max(4096))
          .min(1)
          .max(200)
          .describe('Absolute paths of one folder, or of files, on the machine of the service.'),
        own_name: lineSchema
          .min(1)
          .nullable()
          .default(null)
          .describe('Name for a model that is not in the catalog; null for models of the catalog.'),
      })
      .meta({ id: 'ModelImportRequest', description: 'Files on the machine of the service.' }),
    answers: { 200: importReportSchema },
    failures: [
      'not-found',
      'model-unknown',
      'model-mismatch',
      'already-exists',
      'disk-full',
      'disk-failed',
      'engine-not-ready',
      'cancelled',
    ],
  }),
  chooseModel: post('/models/{id}/choose', operatorOnly('Use this installed model for its task'), owner, {
    params: byModel,
    answers: { 200: installedModelSchema },
    failures: ['not-found', 'model-damaged'],
  }),
  testModel: post('/models/{id}/test', operatorOnly('Test an installed model on a few seconds of speech'), owner, {
    params: byModel,
    answers: { 200: installedModelSchema },
    failures: ['not-found', 'model-damaged', 'engine-not-ready', 'engine-failed', 'cancelled'],
  }),
  removeModel: remove('/models/{id}', operatorOnly('Delete an installed model or a partial download'), owner, {
    params: byModel,
    answers: {
      200: z.object({
        id: modelIdSchema.describe('Id of the removed model.'),
        freed_bytes: z.int().min(0).describe('Disk space freed, in bytes.'),
      }),
    },
    failures: ['not-found', 'model-in-use', 'disk-failed'],
  }),
} as const
