import type { NoteSection, Statement } from '#contract/model/note.ts'
import { cutText } from '#base/cut-text.ts'
import { MAX_PARAGRAPH } from '#contract/model/common.ts'
import { actOf } from './lexicon/interventions.ts'
import { notAssessedLine } from './omissions.ts'
import { isPlan, type Form } from './forms.ts'
import { emptyLine, statementOf } from './statements.ts'
import type { Fact, Room, Span } from './types.ts'
import { capitalise } from './clean.ts'
import { they } from './people.ts'
import { adjoins, quoted, contentId, evidenceOf } from './quotes.ts'
import { wordsOf } from '../text/words.ts'

export function place(form: Form, room: Room, chosen: readonly Fact[], extra: readonly Statement[]): NoteSection[] {
  const line = notAssessedLine(room, chosen)
  const open = [...chosen]
  const filled = form.plans.map((plan) => {
    const facts = open.filter((fact) => plan.takes(fact))
    for (const fact of facts) open.splice(open.indexOf(fact), 1)
    return { plan, facts: ordered(facts) }
  })
  const sections = filled.map(({ plan, facts }) => {
    const statements = joined(withPronouns(facts)).map((fact) => statementOfFact(form.labelsPlan ? labelled(fact) : fact))
    if (form.joinsMethods) joinInterventions(facts, statements)
    if (plan.key === form.marks) statements.push(...extra)
    if (plan.key === form.carrier) statements.push(line)
    if (statements.length === 0) statements.push(emptyLine(plan))
    return { key: plan.key, title: plan.title, statements: unique(statements) }
  })
  return sections.toSorted((left, right) => form.order.indexOf(left.key) - form.order.indexOf(right.key))
}

const labelled = (fact: Fact): Fact =>
  isPlan(fact) && !/^(?:plan|next appointment)\b/i.test(fact.text) ? { ...fact, text: `Plan: ${fact.text}` } : fact

function statementOfFact({ text, spans, support, finding, safety }: Fact): Statement {
  const evidence = evidenceOf(spans)
  return statementOf(cutText(text, MAX_PARAGRAPH), { id: contentId('st', text, evidence), evidence, support, finding, safety })
}

function ordered(facts: readonly Fact[]): Fact[] {
  const weight = (fact: Fact): number =>
    fact.kind === 'next' ? 2 : fact.kind === 'intervention' ? (fact.topic === 'Reflection' ? 1.1 : 1) : 0
  return facts.toSorted((left, right) => weight(left) - weight(right) || left.at - right.at || (left.text < right.text ? -1 : 1))
}

/**
 * Turns "Ada ..." into "Ada reports she ..." and, if the next rewritten statement is also about Ada, into "She ..." there.
 * Safety statements do not change.
 */
function withPronouns(facts: readonly Fact[]): Fact[] {
  let reported: string | null = null
  return facts.map((fact) => {
    const { person, text } = fact
    const { subject, possessive } = person?.pronouns ?? they
    const isReworded = fact.kind === 'client' && fact.support === 'paraphrase' && !fact.safety && person?.role === 'client'
    if (!person || !isReworded || subject === 'they' || person.name.includes(' ')) return fact
    const { name } = person
    const isOwner = text.startsWith(`${name}'s `)
    const isSubject = text.startsWith(`${name} `) && !/^\S+ (?:confirmed|agreed|said|denies|rated|and)\b/.test(text)
    if (!isOwner && !isSubject) return fact
    const rest = text.slice(name.length + (isOwner ? 2 : 0))
    const pronoun = isOwner ? possessive : subject
    const isLater = reported === person.id
    reported = person.id
    return { ...fact, text: isLater ? `${capitalise(pronoun)}${rest}` : `${name} reports ${pronoun}${rest}` }
  })
}

function joinInterventions(facts: readonly Fact[], statements: Statement[]): void {
  const done = facts.filter((fact) => fact.kind === 'intervention')
  if (done.length === 0) return
  const texts = new Set(done.map((fact) => statementOfFact(fact).id))
  const kept = statements.filter((statement) => !texts.has(statement.id))
  const acts = [...new Set(done.map((fact) => actOf(fact.topic)))]
  const evidence = evidenceOf(done.flatMap((fact) => fact.spans.slice(0, 1)))
  const text = `Therapist ${acts.length > 1 ? `${acts.slice(0, -1).join(', ')} and ${acts.at(-1)}` : (acts[0] ?? '')}.`
  statements.splice(0, statements.length, ...kept, statementOf(text, { evidence }))
}

function unique(statements: readonly Statement[]): Statement[] {
  const seen = new Map<string, number>()
  return statements.map((statement) => {
    const count = seen.get(statement.id) ?? 0
    seen.set(statement.id, count + 1)
    return count === 0 ? statement : { ...statement, id: `${statement.id}_${count}` }
  })
}

function joined(facts: readonly Fact[]): Fact[] {
  const result: Fact[] = []
  for (const fact of facts) {
    const last = result.at(-1)
    const both = last ? (quotesTogether(last, fact) ?? subjectsTogether(last, fact) ?? clausesTogether(last, fact)) : null
    if (both) result[result.length - 1] = both
    else result.push(fact)
  }
  return varied(result.map(withoutRepeatedName))
}

const othersAct =
  /\b(?:he|she|they|it|we|you|who|which|that|what|when|if|because|while|till|until|since|there|this)\b|'s\b|[;:".]/i

function withoutRepeatedName(fact: Fact): Fact {
  if (fact.support !== 'paraphrase') return fact
  const text = fact.text.replaceAll(
    /(^|; |noted that )(\p{Lu}\p{Ll}+) ([^;:".]*?),? (and|but) \2 (?=\p{Ll})/gu,
    (whole: string, lead: string, name: string, between: string, joint: string) =>
      othersAct.test(between) || /\p{Lu}/u.test(between) ? whole : `${lead}${name} ${between} ${joint} `,
  )
  return text === fact.text ? fact : { ...fact, text }
}

const asked = /^Asked ((?:whether|how|what|when|where|why|which)\b[^"]*), ([^",]+) answered (".*)$/

function varied(facts: readonly Fact[]): Fact[] {
  let follows = false
  return facts.map((fact) => {
    const match = follows ? asked.exec(fact.text) : null
    follows = fact.text.startsWith('Asked ') && match === null
    if (!match) return fact
    const [, question = '', name = '', answer = ''] = match
    return { ...fact, text: `${capitalise(name)}, asked ${question}: ${answer}` }
  })
}

function areNear(first: Fact, second: Fact): boolean {
  const last = first.spans.at(-1)?.sentence.index ?? first.at
  return (
    first.person !== null &&
    first.person === second.person &&
    first.kind === second.kind &&
    second.at - last <= 1 &&
    second.at >= first.at &&
    first.finding === null &&
    second.finding === null
  )
}

const said = /^(\S+(?: \S+)?) said "([^"]+)"\.$/

function quotesTogether(first: Fact, second: Fact): Fact | null {
  const one = said.exec(first.text)
  const other = said.exec(second.text)
  if (!areNear(first, second) || !one || !other || one[1] !== other[1]) return null
  if (wordsOf(first.text).length + wordsOf(second.text).length > 36) return null
  const left = first.spans.at(-1)
  const right = second.spans[0]
  const run: Span | null = left && right && first.spans.length === 1 && adjoins(left, right) ? { ...left, to: right.to } : null
  const text = run ? `${one[1]} said ${quoted(run)}.` : `${one[1]} said "${one[2]}" and "${other[2]}".`
  return together(first, second, text)
}

function subjectsTogether(first: Fact, second: Fact): Fact | null {
  const name = first.person?.name ?? ''
  const one = new RegExp(`^([^:"]{3,20}: )${name} `).exec(first.text)
  if (!areNear(first, second) || !one || first.safety || second.safety) return null
  const lead = `${one[1]}${name} `
  if (!second.text.startsWith(lead) || /^said\b/.test(second.text.slice(lead.length)) || first.text.includes('"')) return null
  return together(first, second, `${first.text.replace(/\.$/, '')}; ${second.text.slice(lead.length)}`)
}

function clausesTogether(first: Fact, second: Fact): Fact | null {
  if (!areNear(first, second) || [first, second].some((fact) => fact.support !== 'paraphrase' || fact.safety)) return null
  const name = first.person?.name ?? ''
  const pronoun = first.person?.pronouns?.subject ?? ''
  const rest = /^(\S+) (.+)$/.exec(second.text)
  const isSame = rest && (rest[1] === name || rest[1]?.toLowerCase() === pronoun)
  const leads = first.text.startsWith(`${name} `) || (pronoun !== '' && first.text.toLowerCase().startsWith(`${pronoun} `))
  if (!isSame || !leads || /[,;:"]| and /.test(first.text) || /[;:"]/.test(second.text)) return null
  if (wordsOf(first.text).length > 12 || wordsOf(second.text).length > 14) return null
  if (/^(?:'s|reports)\b/.test(rest[2] ?? '')) return null
  return together(first, second, `${first.text.replace(/\.$/, '')} and ${rest[2]}`)
}

const together = (first: Fact, second: Fact, text: string): Fact => ({
  ...first,
  text,
  spans: [...first.spans, ...second.spans],
  safety: first.safety || second.safety,
  covers: new Set([...first.covers, ...second.covers]),
})
