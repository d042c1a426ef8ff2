import { withoutSessionBefore } from '#domain/analysis-before.ts'
import type { Analysis, RiskCue } from '#contract/model/analysis.ts'
import type { Evidence } from '#contract/model/note.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import type { Place } from '../transcripts/place-quotes.ts'

interface Sourced {
  readonly evidence: Evidence[]
}

/**
 * Maps the evidence of an analysis of a plain-text transcript to the local transcript. Leaves out and counts points
 * that have no match, but keeps all goals and risk cues.
 */
export function placeAnalysis(whole: Analysis, transcript: Pick<Transcript, 'segments'>, place: Place): Analysis {
  const analysis = withoutSessionBefore(whole)
  let lost = 0
  const placeAll = (evidence: readonly Evidence[]): Evidence[] => evidence.map(place).filter((placed) => placed !== null)
  const keep = <Item extends Sourced>(items: readonly Item[]): Item[] =>
    items.flatMap((item) => {
      const evidence = placeAll(item.evidence)
      const isLost = evidence.length === 0 && item.evidence.length > 0
      if (isLost) lost += 1
      return isLost ? [] : [{ ...item, evidence }]
    })
  const placed = {
    topics: keep(analysis.topics).map((topic) => ({ ...topic, stretches: topic.evidence.map(stretchOf) })),
    interventions: keep(analysis.interventions),
    goals: analysis.goals.map((goal) => ({ ...goal, evidence: placeAll(goal.evidence) })),
    recommendations: keep(analysis.recommendations),
    homework: keep(analysis.homework),
    next_questions: keep(analysis.next_questions),
    risk_cues: analysis.risk_cues.map((cue) => placeCue(cue, transcript, { place, placeAll })),
    behaviours: analysis.behaviours && { ...analysis.behaviours, turns: keep(analysis.behaviours.turns) },
  }
  const insights = keep(analysis.insights)
  const remark = lost === 0 ? [] : [{ text: remarkOn(lost), evidence: [] }]
  return { ...analysis, ...placed, insights: [...insights, ...remark], talk_ratio: null, pace: [], silence: null }
}

const remarkOn = (lost: number): string =>
  lost === 1
    ? 'One point of this analysis named words that do not stand in the transcript; it is left out.'
    : `${lost} points of this analysis named words that do not stand in the transcript; they are left out.`

const stretchOf = ({ segment_id, start_ms, end_ms }: Evidence) => ({
  from_segment_id: segment_id,
  to_segment_id: segment_id,
  start_ms,
  end_ms,
})

interface Placing {
  readonly place: Place
  readonly placeAll: (evidence: readonly Evidence[]) => Evidence[]
}

function placeCue(cue: RiskCue, { segments }: Pick<Transcript, 'segments'>, { place, placeAll }: Placing): RiskCue {
  const found = place(cue)
  const speaker_id = segments.find(({ id }) => id === found?.segment_id)?.speaker_id ?? null
  const at = found ?? { segment_id: '', start_ms: null, end_ms: null, quote: null }
  const { segment_id, start_ms, end_ms, quote } = at
  const more = { asked: placeAll(cue.asked), taken_up: placeAll(cue.taken_up) }
  return { ...cue, ...more, segment_id, start_ms, end_ms, quote: quote ?? cue.quote, speaker_id }
}
