import type { NoteSection, Statement } from '#contract/model/note.ts'
import { joined } from './join.ts'
import { actOf } from './lexicon/interventions.ts'
import { contentId, evidenceOf } from './evidence.ts'
import { notAssessedLine } from './not-assessed.ts'
import type { Form } from './forms.ts'
import { isPlan } from './sections.ts'
import type { SectionPlan } from './sections.ts'
import type { Fact, Room } from './types.ts'
import { cutText } from '#base/cut-text.ts'
import { MAX_PARAGRAPH } from '#contract/model/common.ts'

/** Sections with their statements in the order of the session; none stays empty. */
export function place(form: Form, room: Room, chosen: readonly Fact[], extra: readonly Statement[]): NoteSection[] {
  const line = notAssessedLine(room, chosen)
  const open = [...chosen]
  const filled = form.plans.map((plan) => {
    const facts = open.filter((fact) => plan.takes(fact))
    for (const fact of facts) open.splice(open.indexOf(fact), 1)
    return { plan, facts: ordered(facts) }
  })
  const sections = filled.map(({ plan, facts }) => {
    const statements = joined(withPronouns(facts)).map((fact) => statementOf(form.labelsPlan ? labelled(fact) : fact))
    if (form.joinsMethods) joinInterventions(facts, statements)
    if (plan.key === form.marks) statements.push(...extra)
    if (plan.key === form.carrier) statements.push(bare(line.text, { topic: line.topics, state: 'not_assessed' }))
    if (statements.length === 0) statements.push(emptyLine(plan))
    return { key: plan.key, title: plan.title, statements: unique(statements) }
  })
  return sections.toSorted((left, right) => form.order.indexOf(left.key) - form.order.indexOf(right.key))
}

/** In a section that holds more than the plan, a plan line says that it is one. */
function labelled(fact: Fact): Fact {
  return isPlan(fact) && !/^(?:plan|next appointment)\b/i.test(fact.text) ? { ...fact, text: `Plan: ${fact.text}` } : fact
}

function emptyLine(plan: SectionPlan): Statement {
  const line = bare(plan.empty, plan.empty.startsWith('Not assessed') ? { topic: plan.title, state: 'not_assessed' } : null)
  return { ...line, id: contentId('st', `${plan.key}: ${plan.empty}`, []) }
}

/** A line that says that nothing was said: it has no evidence, because there is none. */
function bare(text: string, finding: Statement['finding']): Statement {
  return {
    id: contentId('st', text, []),
    text,
    evidence: [],
    support: 'paraphrase',
    origin: 'rules',
    finding,
    safety: false,
    confirmed_at: null,
  }
}

function statementOf(fact: Fact): Statement {
  const evidence = evidenceOf(fact.spans)
  return {
    id: contentId('st', fact.text, evidence),
    text: cutText(fact.text, MAX_PARAGRAPH),
    evidence,
    support: fact.support,
    origin: 'rules',
    finding: fact.finding,
    safety: fact.safety,
    confirmed_at: null,
  }
}

function ordered(facts: readonly Fact[]): Fact[] {
  const weight = (fact: Fact): number =>
    fact.kind === 'next' ? 2 : fact.kind === 'intervention' ? (fact.topic === 'Reflection' ? 1.1 : 1) : 0
  return facts.toSorted((left, right) => weight(left) - weight(right) || left.at - right.at || (left.text < right.text ? -1 : 1))
}

/** "Client reports she ...", then "She ...": only where the statement before is about the same person and nobody else. */
function withPronouns(facts: readonly Fact[]): Fact[] {
  let reported: string | null = null
  return facts.map((fact) => {
    const { person } = fact
    const known = person?.pronouns
    const name = person?.name ?? ''
    if (
      !person ||
      !known ||
      known.subject === 'they' ||
      fact.safety ||
      fact.support !== 'paraphrase' ||
      person.role !== 'client' ||
      fact.kind !== 'client'
    )
      return fact
    const own = fact.text.startsWith(`${name}'s `)
      ? `${name}'s`
      : fact.text.startsWith(`${name} `) && !/^\S+ (?:confirmed|agreed|said|denies|rated|and)\b/.test(fact.text)
        ? name
        : null
    if (own === null || name.includes(' ')) return fact
    const rest = fact.text.slice(own.length)
    const pronoun = own === name ? known.subject : known.possessive
    if (reported === person.id) return { ...fact, text: `${pronoun.charAt(0).toUpperCase()}${pronoun.slice(1)}${rest}` }
    reported = person.id
    return { ...fact, text: `${name} reports ${pronoun}${rest}` }
  })
}

/** In SOAP and DAP the methods are one sentence. */
function joinInterventions(facts: readonly Fact[], statements: Statement[]): void {
  const done = facts.filter((fact) => fact.kind === 'intervention')
  if (done.length === 0) return
  const texts = new Set(done.map((fact) => statementOf(fact).id))
  const kept = statements.filter((statement) => !texts.has(statement.id))
  const acts = [...new Set(done.map((fact) => actOf(fact.topic)))]
  const evidence = evidenceOf(done.flatMap((fact) => fact.spans.slice(0, 1)))
  const text = `Therapist ${acts.length > 1 ? `${acts.slice(0, -1).join(', ')} and ${acts.at(-1)}` : (acts[0] ?? '')}.`
  statements.splice(0, statements.length, ...kept, { ...bare(text, null), id: contentId('st', text, evidence), evidence })
}

function unique(statements: readonly Statement[]): Statement[] {
  const seen = new Map<string, number>()
  return statements.map((statement) => {
    const count = seen.get(statement.id) ?? 0
    seen.set(statement.id, count + 1)
    return count === 0 ? statement : { ...statement, id: `${statement.id}_${count}` }
  })
}
