import { z } from 'zod'
import { analysisSchema, cueDecisionSchema, nextQuestionSchema } from '../model/analysis.ts'
import { idSchema, lineSchema, timestampSchema } from '../model/common.ts'
import { evidenceSchema, noteStatusSchema } from '../model/note.ts'
import { method } from './method.ts'
import { workSchema } from './sessions.ts'
import { analyticsSchema } from '../model/analytics.ts'
import { exportTicketSchema } from './library.ts'

const bySession = z.object({ session_id: idSchema })

export const insightsSchema = z.object({
  analysis: analysisSchema.nullable(),
  work: workSchema,
  is_allowed: z.boolean(),
  has_transcript: z.boolean(),
  is_outdated: z.boolean(),
  decisions: z.array(cueDecisionSchema),
})

export const briefSchema = z.object({
  client_id: idSchema,
  client_name: lineSchema,
  next_session_at: timestampSchema.nullable(),
  last_session: z.object({ id: idSchema, starts_at: timestampSchema, number: z.int().min(1) }).nullable(),
  note: z.object({ id: idSchema, status: noteStatusSchema }).nullable(),
  plan: z.array(z.object({ text: z.string(), evidence: z.array(evidenceSchema) })),
  /** Of the latest note that says anything about safety or medication, which may be older than the last session's. */
  safety: z.object({ starts_at: timestampSchema, texts: z.array(z.string()).min(1) }).nullable(),
  agreed: analysisSchema.shape.homework,
  insights: z.enum(['present', 'not_asked', 'not_agreed']),
  questions: z.array(nextQuestionSchema),
  cues: z.array(
    z.object({ id: z.string(), quote: z.string(), evidence: z.array(evidenceSchema), decision: cueDecisionSchema.nullable() }),
  ),
  goals: analysisSchema.shape.goals,
  changes: analysisSchema.shape.changes,
})

/** What the stored note and insights of a session say it was about. */
export const sessionGistSchema = z.object({
  session_id: idSchema,
  topics: z.array(z.string()),
  first_statement: z.string().nullable(),
  /** Goals of treatment that were on file when the session was analyzed; null without insights. */
  goals: z.array(z.object({ text: z.string(), is_raised: z.boolean() })).nullable(),
})

export const insightMethods = {
  'insights.get': method(bySession, insightsSchema),
  'insights.request': method(bySession, workSchema),
  'insights.cancel': method(bySession, workSchema),
  'insights.decide': method(
    bySession.extend({ cue_id: cueDecisionSchema.shape.cue_id, decision: cueDecisionSchema.shape.decision, reason: lineSchema }),
    insightsSchema,
  ),
  'clients.brief': method(
    z.object({ client_id: idSchema, before: timestampSchema.optional().describe('Only sessions that start earlier count.') }),
    briefSchema,
  ),
  /** Of the latest 30 sessions that have a note or insights, the latest first. */
  'clients.sessionGists': method(z.object({ client_id: idSchema }), z.array(sessionGistSchema)),
} as const

export type Insights = z.infer<typeof insightsSchema>
export type SessionGist = z.infer<typeof sessionGistSchema>
export type Brief = z.infer<typeof briefSchema>

export const figurePeriodSchema = z.enum(['four_weeks', 'twelve_weeks', 'year'])

const byPeriod = z.object({ period: figurePeriodSchema })

export const figureMethods = {
  'figures.read': method(
    byPeriod,
    z.object({
      analytics: analyticsSchema,
      answered_at: timestampSchema,
      is_old: z.boolean(),
    }),
  ),
  'figures.export': method(byPeriod, exportTicketSchema),
} as const

export type FigurePeriod = z.infer<typeof figurePeriodSchema>
