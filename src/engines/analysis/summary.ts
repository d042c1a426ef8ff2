import type { AnalysisBody } from '#contract/model/analysis.ts'
import { topicKinds } from './topic-names.ts'

type Parts = Pick<AnalysisBody, 'topics' | 'interventions' | 'goals' | 'risk_cues' | 'homework' | 'changes'>

/** Sentences that could be read aloud and would be true: what was found, never what it means. */
export function summaryOf({ topics, interventions, goals, risk_cues, homework, changes }: Parts): string {
  const names = topics.slice(0, 4).map(({ name }) => inSentence(name))
  const raised = goals.filter(({ evidence }) => evidence.length > 0).length
  const lines = [
    names.length === 0 ? 'No matter came up in more than one turn.' : `Most was said about ${listed(names)}.`,
    risk_cues.length === 0
      ? 'No words of risk were found; that is no finding about risk.'
      : `${counted(risk_cues.length, 'passage')} with words of risk ${risk_cues.length === 1 ? 'is' : 'are'} quoted for your review.`,
    interventions.length === 0 ? '' : `Named from what was done: ${listed(interventions.map(({ name }) => lower(name)))}.`,
    raised === 0 ? '' : `${counted(raised, 'goal')} ${raised === 1 ? 'was' : 'were'} spoken of.`,
    homework.length === 0
      ? 'Nothing was found to be agreed for the time until the next session.'
      : `${counted(homework.length, 'thing')} ${homework.length === 1 ? 'was' : 'were'} agreed for the time until the next session.`,
    changes === null ? '' : reviewed(changes.items),
  ]
  return lines.filter((line) => line !== '').join(' ')
}

function reviewed(items: NonNullable<AnalysisBody['changes']>['items']): string {
  const tasks = items.filter(({ kind }) => kind === 'homework')
  if (tasks.length === 0) return ''
  const spoken = tasks.filter(({ now }) => now.length > 0).length
  return `Of ${counted(tasks.length, 'thing')} agreed the time before, ${spoken} ${spoken === 1 ? 'was' : 'were'} spoken of.`
}

function listed(names: readonly string[]): string {
  if (names.length <= 1) return names.join('')
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`

/** A heading inside a sentence; a name keeps its capital. */
function inSentence(name: string): string {
  const isHeading = name.startsWith('The ') || topicKinds.some((kind) => kind.name === name)
  return isHeading ? lower(name) : name
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
