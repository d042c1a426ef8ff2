import type { BuiltInTemplate, ContentKind, OwnTemplate, Template, TemplateSection } from '#contract/model/template.ts'
import { AppError } from '#contract/errors.ts'
import { cutText } from '#base/cut-text.ts'
import { substanceKinds, riskTopics } from './lexicon/topics.ts'
import type { SectionForm } from '#domain/note-sections.ts'
import templates from '#domain/note-templates.json' with { type: 'json' }
import type { Fact, Person } from './types.ts'

export type DataField = 'session' | 'concerns' | 'interventions' | 'response'

export interface SectionPlan {
  readonly key: string
  readonly title: string
  readonly empty: string
  takes(fact: Fact): boolean
}

export interface Form {
  /** In matching order: the first section that accepts a fact gets it. */
  readonly plans: readonly SectionPlan[]
  readonly order: readonly string[]
  readonly carrier: string
  readonly marks: string
  readonly joinsMethods: boolean
  readonly wantsResponses: boolean
  /**
   * If true, plan lines get the label "Plan:" unless they start with "Plan" or "Next appointment", because no section of the
   * template is for the plan alone.
   */
  readonly labelsPlan: boolean
  readonly isLong: boolean
  readonly homes: Readonly<Record<DataField, string>>
}

interface BuiltIn extends Pick<Form, 'carrier' | 'homes'>, Partial<Omit<Form, 'plans' | 'carrier' | 'homes'>> {
  readonly sections: readonly BuiltInSection[]
}

type BuiltInSection = SectionForm & { readonly when_empty?: string }

const builtIn: Readonly<Record<BuiltInTemplate, BuiltIn>> = templates

export const leftToClinician = 'Left to the clinician.'

const emptyLines: Readonly<Record<string, string>> = {
  not_stated: 'Not stated in session.',
  not_assessed: 'Not assessed.',
  left_to_clinician: leftToClinician,
}

export const isPlan = ({ kind }: Fact): boolean => kind === 'plan' || kind === 'next'
const ofTopic =
  (...topics: readonly string[]) =>
  (fact: Fact): boolean =>
    !isPlan(fact) && fact.kind !== 'intervention' && fact.kind !== 'reflection' && topics.includes(fact.topic)

type Content = ContentKind | 'screening' | 'observations' | 'next' | 'referrals'

const takes: Readonly<Record<Content, (fact: Fact) => boolean>> = {
  risk: ofTopic(...riskTopics),
  medication: ofTopic('medication'),
  substances: ofTopic(...substanceKinds.map(({ topic }) => topic)),
  history: ofTopic('history', 'trauma'),
  social: ofTopic('relationships', 'function'),
  strengths: ofTopic('strengths'),
  goals: ({ kind, topic, text }) => kind === 'goal' || (kind === 'client' && (topic === 'goals' || /\bgoals?\b/i.test(text))),
  scores: ({ kind }) => kind === 'score',
  screening: ({ kind, topic }) => kind === 'score' && topic === 'scores',
  observations: ({ kind }) => kind === 'observation',
  interventions: ({ kind }) => kind === 'intervention',
  reflections: ({ kind }) => kind === 'reflection',
  response: ({ kind }) => kind === 'response',
  plan: isPlan,
  next: ({ kind }) => kind === 'next',
  referrals: (fact) => isPlan(fact) && /\brefer/i.test(fact.text),
  said: ({ kind, topic }) =>
    /^(?:client|finding|medication|collateral|goal)$/.test(kind) || (kind === 'score' && topic === 'ratings'),
}

const planOf = ({ key, title, holds, when_empty = 'not_stated' }: BuiltInSection): SectionPlan => ({
  key,
  title,
  empty: emptyLines[when_empty] ?? when_empty,
  takes: (fact) => holds.some((content) => takes[content as Content](fact)),
})

export function formOf(template: Template, own: OwnTemplate | null, people: readonly Person[]): Form {
  if (own !== null) return ownForm(own)
  if (!Object.hasOwn(builtIn, template)) throw new AppError('not-found', 'This form of note is no longer there.')
  const { sections, ...rest } = builtIn[template as BuiltInTemplate]
  const plans = [...(template === 'couples' ? partnersOf(people) : []), ...sections.map(planOf)]
  const order = plans.map(({ key }) => key)
  return {
    order,
    marks: order[0] ?? '',
    joinsMethods: false,
    wantsResponses: false,
    labelsPlan: false,
    isLong: false,
    ...rest,
    plans,
  }
}

function partnersOf(people: readonly Person[]): SectionPlan[] {
  const partners = people.filter(({ role }) => role === 'client' || role === 'other').slice(0, 6)
  return partners.map((person, index) => {
    const title = cutText(`${person.name.charAt(0).toUpperCase()}${person.name.slice(1)}`, 200)
    const part = planOf({ key: `partner_${index + 1}`, title, holds: ['said', 'screening', 'observations'] })
    return { ...part, takes: (fact) => fact.person === person && part.takes(fact) }
  })
}

function ownForm({ sections }: OwnTemplate): Form {
  const plans = sections
    .toSorted((left, right) => Number(left.holds.includes('said')) - Number(right.holds.includes('said')))
    .map(planOf)
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
  return (...kinds) =>
    kinds.map((kind) => sections.find(({ holds }) => holds.includes(kind))).find((found) => found !== undefined)?.key ??
    filled?.key ??
    ''
}
