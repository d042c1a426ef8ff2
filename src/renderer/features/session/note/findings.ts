import type { NoteSection, Statement } from '#contract/model/note.ts'
import { ownStatement } from '#domain/own-words.ts'
import { addStatement, findStatement, mapStatement, removeStatement, sectionOf, type NoteEdit } from './note-edit.ts'

type FindingState = NonNullable<Statement['finding']>['state']

/** Topics with one reason: "sleep, appetite (not asked)". */
interface Group {
  readonly topics: readonly string[]
  readonly reason: string
}

/** What the therapist says about a topic the draft calls not assessed. */
export interface FindingAnswer {
  readonly state: FindingState
  /** Their own words; needed where it is stated. */
  readonly words: string
}

const listed = /^not assessed: (.+?)\.?$/i
const single = /^(.+?): not assessed\.?$/i

/** The topics of a line that says what was not assessed; none for any other line. */
export function openTopics(statement: Statement): readonly string[] {
  if (statement.finding?.state !== 'not_assessed' || statement.evidence.length > 0 || statement.origin === 'person') return []
  return groupsOf(statement).flatMap((group) => group.topics)
}

/**
 * The answer becomes a statement of the therapist's own and the topic leaves the line of what was not assessed; the line
 * itself goes with its last topic.
 */
export function answerFinding<Body extends NoteEdit>(
  body: Body,
  statementId: string,
  topic: string,
  answer: FindingAnswer,
  fresh: { readonly id: string; readonly now: string },
): Body {
  const line = findStatement(body, statementId)
  const section = sectionOf(body, statementId)
  if (line === undefined || section === undefined) return body
  const rest = groupsOf(line)
    .map((group) => ({ ...group, topics: group.topics.filter((other) => other !== topic) }))
    .filter((group) => group.topics.length > 0)
  const added = addStatement(body, section.key, before(section, statementId), statementOf(topic, answer, fresh))
  if (rest.length === 0) return removeStatement(added, statementId).body
  return mapStatement(added, statementId, (statement) => ({
    ...statement,
    text: `Not assessed: ${rest.map(written).join('; ')}.`,
    finding: {
      topic: rest
        .flatMap((group) => group.topics)
        .join(', ')
        .slice(0, 200),
      state: 'not_assessed',
    },
  }))
}

function groupsOf(statement: Statement): Group[] {
  const many = listed.exec(statement.text)?.[1]
  if (many !== undefined) return many.split(/;\s*/).map(groupOf)
  const one =
    single.exec(statement.text)?.[1] ?? (/^not assessed\.?$/i.test(statement.text) ? statement.finding?.topic : undefined)
  return one === undefined || one === '' ? [] : [{ topics: [one], reason: '' }]
}

function groupOf(text: string): Group {
  const reason = /\s*(\([^()]*\))$/.exec(text)?.[1] ?? ''
  const topics = text
    .slice(0, text.length - reason.length)
    .trim()
    .split(/,\s*|\s+and\s+/)
  return { topics: topics.filter((topic) => topic !== ''), reason }
}

function written({ topics, reason }: Group): string {
  return `${topics.join(', ')}${reason === '' ? '' : ` ${reason}`}`
}

/** The statement that stands before it, so that what is added comes in its place. */
function before(section: NoteSection, statementId: string): string | null {
  const index = section.statements.findIndex((statement) => statement.id === statementId)
  return section.statements[index - 1]?.id ?? statementId
}

const atRisk = /suicid|self-harm|harm|violen|abuse|risk|safety|medication/i

function statementOf(topic: string, answer: FindingAnswer, fresh: { readonly id: string; readonly now: string }): Statement {
  const name = `${topic.charAt(0).toUpperCase()}${topic.slice(1)}`
  const own = sentence(answer.words)
  const said = { stated: `${name}: ${own}`, denied: `${name}: denied. ${own}`, not_assessed: `${name}: not assessed. ${own}` }
  return {
    ...ownStatement(fresh.id, said[answer.state]),
    finding: { topic, state: answer.state },
    safety: answer.state !== 'not_assessed' && atRisk.test(topic),
    // Saying it is the look at it that a safety statement asks for.
    confirmed_at: fresh.now,
  }
}

function sentence(words: string): string {
  const text = words.trim()
  return text === '' || /[.!?”"]$/.test(text) ? text : `${text}.`
}
