import type { OwnTemplate, Template, ContentKind, TemplateSection } from '#contract/model/template.ts'
import { AppError } from '#contract/errors.ts'
import {
  isDone,
  isPlan,
  isResponse,
  isSaid,
  isScore,
  notStated,
  section,
  templates,
  isGoal,
  isNoted,
  leftToClinician,
  notAssessed,
  risks,
  substances,
  topics,
} from './sections.ts'
import type { SectionPlan } from './sections.ts'
import type { Person, Fact } from './types.ts'
import { cutText } from '#base/cut-text.ts'

export type DataField = 'session' | 'concerns' | 'interventions' | 'response'

export interface Form {
  /** Matching order: the first section that accepts a fact gets it. */
  readonly plans: readonly SectionPlan[]
  readonly order: readonly string[]
  readonly carrier: string
  readonly marks: string
  readonly joinsMethods: boolean
  readonly wantsResponses: boolean
  /** Starts plan lines with "Plan:", because no section of the template is for the plan alone. */
  readonly labelsPlan: boolean
  readonly isLong: boolean
  readonly homes: Readonly<Record<DataField, string>>
}

type Placed = Pick<Form, 'carrier' | 'homes'> &
  Partial<Pick<Form, 'order' | 'marks' | 'joinsMethods' | 'wantsResponses' | 'labelsPlan' | 'isLong'>>

const at = (session: string, concerns: string, interventions: string, response: string): Form['homes'] => ({
  session,
  concerns,
  interventions,
  response,
})

const places: Readonly<Record<keyof typeof templates, Placed>> = {
  soap: { carrier: 'objective', joinsMethods: true, homes: at('objective', 'subjective', 'plan', 'assessment') },
  dap: { carrier: 'data', joinsMethods: true, homes: at('data', 'data', 'data', 'assessment') },
  birp: { carrier: 'behavior', wantsResponses: true, homes: at('behavior', 'behavior', 'intervention', 'response') },
  girp: { carrier: 'goal', wantsResponses: true, homes: at('goal', 'goal', 'intervention', 'response') },
  pirp: { carrier: 'problem', wantsResponses: true, homes: at('problem', 'problem', 'intervention', 'response') },
  pie: {
    carrier: 'problem',
    wantsResponses: true,
    labelsPlan: true,
    homes: at('problem', 'problem', 'intervention', 'evaluation'),
  },
  group: {
    carrier: 'member',
    marks: 'group',
    wantsResponses: true,
    order: ['group', 'member', 'member_response', 'plan'],
    homes: at('group', 'member', 'group', 'member_response'),
  },
  treatment_plan: {
    carrier: 'problems',
    marks: 'problems',
    wantsResponses: true,
    order: [
      'diagnosis',
      'problems',
      'goals',
      'objectives',
      'interventions',
      'schedule',
      'plan',
      'participation',
      'discharge_criteria',
      'review_date',
    ],
    homes: at('schedule', 'problems', 'interventions', 'participation'),
  },
  discharge: {
    carrier: 'condition',
    marks: 'course',
    joinsMethods: true,
    order: ['reason', 'course', 'goal_status', 'condition', 'aftercare', 'referrals'],
    homes: at('course', 'course', 'course', 'goal_status'),
  },
  intake: {
    carrier: 'risk',
    marks: 'presenting_problem',
    isLong: true,
    order: [
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
    ],
    homes: at('presenting_problem', 'presenting_problem', 'recommendations', 'formulation'),
  },
}

/** `people` are the speakers; a couples note has one part for each. */
export function formOf(template: Template, own: OwnTemplate | null, people: readonly Person[]): Form {
  if (own !== null) return ownForm(own)
  if (template === 'couples') return couplesForm(people)
  const named = Object.hasOwn(places, template) ? (template as keyof typeof templates) : null
  if (named === null) throw new AppError('not-found', 'This form of note is no longer there.')
  const plans = templates[named]
  const keys = plans.map(({ key }) => key)
  const {
    order = keys,
    marks = keys[0] ?? '',
    joinsMethods = false,
    wantsResponses = false,
    labelsPlan = false,
    isLong = false,
    ...rest
  } = places[named]
  return { plans, order, marks, joinsMethods, wantsResponses, labelsPlan, isLong, ...rest }
}

/** Each partner's words go under their name; shared content goes under "Together". */
function couplesForm(people: readonly Person[]): Form {
  const partners = people.filter(({ role }) => role === 'client' || role === 'other').slice(0, 6)
  const parts = partners.map((person, index) =>
    section(
      `partner_${index + 1}`,
      headingOf(person),
      notStated,
      (fact) => fact.person === person && (isSaid(fact) || isScore(fact)),
    ),
  )
  const together = section('together', 'Together', notStated, (fact) => isSaid(fact) || isScore(fact))
  const plans = [
    ...parts,
    together,
    section('intervention', 'Intervention', notStated, isDone),
    section('response', 'Response', notStated, isResponse),
    section('plan', 'Plan', notStated, isPlan),
  ]
  return {
    plans,
    order: plans.map(({ key }) => key),
    carrier: 'together',
    marks: 'together',
    joinsMethods: false,
    wantsResponses: true,
    labelsPlan: false,
    isLong: false,
    homes: at('together', 'together', 'intervention', 'response'),
  }
}

function headingOf({ name }: Person): string {
  return cutText(`${name.charAt(0).toUpperCase()}${name.slice(1)}`, 200)
}

const takes: Readonly<Record<ContentKind, (fact: Fact) => boolean>> = {
  risk: topics(...risks),
  medication: topics('medication'),
  substances: topics(...substances),
  history: topics('history', 'trauma'),
  social: topics('relationships', 'function'),
  strengths: topics('strengths'),
  goals: isGoal,
  scores: (fact) => fact.kind === 'score',
  interventions: isDone,
  reflections: isNoted,
  response: (fact) => fact.kind === 'response',
  plan: isPlan,
  said: (fact) => isSaid(fact),
}

const empty = { not_stated: notStated, not_assessed: notAssessed, left_to_clinician: leftToClinician } as const

/** The user's own template. Sections for specific content match before the catch-all section. */
function ownForm({ sections }: OwnTemplate): Form {
  const plans = sections
    .toSorted((left, right) => Number(left.holds.includes('said')) - Number(right.holds.includes('said')))
    .map(({ key, title, holds, when_empty }) =>
      section(key, title, empty[when_empty], (fact) => holds.some((kind) => takes[kind](fact))),
    )
  const home = homeIn(sections)
  return {
    plans,
    order: sections.map(({ key }) => key),
    carrier: home('risk', 'said'),
    marks: home('said', 'interventions'),
    joinsMethods: false,
    wantsResponses: sections.some(({ holds }) => holds.includes('response')),
    labelsPlan: !sections.some(({ holds }) => holds.length === 1 && holds[0] === 'plan'),
    isLong: false,
    homes: {
      session: home('said'),
      concerns: home('said', 'history'),
      interventions: home('interventions', 'plan'),
      response: home('response', 'reflections'),
    },
  }
}

function homeIn(sections: readonly TemplateSection[]): (...kinds: readonly ContentKind[]) => string {
  const filled = sections.find(({ holds }) => holds.length > 0) ?? sections[0]
  return (...kinds) => {
    for (const kind of kinds) {
      const found = sections.find(({ holds }) => holds.includes(kind))
      if (found) return found.key
    }
    return filled?.key ?? ''
  }
}
