import { z } from 'zod'
import { idSchema, lineSchema, millisecondsSchema, paragraphSchema, recordFields, timestampSchema } from './common.ts'
import { evidenceSchema } from './note.ts'
import { engineSchema } from './transcript.ts'

const evidence = z.array(evidenceSchema)
const share = z.number().min(0).max(1)

/** A stretch of the session; times are null for a transcript without times, which has its place by segments alone. */
const stretchSchema = z.object({
  from_segment_id: z.string(),
  to_segment_id: z.string(),
  start_ms: millisecondsSchema.nullable(),
  end_ms: millisecondsSchema.nullable(),
})

/** What the therapist does, in the field's own terms. */
export const behaviourSchema = z.enum([
  'open_question',
  'closed_question',
  'simple_reflection',
  'complex_reflection',
  'information',
  'other',
])

/** Counts over the therapist's turns; a turn that reflects and then asks counts once for each. */
const behavioursSchema = z.object({
  counts: z.record(behaviourSchema, z.int().min(0)),
  /** Null where nothing was asked. */
  reflections_per_question: z.number().min(0).nullable(),
  /** Complex among all reflections; null where there was none. */
  complex_share: share.nullable(),
  /** Open among all questions; null where there was none. */
  open_share: share.nullable(),
  turns: z.array(z.object({ behaviour: behaviourSchema, evidence })),
})

const riskCueSchema = z.object({
  kind: z.string(),
  quote: z.string(),
  segment_id: z.string(),
  requires_review: z.literal(true),
  /** Of the words and their place, so that a decision on them stays with them. */
  id: z.string().default(''),
  speaker_id: z.string().nullable().default(null),
  /** Whom the words are about, as far as their wording tells. */
  about: z.enum(['speaker', 'somebody_else', 'unclear']).default('unclear'),
  start_ms: millisecondsSchema.nullable().default(null),
  end_ms: millisecondsSchema.nullable().default(null),
  /** The therapist's question that these words answer. */
  asked: evidence.default([]),
  /** Where the therapist asked about them. */
  taken_up: evidence.default([]),
})

const changeSchema = z.object({
  kind: z.enum(['topic', 'goal', 'homework']),
  text: z.string(),
  /** Word for word from the session before; its segments are those of that session's transcript. */
  before: evidence,
  /** Word for word from this session; empty where it was not spoken of. */
  now: evidence,
})

export const nextQuestionSchema = z.object({
  kind: z.enum(['homework', 'unanswered', 'postponed', 'risk', 'goal']),
  text: z.string(),
  rationale: z.string(),
  evidence,
  /** Whose transcript the evidence points into. */
  evidence_of: z.enum(['this_session', 'session_before']).default('this_session'),
})

/** About documentation and process only: no emotion or mental-state inference, no score, no diagnosis. */
export const analysisBodySchema = z.object({
  session_id: idSchema.nullable(),
  client_id: idSchema.nullable(),
  summary: paragraphSchema,
  topics: z.array(
    z.object({
      name: z.string(),
      evidence,
      /** Where it was spoken of, in order. */
      stretches: z.array(stretchSchema).default([]),
    }),
  ),
  interventions: z.array(z.object({ name: z.string(), evidence })),
  /** `given`: from the caller's list. `said`: in the client's own words in this session. Without evidence it was not raised. */
  goals: z.array(z.object({ text: z.string(), evidence, source: z.enum(['given', 'said']).default('said') })),
  risk_cues: z.array(riskCueSchema),
  /** Share of spoken time by speaker id, 0 to 1; null where there are no times. */
  talk_ratio: z.record(z.string(), z.number().min(0).max(1)).nullable(),
  insights: z.array(z.object({ text: z.string(), evidence })),
  recommendations: z.array(z.object({ text: z.string(), rationale: z.string(), evidence })),
  /** Null where nobody is known to be the therapist. */
  behaviours: behavioursSchema.nullable().default(null),
  /** Words, and words a minute while speaking; the latter null where there are no times. */
  pace: z
    .array(z.object({ speaker_id: z.string(), words: z.int().min(0), words_per_minute: z.number().min(0).nullable() }))
    .default([]),
  /** Pauses of three seconds or longer in which nobody spoke; null where there are no times. */
  silence: z
    .object({
      count: z.int().min(0),
      total_ms: millisecondsSchema,
      longest: z.object({ start_ms: millisecondsSchema, end_ms: millisecondsSchema, after_segment_id: z.string() }).nullable(),
    })
    .nullable()
    .default(null),
  /** Against the client's last session before this one; null where there is none to compare with. */
  changes: z
    .object({ session_id: idSchema, starts_at: timestampSchema, items: z.array(changeSchema) })
    .nullable()
    .default(null),
  homework: z.array(z.object({ text: z.string(), evidence })).default([]),
  next_questions: z.array(nextQuestionSchema).default([]),
  engine: engineSchema,
})

export const analysisSchema = z.object({ ...recordFields, ...analysisBodySchema.shape })

/** What the therapist made of a risk cue. Nothing is preselected. */
export const cueDecisionSchema = z.object({
  cue_id: z.string().min(1).max(64),
  decision: z.enum(['asked', 'follow_up', 'no_concern']),
  reason: lineSchema,
  decided_at: timestampSchema,
})

export type Analysis = z.infer<typeof analysisSchema>
export type AnalysisBody = z.infer<typeof analysisBodySchema>
export type Behaviour = z.infer<typeof behaviourSchema>
export type RiskCue = z.infer<typeof riskCueSchema>
export type CueDecision = z.infer<typeof cueDecisionSchema>
export type NextQuestion = z.infer<typeof nextQuestionSchema>
export type SessionChange = z.infer<typeof changeSchema>
