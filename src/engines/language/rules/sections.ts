import type { BuiltInTemplate } from '#contract/model/template.ts'
import type { Fact } from './types.ts'

export interface SectionPlan {
  readonly key: string
  readonly title: string
  readonly empty: string
  takes(fact: Fact): boolean
}

export const notStated = 'Not stated in session.'
export const notAssessed = 'Not assessed.'
export const leftToClinician = 'Left to the clinician.'

export const isSaid = (fact: Fact): boolean =>
  /^(?:client|finding|medication|collateral|goal)$/.test(fact.kind) || (fact.kind === 'score' && fact.topic === 'ratings')
export const isScore = (fact: Fact): boolean => (fact.kind === 'score' && fact.topic === 'scores') || fact.kind === 'observation'
export const isGoal = (fact: Fact): boolean =>
  fact.kind === 'goal' || (fact.kind === 'client' && (fact.topic === 'goals' || /\bgoals?\b/i.test(fact.text)))
const isNext = (fact: Fact): boolean => fact.kind === 'next'
export const isPlan = (fact: Fact): boolean => fact.kind === 'plan' || fact.kind === 'next'
export const isDone = (fact: Fact): boolean => fact.kind === 'intervention'
export const isNoted = (fact: Fact): boolean => fact.kind === 'reflection'
export const isResponse = (fact: Fact): boolean => fact.kind === 'response' || fact.kind === 'reflection'
export const topics =
  (...names: readonly string[]) =>
  (fact: Fact): boolean =>
    !isPlan(fact) && !isDone(fact) && !isNoted(fact) && names.includes(fact.topic)

export function section(key: string, title: string, empty: string, takes: (fact: Fact) => boolean): SectionPlan {
  return { key, title, empty, takes }
}

const plan = section('plan', 'Plan', notStated, isPlan)
export const substances = ['alcohol', 'cannabis', 'tobacco', 'other drugs', 'gambling']
export const risks = [
  'suicidal thoughts',
  'self-harm',
  'harm to others',
  'violence and safety',
  'psychosis',
  'safety of children',
  'plan or intent',
  'withdrawal and driving',
]

/** Sections in matching order: the first one that accepts a fact gets it. */
export const templates: Readonly<Record<Exclude<BuiltInTemplate, 'couples'>, readonly SectionPlan[]>> = {
  soap: [
    section('subjective', 'Subjective', notStated, isSaid),
    section('objective', 'Objective', notAssessed, (fact) => isScore(fact) || isDone(fact)),
    section('assessment', 'Assessment', notStated, isNoted),
    section('plan', 'Plan', notStated, isPlan),
  ],
  dap: [
    section('data', 'Data', notStated, (fact) => isSaid(fact) || isScore(fact) || isDone(fact)),
    section('assessment', 'Assessment', notStated, isNoted),
    plan,
  ],
  birp: [
    section('behavior', 'Behavior', notStated, (fact) => isSaid(fact) || isScore(fact)),
    section('intervention', 'Intervention', notStated, isDone),
    section('response', 'Response', notStated, isResponse),
    plan,
  ],
  girp: [
    section('goal', 'Goal', notStated, (fact) => isSaid(fact) || isScore(fact)),
    section('intervention', 'Intervention', notStated, isDone),
    section('response', 'Response', notStated, isResponse),
    plan,
  ],
  pirp: [
    section('problem', 'Problem', notStated, (fact) => isSaid(fact) || isScore(fact)),
    section('intervention', 'Intervention', notStated, isDone),
    section('response', 'Response', notStated, isResponse),
    plan,
  ],
  pie: [
    section('problem', 'Problem', notStated, (fact) => isSaid(fact) || isScore(fact)),
    section('intervention', 'Intervention', notStated, isDone),
    section('evaluation', 'Evaluation', notStated, (fact) => isResponse(fact) || isPlan(fact)),
  ],
  treatment_plan: [
    section('diagnosis', 'Diagnosis', leftToClinician, () => false),
    section('goals', 'Goals, as said', notStated, isGoal),
    section('objectives', 'Measurable objectives with dates', leftToClinician, () => false),
    section('interventions', 'Interventions', notStated, isDone),
    section('schedule', 'Type, amount, frequency and duration', notStated, isNext),
    section('participation', 'Client’s participation', notStated, (fact) => fact.kind === 'response'),
    section('discharge_criteria', 'Criteria for discharge', leftToClinician, () => false),
    section('review_date', 'Review date', leftToClinician, () => false),
    section('plan', 'Agreed steps', notStated, isPlan),
    section('problems', 'Problems, as said', notStated, (fact) => isSaid(fact) || isScore(fact) || isNoted(fact)),
  ],
  discharge: [
    section('condition', 'Condition and risk', notAssessed, (fact) => topics(...risks)(fact) || isScore(fact)),
    section('goal_status', 'Goals, as said', notStated, isGoal),
    section('referrals', 'Referrals', notStated, (fact) => isPlan(fact) && /\brefer/i.test(fact.text)),
    section('aftercare', 'Aftercare', notStated, isPlan),
    section('reason', 'Reason for discharge', leftToClinician, () => false),
    section('course', 'Course', notStated, (fact) => isSaid(fact) || isDone(fact) || isNoted(fact)),
  ],
  group: [
    section('group', 'Group', notStated, isDone),
    section('member_response', 'Response', notStated, isResponse),
    section('member', 'This member', notStated, (fact) => isSaid(fact) || isScore(fact)),
    plan,
  ],
  intake: [
    section('risk', 'Risk', notAssessed, topics(...risks)),
    section('medication', 'Medication', notAssessed, topics('medication')),
    section('substance', 'Substance use', notAssessed, topics(...substances)),
    section('screening_scores', 'Screening scores', notStated, (fact) => fact.kind === 'score'),
    section('strengths', 'Strengths', notStated, topics('strengths')),
    section(
      'history',
      'History (psychiatric, medical, family, developmental)',
      notStated,
      (fact) => topics('history', 'trauma')(fact) || fact.kind === 'observation',
    ),
    section('social_history', 'Social, education and work', notStated, topics('relationships', 'function')),
    section('presenting_problem', 'Presenting problem', notStated, isSaid),
    section(
      'mental_state',
      'Mental state',
      'Not assessed: appearance, behaviour, speech, affect, thought process, orientation, insight, judgement.',
      () => false,
    ),
    section('diagnosis', 'Diagnosis', leftToClinician, () => false),
    section('formulation', 'Formulation', notStated, isNoted),
    section('recommendations', 'Recommendations', notStated, isPlan),
  ],
}
