import { z } from 'zod'
import {
  idSchema,
  lineSchema,
  listOf,
  millisecondsSchema,
  named,
  orNull,
  paragraphSchema,
  recordFields,
  shortIdSchema,
  timestampSchema,
} from './common.ts'
import { evidenceSchema } from './note.ts'
import { engineSchema } from './transcript.ts'

const evidence = z.array(evidenceSchema)
const share = z.number().min(0).max(1)

const stretchSchema = named('AnalysisStretch', 'A stretch of the session. Times are null for a transcript without times.', {
  from_segment_id: z.string().describe('First transcript segment of the stretch.'),
  to_segment_id: z.string().describe('Last transcript segment of the stretch, included.'),
  start_ms: millisecondsSchema.nullable().describe('Start in milliseconds from the beginning of the audio; null without times.'),
  end_ms: millisecondsSchema.nullable().describe('End in milliseconds from the beginning of the audio; null without times.'),
})

export const behaviourSchema = z
  .enum(['open_question', 'closed_question', 'simple_reflection', 'complex_reflection', 'information', 'other'])
  .meta({ id: 'TherapistBehaviour', description: 'What the therapist does in a turn, in motivational interviewing terms.' })

const behavioursSchema = named(
  'TherapistBehaviours',
  "Counts over the therapist's turns. A turn that reflects and then asks counts once for each.",
  {
    counts: z.record(behaviourSchema, z.int().min(0)).describe('Number of turns by behavior.'),
    reflections_per_question: z
      .number()
      .min(0)
      .nullable()
      .describe('Reflections divided by questions; null if the therapist asked nothing.'),
    complex_share: share.nullable().describe('Complex reflections among all reflections, 0 to 1; null if there were none.'),
    open_share: share.nullable().describe('Open questions among all questions, 0 to 1; null if there were none.'),
    turns: listOf({
      behaviour: behaviourSchema.describe('Behavior counted for this turn.'),
      evidence: evidence.describe('The words that were counted.'),
    }).describe('Every counted turn with its quote.'),
  },
)

const riskCueSchema = named(
  'RiskCue',
  'Words that may point to a risk. The service never rates a risk; a clinician reviews every cue.',
  {
    kind: z.string().describe('What the words may point to, for example `suicide` or `violence`.'),
    quote: z.string().describe('The words, verbatim from the transcript.'),
    segment_id: z.string().describe('Transcript segment that contains the quote.'),
    requires_review: z.literal(true).describe('Always true: a clinician decides what the cue means.'),
    id: z.string().default('').describe('Stable id made from the words and their place, so that a decision stays with the cue.'),
    speaker_id: orNull(z.string()).describe('Speaker of the quote; null if unknown.'),
    about: z
      .enum(['speaker', 'somebody_else', 'unclear'])
      .default('unclear')
      .describe('Whom the words are about, judged by their wording only.'),
    start_ms: orNull(millisecondsSchema).describe("Start of the quote's segment in milliseconds; null without times."),
    end_ms: orNull(millisecondsSchema).describe("End of the quote's segment in milliseconds; null without times."),
    asked: evidence.default([]).describe("The therapist's question that these words answer; empty if none."),
    taken_up: evidence.default([]).describe('Where the therapist asked about these words; empty if nowhere.'),
  },
)

const changeSchema = named('SessionChange', 'Something the earlier session raised, with what this session said about it.', {
  kind: z.enum(['topic', 'goal', 'homework']).describe('What is compared: a topic, a goal of treatment or homework.'),
  text: z.string().describe('One sentence that names the change.'),
  before: evidence.describe("Quotes from the earlier session. Segment ids belong to that session's transcript."),
  now: evidence.describe('Quotes from this session; empty if it was not mentioned.'),
})

export const nextQuestionSchema = named('NextQuestion', 'A question the clinician may want to ask next time.', {
  kind: z.enum(['homework', 'unanswered', 'postponed', 'risk', 'goal']).describe('Why the question is suggested.'),
  text: z.string().describe('The suggested question.'),
  rationale: z.string().describe('Why it is suggested, in one sentence.'),
  evidence: evidence.describe('Quotes the suggestion rests on.'),
  evidence_of: z
    .enum(['this_session', 'session_before'])
    .default('this_session')
    .describe('Session whose transcript the evidence points into.'),
})

export const analysisBodySchema = z.object({
  session_id: idSchema.nullable().describe('Session that was analyzed; null for a transcript without a session.'),
  client_id: idSchema.nullable().describe('Client of the session; null if none was given.'),
  summary: paragraphSchema.describe('Short summary made of what was said.'),
  topics: listOf({
    name: z.string().describe('Name of the topic.'),
    evidence: evidence.describe('Quotes about the topic.'),
    stretches: z.array(stretchSchema).default([]).describe('Where the topic was discussed, in order.'),
  }).describe('Topics of the session with quotes.'),
  interventions: listOf({
    name: z.string().describe('Standard name of the intervention.'),
    evidence: evidence.describe('Quotes that show the intervention.'),
  }).describe('Interventions the therapist used.'),
  goals: listOf({
    text: z.string().describe('The goal, as given by the caller or said by the client.'),
    evidence: evidence.describe('Quotes about the goal; empty if it was not raised.'),
    source: z
      .enum(['given', 'said'])
      .default('said')
      .describe("`given`: from the caller's list. `said`: in the client's own words in this session."),
  }).describe('Goals of treatment. A goal without evidence was not raised.'),
  risk_cues: z.array(riskCueSchema).describe('Words that may point to a risk, for a clinician to review.'),
  talk_ratio: z
    .record(z.string(), z.number().min(0).max(1))
    .nullable()
    .describe('Share of spoken time by speaker id, 0 to 1; null without times.'),
  insights: listOf({
    text: z.string().describe('The observation in one sentence.'),
    evidence: evidence.describe('Quotes the observation rests on.'),
  }).describe('Observations about the session, each with quotes.'),
  recommendations: listOf({
    text: z.string().describe('The suggestion in one sentence.'),
    rationale: z.string().describe('Why it is suggested.'),
    evidence: evidence.describe('Quotes the suggestion rests on.'),
  }).describe('Suggestions for the clinician to decide on.'),
  behaviours: orNull(behavioursSchema).describe(
    'What the therapist did, counted; null if no speaker is known to be the therapist.',
  ),
  pace: listOf({
    speaker_id: z
      .string()
      .describe('Speaker in the stored transcript; of an inline `transcript`, `p1`, `p2`, and so on in order of appearance.'),
    words: z.int().min(0).describe('Words this speaker said.'),
    words_per_minute: z.number().min(0).nullable().describe('Words per minute of own speech; null without times.'),
  })
    .default([])
    .describe('Words per speaker and how fast they were spoken.'),
  silence: orNull(
    z.object({
      count: z.int().min(0).describe('Number of pauses.'),
      total_ms: millisecondsSchema.describe('Length of all pauses together, in milliseconds.'),
      longest: z
        .object({
          start_ms: millisecondsSchema.describe('Start of the pause in milliseconds.'),
          end_ms: millisecondsSchema.describe('End of the pause in milliseconds.'),
          after_segment_id: z.string().describe('Segment before the pause.'),
        })
        .nullable()
        .describe('The longest pause; null if there was none.'),
    }),
  ).describe('Pauses of three seconds or more in which no one spoke; null without times.'),
  changes: orNull(
    z.object({
      session_id: idSchema.describe('The previous session.'),
      starts_at: timestampSchema.describe('When the previous session was.'),
      items: z.array(changeSchema).describe('What changed, topic by topic.'),
    }),
  ).describe("Compared with the client's previous session; null if there is none."),
  homework: listOf({
    text: z.string().describe('The homework in one sentence.'),
    evidence: evidence.describe('Quotes that agree on it.'),
  })
    .default([])
    .describe('Homework agreed on in this session.'),
  next_questions: z.array(nextQuestionSchema).default([]).describe('Questions for the next session.'),
  engine: engineSchema.describe('Engine that wrote the analysis.'),
})

export const analysisSchema = z.object({ ...recordFields, ...analysisBodySchema.shape }).meta({
  id: 'Analysis',
  description:
    'An analysis of one session: documentation and process only. It contains no diagnosis, no score and no inference about emotions.',
})

export const cueDecisionSchema = z.object({
  cue_id: shortIdSchema,
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
