import { escapePattern } from './clean.ts'
import { riskTopic } from './lexicon/risk.ts'
import { contentStems, wordsOf } from './tokens.ts'
import type { Person, Room, Sentence, Turn } from './types.ts'

const toAll =
  /\b(?:everyone|everybody|all of you|(?:each|both) of you|you all|today we(?:'ll| will|'re going to| are going to)|let's|let us|as a group|the (?:whole )?group)\b/i
/** Taken away before it is asked whether somebody alone is spoken to. */
const toAllAsWell = /\b(?:(?:all|each|both) of you|you all|(?:thank|see) you)\b/gi
const toSomebody = /\b(?:you|your|yours|yourself|you're|you've|you'd|you'll)\b/i
const pointsBack =
  /\b(?:that|those|what|he|she|him|her|his|hers|they|them|their)\b|\bthis\b(?! (?:week|evening|morning|afternoon|session|group|time|room|month|exercise|practice))/i
/** Said by everybody of everything. */
const ofTheCalendar = /^(?:week|day|month|year|time|morning|evening|night|today|tonight|tomorrow|next|again|every)/
const ofAThird = /\b(?:he|she|him|her|his|hers|they|them|their)\b/i

/**
 * Which of the leaders' sentences belong to one member: those said between this member's own turns, those said to them
 * by name, and those said to all. A leader's words right before or after another member's turn are about that one; where
 * it is doubtful whose they are they are nobody's.
 */
export function leadersWordsFor(room: Room, member: Person | null, names: readonly string[]): (sentence: Sentence) => boolean {
  const kept = new Set<number>()
  const called = calling(names)
  const ofOthers = new Set<string>()
  const ofMember = new Set<string>()
  let sinceMember = new Set<string>()
  for (const turn of room.turns) {
    if (turn.person.role === 'therapist') {
      const about = { ofOthers, ofMember: new Set([...ofMember, ...stemsOf(turnAfter(room, turn, member))]), sinceMember, called }
      for (const sentence of ownOf(room, turn, member, about)) kept.add(sentence.index)
    } else if (turn.person === member) {
      stemsOf(turn).forEach((stem) => ofMember.add(stem))
      sinceMember = new Set()
    } else
      for (const stem of stemsOf(turn)) {
        ofOthers.add(stem)
        sinceMember.add(stem)
      }
  }
  return ({ index }) => kept.has(index)
}

/** Content words, by who said them before the leader's turn, and how this member is called. */
interface Said {
  readonly called: RegExp | null
  readonly ofOthers: ReadonlySet<string>
  readonly ofMember: ReadonlySet<string>
  /** By others, after the member last spoke. */
  readonly sinceMember: ReadonlySet<string>
}

function ownOf(room: Room, turn: Turn, member: Person | null, said: Said): Sentence[] {
  const before = room.turns.findLast((each) => each.index < turn.index && each.person.role !== 'therapist')
  const after = room.turns.find((each) => each.index > turn.index && each.person.role !== 'therapist')
  const isOthers = (each: Turn | undefined): boolean => each !== undefined && each.person !== member
  const isMembers = (each: Turn | undefined): boolean => each !== undefined && each.person === member
  const isAboutOther = (sentence: Sentence): boolean =>
    ofAThird.test(sentence.clean) && [...sentence.stems].some((stem) => said.ofOthers.has(stem) && !said.ofMember.has(stem))
  const repeats = ({ stems }: Sentence): boolean =>
    [...stems].some((stem) => said.sinceMember.has(stem) && !ofTheCalendar.test(stem))
  if (!isOthers(before) && !isOthers(after) && (isMembers(before) || isMembers(after)))
    return turn.sentences.filter((sentence) => !isAboutOther(sentence))
  const isAnsweredByMember = isMembers(after) && !leadsBetween(room, turn, after)
  const named = isAnsweredByMember ? turn.sentences.findIndex(({ clean }) => said.called?.test(clean)) : -1
  return turn.sentences.filter((sentence, at) => {
    if (repeats(sentence)) return false
    if (named >= 0 && at >= named) return !isAboutOther(sentence)
    // Asked after a risk and answered at once: whoever was meant, the answer is this member's.
    if (isAnsweredByMember && at === turn.sentences.length - 1 && sentence.isQuestion && riskTopic(sentence.raw) !== null)
      return !ofAThird.test(sentence.clean)
    return isToAll(sentence) && !(sentence.isQuestion && isOthers(after))
  })
}

/** Another leader says something before it is answered. */
function leadsBetween(room: Room, turn: Turn, after: Turn | undefined): boolean {
  return room.turns.slice(turn.index + 1, after?.index).some((each) => !each.isBackchannel)
}

function turnAfter(room: Room, turn: Turn, member: Person | null): Turn | null {
  const next = room.turns[turn.index + 1]
  return next?.person === member ? next : null
}

function isToAll({ clean }: Sentence): boolean {
  return toAll.test(clean) && !toSomebody.test(clean.replace(toAllAsWell, ' ')) && !pointsBack.test(clean)
}

/** "Ada, how was the choir?" */
function calling(names: readonly string[]): RegExp | null {
  if (names.length === 0) return null
  return new RegExp(`(?:^|[,.?!] )(?:(?:and|so|now|okay) )?(?:${names.map(escapePattern).join('|')})\\b`, 'i')
}

function stemsOf(turn: Turn | null): Set<string> {
  return turn === null ? new Set() : contentStems(turn.sentences.flatMap(({ clean }) => wordsOf(clean)))
}
