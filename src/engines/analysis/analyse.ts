import { AppError } from '#contract/errors.ts'
import type { AnalysisBody } from '#contract/model/analysis.ts'
import type { Engine, Segment, Speaker } from '#contract/model/transcript.ts'
import { exchangesOf } from '#engines/language/rules/answers.ts'
import { isGroupNote, memberNote } from '#engines/language/rules/group-member.ts'
import { readRoles } from '#engines/language/rules/people.ts'
import { readRoom } from '#engines/language/rules/room.ts'
import { spanOf, evidenceOf } from '#engines/language/rules/quotes.ts'
import { viewOf, type SessionView } from '#engines/language/rules/session.ts'
import { factsOfInterventions } from '#engines/language/rules/interventions.ts'
import { factsOfReflections } from '#engines/language/rules/reflections.ts'
import { faultOf } from '#engines/language/rules/facts.ts'
import { wordsOf } from '#engines/language/text/words.ts'
import { behavioursOf } from './behaviours/act.ts'
import { changesSince, homeworkOf, goalsOf } from './changes.ts'
import { riskCuesOf } from './cues.ts'
import { nextQuestionsOf } from './next-questions.ts'
import { rolesByExclusion, type AnalysisRequest } from './request.ts'
import { isOfSafety, topicRecords, topicsOf, topicKinds } from './topics.ts'

const analysisEngine: Engine = { name: 'rules', version: '1', model: null }

export function analyse(given: AnalysisRequest): AnalysisBody {
  const request = { ...given, speakers: rolesByExclusion(given.speakers) }
  if (!request.segments.some(({ text }) => text.trim() !== '')) throw new AppError('nothing-said')
  const heard = viewOf(readRoom(request))
  const member = isGroupNote(request) ? memberNote(heard, request) : null
  const view = member?.view ?? heard
  const areRolesKnown = readRoles(heard.room).kind === 'fine' && heard.room.therapist !== null
  const topics = topicsOf(view, request.focus)
  const found = areRolesKnown ? whereRolesAreKnown(request, view) : unknownRoles(request)
  const exchanges = areRolesKnown ? exchangesOf(view) : []
  const risk_cues = riskCuesOf(view, exchanges)
  const changes = request.previous === null || !areRolesKnown ? null : changesSince(request, request.previous, view, topics)
  const next_questions = nextQuestionsOf({ view, exchanges, cues: risk_cues, homework: found.homework, changes })
  const parts = {
    topics: topicRecords(view, topics),
    interventions: found.interventions,
    goals: found.goals,
    risk_cues,
    homework: found.homework.map(({ text, evidence }) => ({ text, evidence: [...evidence] })),
    changes,
  }
  return {
    session_id: request.session?.id ?? null,
    client_id: request.client?.id ?? null,
    summary: member === null || member.checks.length === 0 ? summaryOf(parts) : unknownMember,
    ...parts,
    ...talkingOf(request, view),
    silence: silenceOf(request.segments),
    behaviours: found.behaviours,
    insights: areRolesKnown ? observationsOf(view, parts.topics) : [withoutTherapist(view)],
    recommendations: next_questions
      .filter(({ evidence_of }) => evidence_of === 'this_session')
      .map(({ text, rationale, evidence }) => ({ text, rationale, evidence })),
    next_questions,
    engine: analysisEngine,
  }
}

const unknownMember =
  'Afterword doesn’t know which speaker is this client, so it analyzed nothing that group members said. Assign the speakers, then analyze the session again.'

function talkingOf({ speakers, segments }: AnalysisRequest, { room }: SessionView): Pick<AnalysisBody, 'talk_ratio' | 'pace'> {
  const shown = new Set(room.people.map(({ id }) => id))
  const ratio = talkRatio(speakers, segments)
  return {
    talk_ratio: ratio && Object.fromEntries(Object.entries(ratio).filter(([id]) => shown.has(id))),
    pace: paceOf(speakers, segments).filter(({ speaker_id }) => shown.has(speaker_id)),
  }
}

const whereRolesAreKnown = (request: AnalysisRequest, view: SessionView) => ({
  interventions: interventionsOf(view),
  goals: goalsOf(view, exchangesOf(view), request.goals),
  homework: homeworkOf(view, request.session),
  behaviours: behavioursOf(view.room),
})

function unknownRoles(
  request: AnalysisRequest,
): ReturnType<typeof whereRolesAreKnown> | { interventions: []; goals: AnalysisBody['goals']; homework: []; behaviours: null } {
  const goals = request.goals.map((text) => ({ text, evidence: [], source: 'given' as const }))
  return { interventions: [], goals, homework: [], behaviours: null }
}

function withoutTherapist(view: SessionView): AnalysisBody['insights'][number] {
  const [first] = view.room.sentences
  return {
    text: 'Afterword isn’t sure which speaker is the therapist, so interventions, behaviors, goals, and homework are left out.',
    evidence: first ? evidenceOf([spanOf(first)]) : [],
  }
}

const interventionsOf = (view: SessionView): AnalysisBody['interventions'] =>
  factsOfInterventions(view, factsOfReflections(view).length).map(({ topic, spans }) => ({
    name: topic,
    evidence: evidenceOf(spans),
  }))

const MAX_REFLECTIONS = 3

function observationsOf(view: SessionView, topics: AnalysisBody['topics']): AnalysisBody['insights'] {
  const [first] = topics
  const returned =
    first !== undefined && first.stretches.length >= 2 && first.evidence.length > 0
      ? [
          {
            text: `“${first.name}” came up at ${first.stretches.length} different moments.`,
            evidence: first.evidence.slice(0, 2),
          },
        ]
      : []
  const summedUp = factsOfReflections(view)
    .filter((fact) => faultOf(fact, view.names) === null)
    .toSorted((left, right) => right.score - left.score || left.at - right.at)
    .slice(0, MAX_REFLECTIONS)
    .toSorted((left, right) => left.at - right.at)
    .map(({ text, spans }) => ({ text, evidence: evidenceOf(spans) }))
  return [...returned, ...summedUp]
}

type Parts = Pick<AnalysisBody, 'topics' | 'interventions' | 'goals' | 'risk_cues' | 'homework' | 'changes'>

function summaryOf({ topics, interventions, goals, risk_cues, homework, changes }: Parts): string {
  const safety = topics.filter(isOfSafety).map(({ name }) => lower(name))
  const names = topics
    .filter((topic) => !isOfSafety(topic))
    .slice(0, 4)
    .map(({ name }) => inSentence(name))
  const raised = goals.filter(({ evidence }) => evidence.length > 0).length
  const lines = [
    safety.length === 0 ? '' : `These safety topics came up: ${listed(safety)}.`,
    topics.length === 0 ? 'No topic came up in more than one turn.' : '',
    names.length === 0 ? '' : `${safety.length === 0 ? 'Main' : 'Other'} topics: ${listed(names)}.`,
    risk_cues.length === 0
      ? `No words about risk ${safety.length === 0 ? '' : 'from the client '}were found. That doesn’t mean there is no risk.`
      : `${counted(risk_cues.length, 'passage')} with words about risk ${risk_cues.length === 1 ? 'is' : 'are'} quoted for your review.`,
    interventions.length === 0 ? '' : `Interventions: ${listed(interventions.map(({ name }) => lower(name)))}.`,
    raised === 0 ? '' : `${counted(raised, 'goal')} came up.`,
    homework.length === 0
      ? 'No homework was found.'
      : `${counted(homework.length, 'homework task')} ${homework.length === 1 ? 'was' : 'were'} agreed on.`,
    changes === null ? '' : reviewed(changes.items),
  ]
  return lines.filter((line) => line !== '').join(' ')
}

function reviewed(items: NonNullable<AnalysisBody['changes']>['items']): string {
  const tasks = items.filter(({ kind }) => kind === 'homework')
  if (tasks.length === 0) return ''
  const spoken = tasks.filter(({ now }) => now.length > 0).length
  return `Of ${counted(tasks.length, 'homework task')} from the previous session, ${spoken} came up.`
}

function listed(names: readonly string[]): string {
  if (names.length <= 1) return names.join('')
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`

function inSentence(name: string): string {
  const isHeading = name.startsWith('The ') || topicKinds.some((kind) => kind.name === name)
  return isHeading ? lower(name) : name
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const SILENCE_MS = 3_000
const MIN_MS = 10_000

interface Timed {
  readonly segment: Segment
  readonly start: number
  readonly end: number
}

function talkRatio(speakers: readonly Speaker[], segments: readonly Segment[]): AnalysisBody['talk_ratio'] {
  const timed = timedOf(segments)
  if (timed === null) return null
  const total = timed.reduce((sum, { start, end }) => sum + end - start, 0)
  if (total === 0) return null
  return Object.fromEntries(speakers.map(({ id }) => [id, spokenBy(timed, id) / total]))
}

function paceOf(speakers: readonly Speaker[], segments: readonly Segment[]): AnalysisBody['pace'] {
  const timed = timedOf(segments)
  return speakers.map(({ id }) => {
    const words = segments.filter(({ speaker_id }) => speaker_id === id).reduce((sum, { text }) => sum + wordsOf(text).length, 0)
    const spoken = timed === null ? 0 : spokenBy(timed, id)
    return { speaker_id: id, words, words_per_minute: spoken < MIN_MS ? null : Math.round(words / (spoken / 60_000)) }
  })
}

function silenceOf(segments: readonly Segment[]): AnalysisBody['silence'] {
  const timed = timedOf(segments)
  if (timed === null) return null
  const pauses: { start_ms: number; end_ms: number; after_segment_id: string }[] = []
  let last: Timed | null = null
  for (const each of timed.toSorted((left, right) => left.start - right.start)) {
    if (last !== null && each.start - last.end >= SILENCE_MS)
      pauses.push({ start_ms: last.end, end_ms: each.start, after_segment_id: last.segment.id })
    if (last === null || each.end > last.end) last = each
  }
  const length = (pause: { start_ms: number; end_ms: number }): number => pause.end_ms - pause.start_ms
  const [longest = null] = pauses.toSorted((left, right) => length(right) - length(left))
  return { count: pauses.length, total_ms: pauses.reduce((sum, pause) => sum + length(pause), 0), longest }
}

function timedOf(segments: readonly Segment[]): Timed[] | null {
  const timed: Timed[] = []
  for (const segment of segments) {
    const { start_ms, end_ms } = segment
    if (start_ms === null || end_ms === null) {
      if (segment.text.trim() !== '') return null
      continue
    }
    timed.push({ segment, start: start_ms, end: Math.max(start_ms, end_ms) })
  }
  return timed.length === 0 ? null : timed
}

const spokenBy = (timed: readonly Timed[], speaker: string): number =>
  timed.reduce((sum, { segment, start, end }) => sum + (segment.speaker_id === speaker ? end - start : 0), 0)
