import { z } from 'zod'
import { analysisSchema, cueDecisionSchema, nextQuestionSchema } from '../model/analysis.ts'
import { idSchema, lineSchema, timestampSchema } from '../model/common.ts'
import { evidenceSchema, noteStatusSchema } from '../model/note.ts'
import { method } from './method.ts'
import { workSchema } from './sessions.ts'

const bySession = z.object({ session_id: idSchema })

export const insightsSchema = z.object({
  analysis: analysisSchema.nullable(),
  work: workSchema,
  /** Everyone present agrees to insights. False: nothing is kept and nothing can be asked for. */
  is_allowed: z.boolean(),
  has_transcript: z.boolean(),
  /** The transcript was corrected since. */
  is_outdated: z.boolean(),
  decisions: z.array(cueDecisionSchema),
})

/** What to know before the next session, on one page. Put together here, so it is there offline. */
export const briefSchema = z.object({
  client_id: idSchema,
  client_name: lineSchema,
  next_session_at: timestampSchema.nullable(),
  /** The last session held that left something; null where there is none yet. */
  last_session: z.object({ id: idSchema, starts_at: timestampSchema, number: z.int().min(1) }).nullable(),
  note: z.object({ id: idSchema, status: noteStatusSchema }).nullable(),
  /** As it stands in the note. */
  plan: z.array(z.object({ text: z.string(), evidence: z.array(evidenceSchema) })),
  /** Whether what follows is there: read from the session, not asked for, or not agreed to. */
  insights: z.enum(['present', 'not_asked', 'not_agreed']),
  questions: z.array(nextQuestionSchema),
  /** Words of risk that are undecided or to be followed up. */
  cues: z.array(
    z.object({ id: z.string(), quote: z.string(), evidence: z.array(evidenceSchema), decision: cueDecisionSchema.nullable() }),
  ),
  goals: analysisSchema.shape.goals,
  changes: analysisSchema.shape.changes,
})

export const insightMethods = {
  'insights.get': method(bySession, insightsSchema),
  'insights.request': method(bySession, workSchema),
  'insights.cancel': method(bySession, workSchema),
  /** What the therapist makes of words of risk; said again, the later one stands. */
  'insights.decide': method(
    bySession.extend({ cue_id: cueDecisionSchema.shape.cue_id, decision: cueDecisionSchema.shape.decision, reason: lineSchema }),
    insightsSchema,
  ),
  'clients.brief': method(z.object({ client_id: idSchema }), briefSchema),
} as const

export type Insights = z.infer<typeof insightsSchema>
export type Brief = z.infer<typeof briefSchema>
