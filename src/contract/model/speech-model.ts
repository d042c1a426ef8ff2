import { z } from 'zod'
import { idSchema, timestampSchema } from './common.ts'

/** Chosen by the catalogue, or made from the name of a folder; safe as the name of one. */
export const modelIdSchema = z.string().regex(/^[a-z0-9][a-z0-9.-]{0,79}$/, 'a model id')

export const modelTaskSchema = z.enum(['recognition', 'vad', 'segmentation', 'embedding', 'denoise'])

/** What a recogniser is made of; it says which files there are and how they are loaded. */
export const recognizerKindSchema = z.enum(['transducer', 'whisper', 'moonshine', 'nemo_ctc', 'zipformer_ctc', 'tdnn_ctc'])

/**
 * Where a checksum was taken from: this app's own catalogue; the list that the source (or its mirror) gave at install;
 * the file itself when a person brought a model of their own, so that only later changes are noticed.
 */
export const checksumSourceSchema = z.enum(['catalogue', 'source', 'own'])

export const modelFileSchema = z.object({
  name: z.string(),
  bytes: z.int().min(0),
  /** Hex. */
  sha256: z.string(),
  checksum_from: checksumSourceSchema,
})

/** Measured on this machine with a few seconds of speech that come with the app. */
export const selfTestSchema = z.object({
  at: timestampSchema,
  seconds_of_sound: z.number().positive(),
  seconds_taken: z.number().min(0),
  /** How many words were heard; null where the model hears no words. */
  words: z.int().min(0).nullable(),
})

export const installedModelSchema = z.object({
  id: modelIdSchema,
  name: z.string(),
  task: modelTaskSchema,
  kind: recognizerKindSchema.nullable(),
  languages: z.array(z.string()),
  origin: z.enum(['source', 'import', 'own']),
  bytes: z.int().min(0),
  files: z.array(modelFileSchema),
  /** Taken for its task among several that are installed. */
  chosen: z.boolean(),
  installed_at: timestampSchema,
  self_test: selfTestSchema.nullable(),
  /** Why the last test said nothing, in words; null where it passed or was never made. */
  self_test_problem: z.string().nullable(),
})

/** A line of the catalogue, or a model of the person's own, and how things stand with it here. */
export const speechModelSchema = z.object({
  id: modelIdSchema,
  name: z.string(),
  task: modelTaskSchema,
  kind: recognizerKindSchema.nullable(),
  /** BCP 47; empty: not bound to a language. */
  languages: z.array(z.string()),
  licence: z.string().nullable(),
  /** A page that tells about it. */
  page: z.string().nullable(),
  notes: z.string().nullable(),
  /** Of the download. Rounded as the source lists it, until its own list is read at install. */
  megabytes: z.number().min(0),
  memory_mb: z.int().min(0).nullable(),
  /** Seconds of sound in a second of work, where it is known of some machine; what counts is the self-test. */
  speed_factor: z.number().positive().nullable(),
  /** Of the set that suits this machine and this language. */
  recommended: z.boolean(),
  state: z.enum(['available', 'queued', 'installing', 'installed', 'damaged']),
  installed: installedModelSchema.nullable(),
  operation: z.object({ id: idSchema, progress: z.number().min(0).max(1) }).nullable(),
  /** How the last attempt ended, where it failed and none came after it. */
  failure: z.object({ code: z.string(), detail: z.string().nullable() }).nullable(),
  /** What an attempt that was cut off left, to go on from. */
  kept_bytes: z.int().min(0),
})

export const modelListSchema = z.object({
  data: z.array(speechModelSchema),
  machine: z.object({
    memory_mb: z.int().min(0),
    free_bytes: z.int().min(0),
    /** The caller may install, import, choose and remove models; only the operator of the service may. */
    imports: z.boolean(),
    /** The caller may try out installed models. */
    tests: z.boolean(),
  }),
})

export const importReportSchema = z.object({
  imported: z.array(z.object({ id: modelIdSchema, name: z.string() })),
  /** Each with a sentence that says why. */
  refused: z.array(z.object({ file: z.string(), why: z.string() })),
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
