import { z } from 'zod'
import { idSchema, listOf, named, timestampSchema } from './common.ts'

export const modelIdSchema = z.string().regex(/^[a-z0-9][a-z0-9.-]{0,79}$/, 'a model id')

export const modelTaskSchema = z.enum(['recognition', 'vad', 'segmentation', 'embedding', 'denoise'])

export const recognizerKindSchema = z.enum(['transducer', 'whisper', 'moonshine', 'nemo_ctc', 'zipformer_ctc', 'tdnn_ctc'])

/**
 * `catalogue`: from the model catalog. `source`: from the file list of the download site. `own`: computed from the imported
 * file, to detect later changes.
 */
export const checksumSourceSchema = z.enum(['catalogue', 'source', 'own'])

export const modelFileSchema = named('ModelFile', 'One file of a speech model.', {
  name: z.string().describe('File name.'),
  bytes: z.int().min(0).describe('Size in bytes.'),
  sha256: z.string().describe('SHA-256 in hex.'),
  checksum_from: checksumSourceSchema.describe(
    'Where the checksum comes from: the catalog, the download source, or the file itself when a person imported it.',
  ),
})

export const selfTestSchema = named('ModelSelfTest', 'Result of a test with a few seconds of speech on this machine.', {
  at: timestampSchema.describe('When it ran.'),
  seconds_of_sound: z.number().positive().describe('Length of the test audio in seconds.'),
  seconds_taken: z.number().min(0).describe('Time the model took in seconds.'),
  words: z.int().min(0).nullable().describe('Words recognized; null for models that do not recognize words.'),
})

const modelFields = {
  id: modelIdSchema.describe('Id of the model.'),
  name: z.string().describe('Name of the model.'),
  task: modelTaskSchema.describe('What the model does.'),
  kind: recognizerKindSchema.nullable().describe('Architecture of a recognizer; null for other tasks.'),
  languages: z.array(z.string()).describe('Languages (BCP 47); empty: any.'),
}

export const installedModelSchema = named('InstalledModel', 'An installed speech model.', {
  ...modelFields,
  origin: z
    .enum(['source', 'import', 'own'])
    .describe('`source`: downloaded. `import`: a catalog model from local files. `own`: another model from local files.'),
  bytes: z.int().min(0).describe('Size on disk in bytes.'),
  files: z.array(modelFileSchema).describe('Its files.'),
  chosen: z.boolean().describe('True if it is used for its task.'),
  installed_at: timestampSchema.describe('When it was installed.'),
  self_test: selfTestSchema.nullable().describe('Last successful test; null if there was none.'),
  self_test_problem: z.string().nullable().describe('Why the last test failed; null if it passed or never ran.'),
})

export const speechModelSchema = named(
  'SpeechModel',
  'A model of the catalog, or an imported one, with its state on this machine.',
  {
    ...modelFields,
    licence: z.string().nullable().describe('License of the model; null if unknown.'),
    page: z.string().nullable().describe('Web page about the model; null if there is none.'),
    notes: z.string().nullable().describe('What to know before installing it; null if nothing.'),
    megabytes: z.number().min(0).describe('Size of the download in megabytes.'),
    memory_mb: z.int().min(0).nullable().describe('Memory it needs in megabytes; null if unknown.'),
    speed_factor: z
      .number()
      .positive()
      .nullable()
      .describe('Seconds of audio per second of work on a reference machine; null if unknown.'),
    recommended: z.boolean().describe('True if it is in the set that suits this machine and language.'),
    state: z.enum(['available', 'queued', 'installing', 'installed', 'damaged']).describe('State on this machine.'),
    installed: installedModelSchema.nullable().describe('The installed model; null if it is not installed.'),
    operation: z
      .object({
        id: idSchema.describe('Id of the operation.'),
        progress: z.number().min(0).max(1).describe('Share that is done, 0 to 1.'),
      })
      .nullable()
      .describe('Installation in progress; null if there is none.'),
    failure: z
      .object({
        code: z.string().describe('Code of the problem.'),
        detail: z.string().nullable().describe('What happened; null if unknown.'),
      })
      .nullable()
      .describe('How the last attempt failed; null if none did.'),
    kept_bytes: z.int().min(0).describe('Bytes of an interrupted download that will be reused.'),
  },
)

export const modelListSchema = named('SpeechModelList', 'Speech models and the machine they run on.', {
  data: z.array(speechModelSchema).describe('Models of the catalog and imported ones.'),
  machine: z
    .object({
      memory_mb: z.int().min(0).describe('Memory in megabytes.'),
      free_bytes: z.int().min(0).describe('Free disk space for models in bytes.'),
      imports: z.boolean().describe('True if models can be imported from local files.'),
      tests: z.boolean().describe('True if installed models can be tested here.'),
    })
    .describe('The machine of the service.'),
})

export const importReportSchema = named('ModelImport', 'Result of an import.', {
  imported: listOf({ id: modelIdSchema.describe('Id of the model.'), name: z.string().describe('Name of the model.') }).describe(
    'Models that were imported.',
  ),
  refused: listOf({ file: z.string().describe('Name of the file.'), why: z.string().describe('Why, in one sentence.') }).describe(
    'Files that were not imported.',
  ),
})

export type ModelTask = z.infer<typeof modelTaskSchema>
export type RecognizerKind = z.infer<typeof recognizerKindSchema>
export type ChecksumSource = z.infer<typeof checksumSourceSchema>
export type ModelFile = z.infer<typeof modelFileSchema>
export type SelfTestResult = z.infer<typeof selfTestSchema>
export type InstalledModel = z.infer<typeof installedModelSchema>
export type SpeechModel = z.infer<typeof speechModelSchema>
export type ModelList = z.infer<typeof modelListSchema>
export type ImportReport = z.infer<typeof importReportSchema>
