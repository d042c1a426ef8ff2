import type { Template } from '#contract/model/note.ts'
import type { Fact } from './types.ts'

export interface SectionPlan {
  readonly key: string
  readonly title: string
  /** What stands here when nothing was said about it. */
  readonly empty: string
  takes(fact: Fact): boolean
}

const notStated = 'Not stated in session.'
const notAssessed = 'Not assessed.'

const isSaid = (fact: Fact): boolean =>
  /^(?:client|finding|medication|collateral|goal)$/.test(fact.kind) || (fact.kind === 'score' && fact.topic === 'ratings')
const isScore = (fact: Fact): boolean => fact.kind === 'score' && fact.topic === 'scores'
const isPlan = (fact: Fact): boolean => fact.kind === 'plan' || fact.kind === 'next'
const isDone = (fact: Fact): boolean => fact.kind === 'intervention'
const isNoted = (fact: Fact): boolean => fact.kind === 'reflection'
const isResponse = (fact: Fact): boolean => fact.kind === 'response' || fact.kind === 'reflection'
const topics =
  (...names: readonly string[]) =>
  (fact: Fact): boolean =>
    !isPlan(fact) && !isDone(fact) && !isNoted(fact) && names.includes(fact.topic)

function section(key: string, title: string, empty: string, takes: (fact: Fact) => boolean): SectionPlan {
  return { key, title, empty, takes }
}

const plan = section('plan', 'Plan', notStated, isPlan)
const substances = ['alcohol', 'cannabis', 'tobacco', 'other drugs', 'gambling']
const risks = [
  'suicidal thoughts',
  'self-harm',
  'harm to others',
  'violence and safety',
  'psychosis',
  'safety of children',
  'plan or intent',
  'withdrawal and driving',
]

/** The order of the sections, and what goes where (NOTE-WRITING section 8). The first that takes a fact has it. */
export const templates: Readonly<Record<Template, readonly SectionPlan[]>> = {
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
  intake: [
    section('risk', 'Risk', notAssessed, topics(...risks)),
    section('medication', 'Medication', notAssessed, topics('medication')),
    section('substance', 'Substance use', notAssessed, topics(...substances)),
    section('screening_scores', 'Screening scores', notStated, (fact) => isScore(fact) || fact.kind === 'score'),
    section('strengths', 'Strengths', notStated, topics('strengths')),
    section('history', 'History (psychiatric, medical, family, developmental)', notStated, topics('history', 'trauma')),
    section('social_history', 'Social, education and work', notStated, topics('relationships', 'function')),
    section('presenting_problem', 'Presenting problem', notStated, isSaid),
    section(
      'mental_state',
      'Mental state',
      'Not assessed: appearance, behaviour, speech, affect, thought process, orientation, insight, judgement.',
      () => false,
    ),
    section('diagnosis', 'Diagnosis', 'Left to the clinician.', () => false),
    section('formulation', 'Formulation', notStated, isNoted),
    section('recommendations', 'Recommendations', notStated, isPlan),
  ],
}

/** Sections are filled in the order above and shown in this one. */
export const intakeOrder = [
  'presenting_problem',
  'history',
  'medication',
  'substance',
  'social_history',
  'strengths',
  'mental_state',
  'risk',
  'screening_scores',
  'diagnosis',
  'formulation',
  'recommendations',
]
