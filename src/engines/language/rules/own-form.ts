import type { ContentKind, OwnTemplate, TemplateSection } from '#contract/model/template.ts'
import type { Form } from './forms.ts'
import {
  isDone,
  isGoal,
  isNoted,
  isPlan,
  isSaid,
  leftToClinician,
  notAssessed,
  notStated,
  risks,
  section,
  substances,
  topics,
} from './sections.ts'
import type { Fact } from './types.ts'

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

/** A person's own form. What is asked for by name is taken before the section that takes whatever else was said. */
export function ownForm({ sections }: OwnTemplate): Form {
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

/** The first section that holds the first of these kinds that any does; else the first that holds anything. */
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
