import { z } from 'zod'
import {
  diarizedSchema,
  diarizerOptionsSchema,
  heardWordSchema,
  recognizerModelSchema,
  samplesSchema,
  spokenSchema,
} from '../port.ts'

const openSchema = z.object({
  kind: z.literal('open'),
  words: z
    .object({
      model: recognizerModelSchema.nullable(),
      vad: z.string().nullable(),
      denoiser: z.string().nullable(),
      language: z.string().nullable(),
      vocabulary: z.array(z.string()),
    })
    .nullable(),
  speakers: diarizerOptionsSchema.nullable(),
  threads: z.int().min(1),
})

export const toEngineSchema = z.discriminatedUnion('kind', [
  openSchema,
  z.object({
    kind: z.literal('piece'),
    index: z.int().min(0),
    samples: z.int().min(1),
    want_words: z.boolean(),
    keep: z.boolean(),
  }),
  z.object({ kind: z.literal('sound'), samples: samplesSchema }),
  z.object({ kind: z.literal('finish'), spoken: z.array(spokenSchema).nullable() }),
])

const saidSchema = heardWordSchema.extend({ speaker: z.null(), words: z.array(heardWordSchema) })

export const modelUseSchema = z.enum(['words', 'speech-detection', 'noise-reduction', 'speakers'])

export const fromEngineSchema = z.discriminatedUnion('kind', [
  /** Sent before each model is loaded, because a damaged model can end the process without an error. */
  z.object({ kind: z.literal('loading'), model: modelUseSchema }),
  z.object({ kind: z.literal('ready'), version: z.string() }),
  z.object({ kind: z.literal('taken'), samples: z.int() }),
  z.object({
    kind: z.literal('heard'),
    index: z.int(),
    segments: z.array(saidSchema),
    language: z.string().nullable(),
    kept: z.string().nullable(),
  }),
  diarizedSchema.extend({ kind: z.literal('speakers') }),
  z.object({ kind: z.literal('failed'), model: modelUseSchema.nullable() }),
])

export type OpenMessage = z.infer<typeof openSchema>
export type ToEngine = z.infer<typeof toEngineSchema>
export type FromEngine = z.infer<typeof fromEngineSchema>
export type SpokenSegment = z.infer<typeof saidSchema>
export type ModelUse = z.infer<typeof modelUseSchema>
