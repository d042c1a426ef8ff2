import { z } from 'zod'
import { idSchema, paragraphSchema, recordFields } from './common.ts'
import { evidenceSchema } from './note.ts'
import { engineSchema } from './transcript.ts'

/** About documentation and process only: no emotion or mental-state inference, no score, no diagnosis. */
export const analysisSchema = z.object({
  ...recordFields,
  session_id: idSchema.nullable(),
  client_id: idSchema.nullable(),
  summary: paragraphSchema,
  topics: z.array(z.object({ name: z.string(), evidence: z.array(evidenceSchema) })),
  interventions: z.array(z.object({ name: z.string(), evidence: z.array(evidenceSchema) })),
  goals: z.array(z.object({ text: z.string(), evidence: z.array(evidenceSchema) })),
  risk_cues: z.array(z.object({ kind: z.string(), quote: z.string(), segment_id: z.string(), requires_review: z.literal(true) })),
  /** Share of spoken time by speaker id, 0 to 1; null where there are no times. */
  talk_ratio: z.record(z.string(), z.number().min(0).max(1)).nullable(),
  insights: z.array(z.object({ text: z.string(), evidence: z.array(evidenceSchema) })),
  recommendations: z.array(z.object({ text: z.string(), rationale: z.string(), evidence: z.array(evidenceSchema) })),
  engine: engineSchema,
})
