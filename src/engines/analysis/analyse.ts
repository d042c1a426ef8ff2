import { AppError } from '#contract/errors.ts'
import type { AnalysisBody } from '#contract/model/analysis.ts'
import type { Engine } from '#contract/model/transcript.ts'
import { evidenceOf } from '#engines/language/rules/evidence.ts'
import { exchangesOf } from '#engines/language/rules/exchanges.ts'
import { isGroupNote, memberNote } from '#engines/language/rules/group-member.ts'
import type { MemberNote } from '#engines/language/rules/group-member.ts'
import { readRoles } from '#engines/language/rules/roles.ts'
import { readRoom } from '#engines/language/rules/room.ts'
import { spanOf } from '#engines/language/rules/quotes.ts'
import { viewOf } from '#engines/language/rules/session.ts'
import type { SessionView } from '#engines/language/rules/session.ts'
import { behavioursOf } from './behaviours/turns.ts'
import { changesSince } from './changes.ts'
import { riskCuesOf } from './cues.ts'
import { goalsOf } from './goals.ts'
import { homeworkOf } from './homework.ts'
import { interventionsOf } from './interventions.ts'
import { nextQuestionsOf } from './next-questions.ts'
import { rolesByExclusion } from './roles.ts'
import { observationsOf } from './observations.ts'
import type { AnalysisRequest } from './request.ts'
import { summaryOf } from './summary.ts'
import { paceOf, silenceOf, talkRatio } from './timing.ts'
import { topicRecords, topicsOf } from './topics.ts'

const analysisEngine: Engine = { name: 'rules', version: '1', model: null }

/**
 * What a session was made of, found by rules: the same request gives the same bytes. Every item stands on words said;
 * nothing is inferred about how anybody felt, and nobody is measured. Of a group it holds what is this member's alone.
 *
 * @throws AppError `nothing-said`
 */
export function analyse(given: AnalysisRequest): AnalysisBody {
  const request = { ...given, speakers: rolesByExclusion(given.speakers) }
  if (!request.segments.some(({ text }) => text.trim() !== '')) throw new AppError('nothing-said')
  const heard = viewOf(readRoom(request))
  const member = isGroupNote(request) ? memberNote(heard, request) : null
  const view = member?.view ?? heard
  // Who is the therapist is not guessed: what hangs on it is then left out.
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
    summary: member === null || isKnown(member) ? summaryOf(parts) : unknownMember,
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
  'Which voice is this client’s is not known, so nothing that a member of the group said was looked at. Name the voices, then ask again.'

const isKnown = ({ checks }: MemberNote): boolean => checks.length === 0

/** Of all that was spoken; other members of a group have no line in it. */
function talkingOf({ speakers, segments }: AnalysisRequest, { room }: SessionView): Pick<AnalysisBody, 'talk_ratio' | 'pace'> {
  const shown = new Set(room.people.map(({ id }) => id))
  const ratio = talkRatio(speakers, segments)
  return {
    talk_ratio: ratio && Object.fromEntries(Object.entries(ratio).filter(([id]) => shown.has(id))),
    pace: paceOf(speakers, segments).filter(({ speaker_id }) => shown.has(speaker_id)),
  }
}

function whereRolesAreKnown(request: AnalysisRequest, view: SessionView) {
  return {
    interventions: interventionsOf(view),
    goals: goalsOf(view, exchangesOf(view), request.goals),
    homework: homeworkOf(view, request.session),
    behaviours: behavioursOf(view.room),
  }
}

function unknownRoles(
  request: AnalysisRequest,
): ReturnType<typeof whereRolesAreKnown> | { interventions: []; goals: AnalysisBody['goals']; homework: []; behaviours: null } {
  const goals = request.goals.map((text) => ({ text, evidence: [], source: 'given' as const }))
  return { interventions: [], goals, homework: [], behaviours: null }
}

function withoutTherapist(view: SessionView): AnalysisBody['insights'][number] {
  const [first] = view.room.sentences
  return {
    text: 'It is not certain which voice is the therapist, so interventions, behaviours, goals and homework are left out.',
    evidence: first ? evidenceOf([spanOf(first)]) : [],
  }
}
