import { z } from 'zod'

const file = z.string().min(1)

/** A recogniser on this machine; the files are absolute paths. */
export const speechModelSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('transducer'),
    name: z.string(),
    /** NeMo's are Parakeet's; icefall's are Zipformer's. */
    family: z.enum(['nemo', 'icefall']),
    files: z.object({ encoder: file, decoder: file, joiner: file, tokens: file }),
  }),
  z.object({
    kind: z.literal('whisper'),
    name: z.string(),
    files: z.object({ encoder: file, decoder: file, tokens: file }),
  }),
  z.object({
    kind: z.literal('moonshine'),
    name: z.string(),
    files: z.object({ preprocessor: file, encoder: file, uncached_decoder: file, cached_decoder: file, tokens: file }),
  }),
  z.object({
    kind: z.literal('ctc'),
    name: z.string(),
    family: z.enum(['nemo', 'zipformer', 'tdnn']),
    files: z.object({ model: file, tokens: file }),
  }),
])
export type SpeechModel = z.infer<typeof speechModelSchema>

/** What is installed and was checked when it was; asked anew for each piece of work. */
export interface InstalledModels {
  speech(): SpeechModel | null
  vad(): string | null
  segmentation(): string | null
  embedding(): string | null
  denoiser(): string | null
}
