import { z } from 'zod'
import { recognizerKindSchema } from '#contract/model/speech-model.ts'

/** A recognizer on this machine: absolute file paths by role (`encoder`, `tokens`, `model`, ...). */
export const recognizerModelSchema = z.object({
  kind: recognizerKindSchema,
  name: z.string(),
  files: z.record(z.string(), z.string()),
})
export type RecognizerModel = z.infer<typeof recognizerModelSchema>

/** Installed and verified models, as absolute paths. Queried again for each job. */
export interface InstalledModels {
  speech(): RecognizerModel | null
  vad(): string | null
  segmentation(): string | null
  embedding(): string | null
  denoiser(): string | null
}
