import { z } from 'zod'
import { dateSchema, listOf, named } from './common.ts'

/** An interval is a range of days in the time zone of the request. A session belongs to the day on which it begins. */
export const figureDefinitions = {
  sessions_by_status: 'Sessions that begin in the interval, by their present status.',
  hours: 'Booked length of those that were completed, in hours.',
  no_show_rate: 'No-shows among the sessions that were completed or missed; cancelled ones count for neither.',
  notes_due: 'Completed sessions of the interval that have no signed note by now.',
  notes_signed: 'Notes signed in the interval, whenever their session was; returned ones and ones entered in error do not count.',
  notes_signed_by_delay:
    'Of those, the ones of a session, by the days between the day it began on and the day of the signature: same day, next day, two or three days, later.',
  median_hours_to_sign: 'Of those, half took no longer than this from the end of the session to the signature, in hours.',
  recording_minutes:
    'Recorded sound of the interval’s sessions as far as it was transcribed: of each session its longest transcript. Sound that was never transcribed is not known here.',
  transcription_minutes: 'Length of the sound of all transcripts made in the interval, also of one session made twice.',
  clients_active: 'Different clients with a completed session in the interval.',
  clients_new: 'Clients whose first completed session of all lies in the interval.',
  quota_used_today: 'Calls of the practice that count against its quota, since midnight UTC; in the totals alone.',
} as const

export const figureNames = Object.keys(figureDefinitions) as FigureName[]
export type FigureName = keyof typeof figureDefinitions

const sessionCountSchema = z.int().min(0).nullable()
const count = (name: FigureName) => z.int().min(0).nullable().describe(figureDefinitions[name])
const amount = (name: FigureName) => z.number().min(0).nullable().describe(figureDefinitions[name])

export const figuresSchema = named(
  'AnalyticsFigures',
  'Figures of one interval. Null is never zero. `withheld` of the answer names figures the role does not see; `suppressed` names figures of fewer than 11 clients, left out for roles that may not list sessions; any other null is unknown, for example a rate of no sessions.',
  {
    sessions_by_status: z.record(z.string(), sessionCountSchema).nullable().describe(figureDefinitions.sessions_by_status),
    hours: amount('hours'),
    no_show_rate: z.number().min(0).max(1).nullable().describe(figureDefinitions.no_show_rate),
    notes_due: count('notes_due'),
    notes_signed: count('notes_signed'),
    notes_signed_by_delay: z
      .object({
        same_day: sessionCountSchema.describe('Signed on the day of the session.'),
        next_day: sessionCountSchema.describe('Signed on the next day.'),
        two_or_three_days: sessionCountSchema.describe('Signed two or three days after the session.'),
        later: sessionCountSchema.describe('Signed more than three days after the session.'),
      })
      .nullable()
      .optional()
      .describe(figureDefinitions.notes_signed_by_delay),
    median_hours_to_sign: amount('median_hours_to_sign'),
    recording_minutes: amount('recording_minutes'),
    transcription_minutes: amount('transcription_minutes'),
    clients_active: count('clients_active'),
    clients_new: count('clients_new'),
    quota_used_today: count('quota_used_today'),
    suppressed: z
      .array(z.string())
      .optional()
      .describe(
        'Names of figures left out because fewer than 11 clients stand behind them, or because they would reveal such a figure.',
      ),
  },
)

export const analyticsSchema = named('Analytics', 'Figures of the practice, or of the part of it the caller may see.', {
  from: dateSchema.describe('First day of the interval, `YYYY-MM-DD`, included.'),
  to: dateSchema.describe('Last day of the interval, `YYYY-MM-DD`, included.'),
  time_zone: z.string().optional().describe('IANA time zone that decides which day a session belongs to.'),
  totals: figuresSchema.describe('Figures of the whole interval.'),
  series: listOf({
    from: dateSchema.describe('First day of this part.'),
    to: dateSchema.describe('Last day of this part.'),
    figures: figuresSchema.describe('Figures of this part.'),
  }).describe(
    'Figures by day, week or month, in order. Weeks begin on Monday. The first and the last part are cut at `from` and `to`.',
  ),
  definitions: z.record(z.string(), z.string()).optional().describe('What each figure counts, by name.'),
  withheld: z.array(z.string()).optional().describe("Names of figures the caller's role does not see; they are null."),
})

export type Figures = z.infer<typeof figuresSchema>
export type Analytics = z.infer<typeof analyticsSchema>
