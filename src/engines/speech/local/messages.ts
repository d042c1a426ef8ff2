import { z } from 'zod'
import { recognizerModelSchema } from '../port.ts'

const samplesSchema = z.custom<Float32Array>((value) => value instanceof Float32Array)

const speakersSchema = z.object({
  segmentation: z.string(),
  embedding: z.string(),
  voices: z.int().min(1).nullable(),
  enrolled: z.array(z.object({ id: z.string(), embedding: samplesSchema })),
  kept: z.string().nullable(),
})

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
  speakers: speakersSchema.nullable(),
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
  z.object({
    kind: z.literal('finish'),
    spoken: z.array(z.object({ start_ms: z.number(), end_ms: z.number() })).nullable(),
  }),
])

const wordSchema = z.object({
  text: z.string(),
  start_ms: z.number(),
  end_ms: z.number(),
  confidence: z.number().min(0).max(1).nullable(),
})
const saidSchema = wordSchema.extend({ speaker: z.null(), words: z.array(wordSchema) })

export const modelUseSchema = z.enum(['words', 'speech-detection', 'noise-reduction', 'speakers'])

export const fromEngineSchema = z.discriminatedUnion('kind', [
  /** Sent before loading, because a damaged model ends the process without an error. */
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
  z.object({
    kind: z.literal('speakers'),
    turns: z.array(z.object({ start_ms: z.number(), end_ms: z.number(), voice: z.int().nullable(), part: z.int().min(0) })),
    voices: z.array(
      z.object({
        voice: z.int(),
        embedding: samplesSchema,
        spoken_ms: z.number(),
        enrolled_id: z.string().nullable(),
      }),
    ),
  }),
  z.object({ kind: z.literal('failed'), model: modelUseSchema.nullable() }),
])

export type OpenMessage = z.infer<typeof openSchema>
export type ToEngine = z.infer<typeof toEngineSchema>
export type FromEngine = z.infer<typeof fromEngineSchema>
export type SpokenSegment = z.infer<typeof saidSchema>
export type SpokenWord = z.infer<typeof wordSchema>
export type ModelUse = z.infer<typeof modelUseSchema>
