import { rewordSecondPerson } from './gate.ts'
import { momentVerbs, planWords } from './lexicon/planning.ts'
import { isCleanQuote, quoted, spanOf, textOf } from './quotes.ts'
import type { SessionView } from './session.ts'
import { wordsOf } from './tokens.ts'
import type { Person, Sentence } from './types.ts'
import { isBaseVerb } from './verbs.ts'

/** "I'd like you to", "I'll", "let's": only at the start, and only with a verb that is not of the moment. */
export function frameOf(view: SessionView, body: string, person: Person | null, sentence: Sentence): string | null {
  const toClient =
    /^(?:(?:i'd|i would) (?:like|love|want) you(?: both)? to|i want you to|i'm going to ask you to|make sure (?:that )?you|try to|could you|can you|would you (?:be (?:able|willing) to|try to)?|you(?:'ll| will| could| might| can)|(?:maybe|perhaps) you (?:could|can)) (.+)$/i.exec(
      body,
    )
  const byTherapist = /^(?:i'll|i will|i'm going to|i am going to|let me) (.+)$/i.exec(body)
  const wishes = /^(?:i'd|i would) like to ((?:hear|see|call|ring|phone|meet|speak|check in|send|write|invite|refer)\b.+)$/i.exec(
    body,
  )
  const together = /^(?:let's|we'll|we will|we're going to|(?:i'd|i would) like us to|shall we|we can|we could) (.+)$/i.exec(body)
  const rest = (toClient ?? byTherapist ?? together ?? wishes)?.[1]
  if (
    rest === undefined ||
    (momentVerbs.test(rest) && !wishes) ||
    /\bif\b/i.test(rest.replace(/\beven if\b|\bif (?:the thoughts?|it|that) (?:comes?|gets?)\b/gi, '')) ||
    wordsOf(rest).length > 30 ||
    wordsOf(rest).length < 2
  )
    return null
  const first = (wordsOf(rest).find((word) => !/^(?:just|also|maybe|both|then|please|all|first)$/.test(word)) ?? '').toLowerCase()
  if (
    !isBaseVerb(first) &&
    !/^(?:be|have|do|put|cut|set|let|read|send|book|email|e-mail|bring|refer|schedule|journal|log|practise|practice|contact|arrange|attend|limit|record|track|rate|note|hear|check)$/.test(
      first,
    )
  )
    return null
  if (sentence.isQuestion && !planWords.test(rest)) return null
  const asks = sentence.isQuestion && !/^(?:could|can|would|shall)/i.test(body)
  if (asks) return null
  if (person === null && view.room.clients.length > 1 && (toClient || byTherapist))
    return isCleanQuote(textOf(spanOf(sentence))) && planWords.test(rest)
      ? `Therapist to both: ${quoted(spanOf(sentence))}`
      : null
  const who = person?.name ?? 'the client'
  if (byTherapist)
    return (
      rewordedRest(view, `Therapist will ${rest}`, person, rest) ??
      (isCleanQuote(textOf(spanOf(sentence))) && planWords.test(rest) ? `Therapist: ${quoted(spanOf(sentence))}` : null)
    )
  if (wishes)
    return (
      rewordedRest(view, `Therapist would like to ${rest}`, person, rest) ??
      (isCleanQuote(textOf(spanOf(sentence))) ? `Therapist: ${quoted(spanOf(sentence))}` : null)
    )
  if (together) return rewordedRest(view, `Plan: ${rest}`, person, rest)
  return rewordedRest(view, `${who} ${/^(?:you(?:'ll| will))/i.test(body) ? 'will' : 'to'} ${rest}`, person, rest)
}

function rewordedRest(_view: SessionView, line: string, person: Person | null, rest: string): string | null {
  if (/\b(?:i|me|my|i'd|i'll|i'm)\b/i.test(rest)) return null
  const lead = line.slice(0, line.length - rest.length)
  if (!/\byou/i.test(rest) || !person)
    return /\b(?:us|our|we)\b/i.test(rest) ? `${lead}${rest}`.replace(/\bour\b/gi, 'the') : line
  if (/\b(?:we|us|our)\b/i.test(rest)) return null
  const turned = rewordSecondPerson(rest, person, lead.startsWith(person.name))
  return turned === null ? null : `${lead}${turned}`
}

/** "And tell your doctor about the sleep.": an instruction of the planning, with a verb of doing at its start. */
export function instructionOf(
  view: SessionView,
  body: string,
  person: Person | null,
  sentence: Sentence,
  isInPlan: boolean,
): string | null {
  if (!isInPlan || sentence.isQuestion || wordsOf(body).length < 4 || wordsOf(body).length > 20) return null
  if (
    !/^(?:please )?(?:tell|ask|ring|call|phone|text|email|write|bring|take|keep|put|set|practi[sc]e|try|note|record|fill|book|go|walk|read|send|show|leave|turn|stop|start|stay|sit|use|cut|limit|eat|avoid)\b/i.test(
      body,
    ) ||
    /^(?:take care|take a (?:seat|moment|breath)|tell me|go on|go ahead|keep going|ask me|show me|stop there|stay with)\b/i.test(
      body,
    )
  )
    return null
  const told = body.replace(/^please,? /i, '')
  const rest = told.charAt(0).toLowerCase() + told.slice(1)
  return rewordedRest(view, `${person?.name ?? 'the client'} to ${rest}`, person, rest)
}
