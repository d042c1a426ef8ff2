import type { Analysis, RiskCue } from '#contract/model/analysis.ts'
import type { Evidence, Note, NoteCheck, Omission, Statement } from '#contract/model/note.ts'
import type { Segment, Transcript } from '#contract/model/transcript.ts'
import { withoutSessionBefore } from '#domain/consent.ts'
import type { PlainTranscript } from '#domain/plain-transcript.ts'

/** Finds a quote in the line that the service named (`s1`, `s2`, ...), or else in the only segment that has it. */
type Place = (evidence: Pick<Evidence, 'segment_id' | 'quote'>) => Evidence | null

export function placeIn({ segments }: Pick<Transcript, 'segments'>, { lines }: PlainTranscript): Place {
  const byId = new Map(segments.map((segment) => [segment.id, segment]))
  const counted = (id: string): Segment | undefined => {
    const line = /^s(\d{1,6})$/.exec(id)
    return line === null ? undefined : byId.get(lines[Number(line[1]) - 1]?.segment_id ?? '')
  }
  return ({ segment_id, quote }) => {
    const pattern = patternOf(quote)
    if (pattern === null) return null
    const hinted = counted(segment_id)
    const found = hinted === undefined ? undefined : pattern.exec(hinted.text)?.[0]
    if (hinted !== undefined && found !== undefined) return evidenceIn(hinted, found)
    const holding = segments.filter(({ text }) => pattern.test(text))
    const [only] = holding
    return only !== undefined && holding.length === 1 ? evidenceIn(only, pattern.exec(only.text)![0]) : null
  }
}

export const isSaidIn =
  ({ segments }: Pick<Transcript, 'segments'>): ((words: string) => boolean) =>
  (words) => {
    const pattern = patternOf(words)
    return pattern === null || segments.some(({ text }) => pattern.test(text))
  }

function patternOf(quote: string | null): RegExp | null {
  const words = (quote ?? '')
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return null
  const escaped = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${escaped.join(String.raw`\s+`)}(?![\p{L}\p{N}])`, 'u')
}

function evidenceIn({ id, start_ms, end_ms }: Segment, quote: string): Evidence {
  return { segment_id: id, start_ms, end_ms, quote, quote_sha256: null }
}

const unsaid = 'the words in quotation marks are not in the transcript'
const lostSource = 'a source that it names is not in the transcript'

export function placeNote(note: Note, place: Place, isSaid: (words: string) => boolean): Note {
  const sections = note.sections.map((section) => ({
    ...section,
    statements: section.statements.map((statement) => doubtUnsaid(placeStatement(statement, place), isSaid)),
  }))
  const placed = note.omissions.map((omission) => ({ omission, evidence: placeAll(omission.evidence, place) }))
  const omissions = placed.flatMap(({ omission, evidence }) => (evidence.length === 0 ? [] : [{ ...omission, evidence }]))
  const unplaced = placed.flatMap(({ omission, evidence }) => (evidence.length === 0 ? [omission] : []))
  return { ...note, sections, omissions, checks: withUnplaced(note.checks, unplaced) }
}

function placeStatement(statement: Statement, place: Place): Statement {
  const evidence = placeAll(statement.evidence, place)
  if (evidence.length === statement.evidence.length) return { ...statement, evidence }
  const doubt = statement.doubt ?? lostSource
  const support = evidence.length === 0 && statement.support === 'stated' ? 'paraphrase' : statement.support
  return { ...statement, evidence, support, doubt }
}

/**
 * Makes sure the statement has a doubt if text in quotation marks is not in the transcript. Text with ellipses is checked part
 * by part.
 */
function doubtUnsaid(statement: Statement, isSaid: (words: string) => boolean): Statement {
  const quoted = [...statement.text.matchAll(/[“"]([^“”"]+)[”"]/gu)].flatMap(([, words = '']) => words.split(/…|\.{3}/u))
  const isUnsaid = quoted.some((words) => !isSaid(words.replaceAll(/^[\s,;:.!?]+|[\s,;:.!?]+$/gu, '')))
  return isUnsaid ? { ...statement, doubt: statement.doubt ?? unsaid } : statement
}

const placeAll = (evidence: readonly Evidence[], place: Place): Evidence[] =>
  evidence.map(place).filter((placed) => placed !== null)

const MAX_CHECKS = 100
const MAX_RISK_CHECKS = 50

/** An omission without a source becomes a check. Risk comes first; many share a check, so that the limit drops none. */
function withUnplaced(checks: readonly NoteCheck[], unplaced: readonly Omission[]): NoteCheck[] {
  const risk = unplaced.filter(({ kind }) => kind === 'risk')
  const each = Math.max(1, Math.ceil(risk.length / MAX_RISK_CHECKS))
  const grouped = Array.from({ length: Math.ceil(risk.length / each) }, (_, at) => risk.slice(at * each, (at + 1) * each))
  const others = unplaced.filter(({ kind }) => kind !== 'risk').map((omission) => toCheckOf([omission]))
  return [...grouped.map(toCheckOf), ...checks, ...others].slice(0, MAX_CHECKS)
}

function toCheckOf(omissions: readonly Omission[]): NoteCheck {
  const length = Math.floor(3900 / omissions.length)
  const texts = omissions.map(({ text }) => text.slice(0, length - 1)).join(' ')
  const message = `The server found this missing from the note, but it isn’t in the transcript: ${texts}`
  return { code: 'unplaced-omission', severity: 'needs_you', message }
}

export function placeAnalysis(whole: Analysis, transcript: Pick<Transcript, 'segments'>, place: Place): Analysis {
  const analysis = withoutSessionBefore(whole)
  let lost = 0
  const keep = <Item extends { readonly evidence: Evidence[] }>(items: readonly Item[]): Item[] =>
    items.flatMap((item) => {
      const evidence = placeAll(item.evidence, place)
      const isLost = evidence.length === 0 && item.evidence.length > 0
      if (isLost) lost += 1
      return isLost ? [] : [{ ...item, evidence }]
    })
  const placed = {
    topics: keep(analysis.topics).map((topic) => ({ ...topic, stretches: topic.evidence.map(stretchOf) })),
    interventions: keep(analysis.interventions),
    goals: analysis.goals.map((goal) => ({ ...goal, evidence: placeAll(goal.evidence, place) })),
    recommendations: keep(analysis.recommendations),
    homework: keep(analysis.homework),
    next_questions: keep(analysis.next_questions),
    risk_cues: analysis.risk_cues.map((cue) => placeCue(cue, transcript, place)),
    behaviours: analysis.behaviours && { ...analysis.behaviours, turns: keep(analysis.behaviours.turns) },
  }
  const insights = keep(analysis.insights)
  const remark = lost === 0 ? [] : [{ text: remarkOn(lost), evidence: [] }]
  return { ...analysis, ...placed, insights: [...insights, ...remark], talk_ratio: null, pace: [], silence: null }
}

const remarkOn = (lost: number): string =>
  lost === 1
    ? 'One point of this analysis is left out because its words aren’t in the transcript.'
    : `${lost} points of this analysis are left out because their words aren’t in the transcript.`

const stretchOf = ({ segment_id: id, start_ms, end_ms }: Evidence) => ({
  from_segment_id: id,
  to_segment_id: id,
  start_ms,
  end_ms,
})

function placeCue(cue: RiskCue, { segments }: Pick<Transcript, 'segments'>, place: Place): RiskCue {
  const found = place(cue)
  const speaker_id = segments.find(({ id }) => id === found?.segment_id)?.speaker_id ?? null
  const at = found ?? { segment_id: '', start_ms: null, end_ms: null, quote: null }
  const { segment_id, start_ms, end_ms, quote } = at
  const more = { asked: placeAll(cue.asked, place), taken_up: placeAll(cue.taken_up, place) }
  return { ...cue, ...more, segment_id, start_ms, end_ms, quote: quote ?? cue.quote, speaker_id }
}
