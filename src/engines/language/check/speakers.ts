import { doubt, drop, likely, tokensOf, ofOthers } from './faults.ts'
import type { Claim, Scope, Clause, Fault, Room, Reply } from './types.ts'
import { relationOf, relationWords, therapistWords } from './people.ts'
import { runOf, plain } from '../text/words.ts'

const reporting =
  /^(?:reports?|reported|says?|said|states?|stated|describes?|described|endorses?|endorsed|complains?|complained|explains?|explained|expresse[sd]|mentions?|mentioned|tells|told|adds?|added|discloses?|disclosed|shares?|shared)$/
const agreeing = /\b(?:agree[sd]?|confirm(?:s|ed)?|accept(?:s|ed)?|consent(?:s|ed)?)\b/

export function speakerFaults(room: Room, claim: Claim, scope: Scope, section: string): Fault[] {
  const spoke = new Set(scope.cited.map((at) => room.speakerAt(at)))
  if ([...spoke].some(({ role }) => role === 'unknown')) return []
  const ids = new Set([...spoke].map(({ id }) => id))
  const faults: Fault[] = []
  for (const [order, clause] of claim.clauses.entries()) {
    if (claim.asked.has(clause.index) || /^said in (?:the )?session\b/.test(clause.text)) continue
    const at = clause.tokens.findIndex(({ word }, place) => reporting.test(word) && place < 6)
    const verb = clause.tokens[at]
    const isReflected = claim.deeds.has(clause.index) && order > 0
    if (verb && !isReflected && !/\b(?:was|were|been|be)$/.test(clause.tokens[at - 1]?.word ?? '') && !verb.isNegated) {
      const named = namedBefore(room, clause, at)
      const expected = named ?? (order === 0 && at <= 1 ? room.nonTherapists : null)
      if (expected !== null && !expected.some((id) => ids.has(id)) && !isRetold(room, scope, expected))
        faults.push(drop('somebody else said this'))
    }
    const absent = absentReporter(room, clause, scope)
    if (absent) faults.push(absent)
    const agreed =
      agreementFault(room, clause, claim, scope) ??
      broughtUpBy(room, clause, scope) ??
      toldNobody(room, clause, scope) ??
      refusalFault(clause, scope)
    if (agreed) faults.push(agreed)
  }
  const isOnlyTherapist = [...spoke].every(({ role }) => role === 'therapist') && spoke.size > 0
  if (
    isOnlyTherapist &&
    faults.length === 0 &&
    !isPlan(section) &&
    !claim.clauses.some((clause) => claim.asked.has(clause.index) || claim.deeds.has(clause.index) || aboutTherapist(clause))
  )
    faults.push(...unconfirmed(claim, scope))
  return faults
}

function isRetold(room: Room, scope: Scope, expected: readonly string[]): boolean {
  const clients = new Set(room.clients)
  return (
    expected.every((id) => clients.has(id)) &&
    scope.units.some(({ person, text }) => clients.has(person.id) && /\b(?:he|she|they) (?:said|says|told me)\b/i.test(text))
  )
}

const isPlan = (section: string): boolean =>
  /^(?:plan|recommendations|intervention|interventions|objective|assessment|formulation|response)/.test(section)

const aboutTherapist = (clause: Clause): boolean => clause.tokens.some(({ word }) => therapistWords.has(word))

function absentReporter(room: Room, clause: Clause, scope: Scope): Fault | null {
  const at = clause.tokens.findIndex(({ word }) =>
    /^(?:said|says|thinks?|thought|told|tells|wants|reports?|reported|stated?|states|asked|rang|wrote|texted)$/.test(word),
  )
  const words = clause.words.slice(Math.max(0, at - 2), at)
  const reporter = words.findLast((word) => relationOf(word) !== null && !room.aliases.has(word))
  if (at < 1 || reporter === undefined) return null
  const relation = relationOf(reporter)
  const near = [...scope.units, ...scope.beside, ...scope.around]
  const isKnown = near.some(({ text }) => runOf(text).some((word) => relationOf(word) === relation))
  if (!isKnown) return doubt(`“${reporter}” is not spoken of where the statement points`)
  const isFormal = /^(?:reports?|reported|states?|stated)$/.test(clause.tokens[at]?.word ?? '')
  const speaks = new RegExp(
    `\\b(?:${relationWords(relation).join('|')})\\b(?:\\W+\\w+){0,3}\\W+(?:says?|said|tells?|told|thinks?|thought|reckons|wants|asked|asks|mentioned|rang|wrote|texted)\\b`,
    'i',
  )
  return isFormal && !near.some(({ text }) => speaks.test(text)) ? doubt(`“${reporter}” did not say this`) : null
}

function namedBefore(room: Room, clause: Clause, at: number): readonly string[] | null {
  const words = clause.words.slice(0, at)
  if (/^(?:he|she|they) (?:himself|herself|themself)$/.test(words.join(' '))) return room.nonTherapists
  const named = words.findLast((word) => room.aliases.has(word) || therapistWords.has(word))
  return named === undefined ? null : (room.aliases.get(named) ?? room.therapists)
}

function unconfirmed(claim: Claim, scope: Scope): Fault[] {
  if (claim.quotes.length > 0 && claim.clauses.every((clause) => clause.tokens.every((token) => !token.isTelling))) return []
  const replies = scope.units.flatMap(({ reply }) => (reply ? [reply.kind] : []))
  return replies.some((kind) => kind !== 'hedged') ? [] : [doubt('only the therapist said this')]
}

function refusalFault(clause: Clause, scope: Scope): Fault | null {
  const verb = clause.tokens.find(({ word }) => /^(?:(?:refus|declin|reject)(?:e[ds]|s|ed)|unwilling)$/.test(word))
  if (!verb || verb.isNegated) return null
  const replies = scope.near.flatMap(({ isQuestion, reply }) => (isQuestion && reply ? [reply.kind] : []))
  return replies.length > 0 && replies.every((kind) => kind === 'yes') ? likely('the answer was a yes') : null
}

const bringingUp = /^(?:suggest|propos|remark|observ|recommend|point|raise|brought)(?:s|d|ed|es)?$/

function broughtUpBy(room: Room, clause: Clause, scope: Scope): Fault | null {
  const at = clause.tokens.findIndex(({ word }) => bringingUp.test(word))
  const verb = clause.tokens[at]
  if (!verb || at < 1 || verb.isPassive || verb.isNegated) return null
  const isTheirs = verb.doers.length > 0 && verb.doers.every((id) => room.nonTherapists.includes(id))
  if (!isTheirs) return null
  const own = clause.tokens.slice(at + 1).filter(({ isTelling }) => isTelling)
  const saidBy = (isTherapist: boolean): number => {
    const keys = new Set(
      scope.near.filter(({ person }) => (person.role === 'therapist') === isTherapist).flatMap((unit) => [...unit.keys]),
    )
    return own.filter((token) => token.keys.some((key) => keys.has(key))).length
  }
  return saidBy(true) > 0 && saidBy(false) === 0 ? likely('the therapist brought this up') : null
}

function toldNobody(room: Room, clause: Clause, scope: Scope): Fault | null {
  const at = clause.tokens.findIndex(({ word }) => /^(?:told|tells)$/.test(word))
  const [verb, whom] = clause.tokens.slice(at, at + 2)
  if (at < 0 || !verb || verb.isNegated || !whom || !(room.names.has(whom.word) || /^(?:her|his|their|the)$/.test(whom.word)))
    return null
  const { clients } = room
  if (verb.doers.length === 0 || !verb.doers.every((id) => clients.includes(id))) return null
  const speech = ofOthers(scope.near)
    .flatMap(tokensOf)
    .filter(({ word }) => /^(?:said|say|told|tell|tells|says)$/.test(word))
  const isTheirs = speech.some(({ doers }) => doers.length === 0 || doers.some((id) => clients.includes(id) || id === '*'))
  return speech.length > 0 && !isTheirs ? likely('somebody else says this to them') : null
}

function agreementFault(room: Room, clause: Clause, claim: Claim, scope: Scope): Fault | null {
  const verb = clause.tokens.find(({ word }) => agreeing.test(word))
  if (!verb || verb.isNegated || /^(?:agreed|it was agreed)\b/.test(clause.text) || /\bif\b/.test(clause.text)) return null
  const ids = verb.doers.filter((id) => room.participants.some((each) => each.id === id))
  const absent = verb.doers.length > 0 && verb.doers.every((doer) => /^[rn]:/.test(doer))
  if (absent) {
    const heard = scope.near.flatMap(tokensOf)
    const isSaid = heard.some(
      ({ word, doers }) =>
        /^(?:agree\w*|said|says|okay|yes|fine|accept\w*|promised)$/.test(word) &&
        !doers.every((doer) => room.participants.some(({ id }) => id === doer)),
    )
    return isSaid ? null : doubt('no answer of theirs is cited')
  }
  const named = ids.length > 0 ? ids : room.nonTherapists
  const replies = scope.near.flatMap((unit) => (unit.reply && named.includes(unit.reply.by.id) ? [unit.reply] : []))
  const cited = scope.cited.filter((at) => named.includes(room.speakerAt(at).id))
  const own = cited.length > 0 ? cited : replies.map(({ segment }) => segment)
  if (own.length === 0) return doubt('no answer of theirs is cited')
  const kinds = own.map((at) => replyKind(room.segments[at]?.text ?? ''))
  if (kinds.some((kind) => kind === 'yes' || kind === 'other')) return null
  return { level: kinds.includes('no') && claim.quotes.length === 0 ? 'drop' : 'doubt', reason: 'the answer was no plain yes' }
}

const lead = /^(?:(?:um+|uh+|er+m?|oh|ah|well|god|gosh|so|like|hm+|i mean|you know|look|honestly|to be honest)[\s,.!…-]+)+/i
const hedges =
  /^(?:not (?!at all|me\b|once|the\b)(?:\w+[.,!]|really|any ?more|lately|recently|always|every\b|exactly|sure|so much|that much|yet|often|usually|now\b)|i (?:do not|don't|dont) (?:think so|know|remember)|i'm not sure|im not sure|maybe|perhaps|possibly|probably|sort of|kind of|sometimes|a (?:little|bit)|i guess|i suppose|suppose so|hm+|i might|i could try|i'll (?:think|try|see)|ill (?:think|try|see)|i will think|we'll see|(?:i|it|we) used to\b|not since|in the past|back (?:then|in)|years ago|it depends|depends|hardly|barely|rarely|now and (?:then|again)|occasionally|on and off|in a way|i think so|i'd have to think)\b/i
const no =
  /^(?:(?:and )?i said (?:no|not)|no|nope|nah|never|none|nobody|nothing|not at all|not me|not once|certainly not|absolutely not|definitely not|of course not|not the\b|neither|i (?:do not|don't|dont|have not|haven't|havent|did not|didn't|didnt|would not|wouldn't|wouldnt|am not|was not|wasn't|can not|can't|cant|won't|wont)|i'm not|im not|i've never|ive never|i never|that's not for me|we (?:don't|haven't|didn't)|it (?:isn't|is not|hasn't|wasn't))\b/i
const yes =
  /^(?:yes|yeah|yep|yup|aye|i do|i have|i am|i did|i can|i could|i will|i'll|ill|i would|i'd|exactly|that's (?:it|right|true|exactly|what)|thats (?:it|right|true|exactly|what)|it (?:is|does|was|has)|sure|okay|ok|of course|definitely|absolutely|fine|deal|got it|right|mm-? ?hm+|mm|uh-?huh|please|correct|true|agreed|all right|alright|go on then|we do|we can|we will|we'll)\b/i
const notThisNo = /^no(?:,| )+(?:i know|problem|that's (?:fine|okay|right|good)|worries|it's fine|you're right|go on)\b/i
const turned =
  /^no(?:pe)?[\s,.]+(?:but|except|only|well|not (?:really|lately|recently|any ?more|always)|just|i mean)\b|^no(?:pe)?\b[^.?!]*\b(?:but (?:sometimes|i (?:have|did|do)|once)|except|apart from|although|only when|though i)\b|^no[.!,]\s*(?:well|i mean|sometimes|maybe|once|only)\b/i

const yesInTheEnd = /[.!?] (?:but,? )?(?:yes|yeah|okay|ok|fine|all right|alright|go on then)(?:,? (?:okay|ok|fine))?[.!](?:\s|$)/i

const yesPerhaps =
  /^(?:i can|i could|i'll|i will|yes|yeah|okay|ok|fine|sure)\b.*\b(?:maybe|perhaps|have to think|don't know if|not sure (?:if|that|i)|might not|if i (?:manage|can))\b/is

const noInTheEnd =
  /[.!]\s+(?:i'm not (?:going|doing|ready)|i am not (?:going|doing)|i won't|i don't want|that's not for me|never again)\b/i

export function replyKind(text: string): Reply {
  const said = plain(text)
    .trim()
    .replace(/^\[[^\]]*\]\s*/, '')
  const body = said.replace(lead, '')
  if (/^no\b[^.?!]*[.!]\s+(?:well,? )?i (?:sometimes|do\b|have\b|might|did\b|used to|mean)/i.test(body)) return 'hedged'
  if (/^(?:yeah|yes|yep)[\s,]+(?:no|nah)\b/i.test(body) || notThisNo.test(body)) return 'other'
  if (/^(?:yeah|yes|ok|okay)[\s,.]+(?:maybe|perhaps|sort of|kind of|i guess|i suppose|a bit|a little|sometimes)\b/i.test(body))
    return 'hedged'
  if (/^hm+\b/i.test(said) || hedges.test(body) || turned.test(body) || yesPerhaps.test(body)) return 'hedged'
  if (/\b(?:i|he|she|they|s?he)(?:'?ll| will) think about it\b/i.test(body)) return 'hedged'
  if (!yes.test(body) && !no.test(body) && noInTheEnd.test(body)) return 'hedged'
  const turn = yesInTheEnd.exec(body)
  if (turn && !/\b(?:no|not|never)\b|n't\b/i.test(body.slice(0, turn.index))) return 'yes'
  if (no.test(body)) return 'no'
  return yes.test(body) ? 'yes' : 'other'
}
