import { capitalise } from './clean.ts'
import { adjoins, quoted } from './quotes.ts'
import { wordsOf } from './tokens.ts'
import type { Fact, Span } from './types.ts'

/** Two short lines about one person, said in one breath, are one: the name and "said" are not repeated. */
export function joined(facts: readonly Fact[]): Fact[] {
  const result: Fact[] = []
  for (const fact of facts) {
    const last = result.at(-1)
    const both = last ? (quotesTogether(last, fact) ?? subjectsTogether(last, fact) ?? clausesTogether(last, fact)) : null
    if (both) result[result.length - 1] = both
    else result.push(fact)
  }
  return varied(result.map(withoutRepeatedName))
}

/** Between the two verbs nobody else acts: then the second needs no name of its own. */
const othersAct =
  /\b(?:he|she|they|it|we|you|who|which|that|what|when|if|because|while|till|until|since|there|this)\b|'s\b|[;:".]/i

/** "Gudrun sees a closed door and Gudrun knocks harder": the name once. */
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

/** Every second of a row of questions puts the person first, so that a page of them can be read. */
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

/** `Ada said "a".` `Ada said "b".` */
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

/** `Sleep: Ada gets five hours.` `Sleep: Ada wakes at four.` */
function subjectsTogether(first: Fact, second: Fact): Fact | null {
  const name = first.person?.name ?? ''
  const one = new RegExp(`^([^:"]{3,20}: )${name} `).exec(first.text)
  if (!areNear(first, second) || !one || first.safety || second.safety) return null
  const lead = `${one[1]}${name} `
  if (!second.text.startsWith(lead) || /^said\b/.test(second.text.slice(lead.length)) || first.text.includes('"')) return null
  return together(first, second, `${first.text.replace(/\.$/, '')}; ${second.text.slice(lead.length)}`)
}

/** `Ada takes two hours to drop off.` `Ada gets about four hours a night.` */
function clausesTogether(first: Fact, second: Fact): Fact | null {
  if (
    !areNear(first, second) ||
    first.support !== 'paraphrase' ||
    second.support !== 'paraphrase' ||
    first.safety ||
    second.safety
  )
    return null
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

function together(first: Fact, second: Fact, text: string): Fact {
  return {
    ...first,
    text,
    spans: [...first.spans, ...second.spans],
    safety: first.safety || second.safety,
    covers: new Set([...first.covers, ...second.covers]),
  }
}
