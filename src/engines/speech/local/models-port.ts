import { z } from 'zod'
import { recognizerKindSchema } from '#contract/model/speech-model.ts'

/** A recogniser on this machine: its files by their role in it (`encoder`, `tokens`, `model`, ...), as absolute paths. */
export const recognizerModelSchema = z.object({
  kind: recognizerKindSchema,
  name: z.string(),
  files: z.record(z.string(), z.string()),
})
export type RecognizerModel = z.infer<typeof recognizerModelSchema>

/** What is installed and was checked when it was, as absolute paths; asked anew for each piece of work. */
export interface InstalledModels {
  speech(): RecognizerModel | null
  vad(): string | null
  segmentation(): string | null
  embedding(): string | null
  denoiser(): string | null
}
