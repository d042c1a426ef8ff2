import { doubt, likely, tokensOf, ofOthers } from './faults.ts'
import type { Claim, Scope, Clause, Fault, Room, Token, Unit } from './types.ts'
import { sidesOf } from './lexicon/words.ts'
import { isNumberWord, timeUnit } from '../text/numbers.ts'
import { relationOf } from './people.ts'
import { calendar } from './room.ts'
import { isContent, runOf } from '../text/words.ts'

const soft =
  /\b(?:unable|stop(?:s|ped|ping)?|quit|avoid\w*|refus\w*|declin\w*|lack\w*|without|den(?:y|ies|ied)|reject\w*|fail\w*|miss(?:ed|es|ing)?|lost|gone|dry|clean|off|abstinent|abstain\w*|unsure|undecided|uncertain|unaware|hardly|barely|rarely|seldom|difficult\w*|struggl\w*|hard|trouble|less|free of|absent|resolved|no longer|instead|rather|un\w+|dislik\w*|hat(?:e|es|ed)|never|gave up|given up|came off|ended|too|sober|nothing|neither|doubt\w*|disagree\w*|not for)\b/
const weighed =
  /^(?:knows?|knew|every|each|all|always|everybody|everyone|gone|happen(?:s|ed)?|comes?|came|wants?|wanted|tells?|told|able|help|feels?|needs?)$/
const idleKeys = new Set(['know', 'think', 'thought', 'say', 'time', 'day', 'people', 'thing'])

export function polarityFaults(room: Room, claim: Claim, scope: Scope): Fault[] {
  const isName = (word: string): boolean => room.isNamed(word) || relationOf(word) !== null || calendar.test(word)
  const faults: Fault[] = []
  for (const clause of claim.clauses) {
    if (claim.asked.has(clause.index) || claim.denied.has(clause.index) || claim.deeds.has(clause.index)) continue
    const turned = clause.tokens.flatMap((token) => turnedRound(claim, token, clause, scope, isName))
    const [first] = turned
    if (first) faults.push(first)
    faults.push(...oppositeIn(clause, scope).slice(0, 1))
  }
  return [...faults, ...onlyNo(claim, scope)]
}

const saysNoWord =
  /\b(?:not|no|never|nobody|nothing|none|neither|without|cannot|nope|nah)\b|n't\b|\b(?:dont|didnt|cant|wont|isnt|wasnt|havent|hasnt|doesnt|couldnt|wouldnt|arent|werent|stop\w*|avoid\w*|refus\w*|declin\w*|unable|lack\w*|instead|fail\w*|hard(?:ly)?|less|rather|quit|gave up|gone|without|dead|too|used to|lost|missed)\b/gi

function onlyNo(claim: Claim, scope: Scope): Fault[] {
  const { near } = scope
  const written = claim.clauses.filter(
    ({ index, text }) =>
      !claim.denied.has(index) &&
      !claim.asked.has(index) &&
      /\b(?:not|never)\b(?! (?:only|just|answer))/.test(text) &&
      !/\bor not\b/.test(text),
  )
  const said = near.reduce(
    (sum, { text, reply }) =>
      sum + [...text.matchAll(saysNoWord)].length + (reply?.kind === 'no' || reply?.kind === 'hedged' ? 1 : 0),
    0,
  )
  return written.length > said && near.length > 0 ? [doubt('a no is written where none was said')] : []
}

type Heard = ReturnType<typeof heardOf>[number]

const willing = /\b(?:want\w*|rather|prefer\w*|wish\w*|will|would|plan\w*|like)\b/

function turnedRound(claim: Claim, token: Token, clause: Clause, scope: Scope, isName: (word: string) => boolean): Fault[] {
  const isWeighed = token.isContent || weighed.test(token.word)
  if (
    !isWeighed ||
    isNumberWord(token.word) ||
    timeUnit.test(token.word) ||
    (token.doers.includes(token.word) && !isLeftOut(token.keys[0] ?? '', scope)) ||
    (isName(token.word) && !isLeftOut(token.keys[0] ?? '', scope))
  )
    return []
  const exact = token.keys[0] ?? token.word
  const isIdle = idleKeys.has(exact)
  const all = heardOf(exact, scope).filter(({ unit }) => !isIdle || (unit.isQuestion && unit.reply?.kind === 'no'))
  const most = Math.max(0, ...scope.near.flatMap(({ clauses }) => clauses.map((other) => shared(clause, other))))
  const heard = all.filter((each) => shared(clause, each.clause) >= most || each.unit.isQuestion || isWhole(clause, each))
  if (heard.length === 0) return []
  const negated = all.filter(({ isNegated }) => isNegated).length
  if (token.isNegated && negated === 0) {
    if (!token.isTelling || /^(?:but )?not (?:of|about|that|the|for|in|on|to)\b/.test(clause.text)) return []
    if (all.every(({ unit }) => unit.isQuestion && isWh(unit.text)) || saysNoOf(clause, token, scope)) return []
    if (all.some((each) => isSoft(each.clause, each.token) || isOpen(each))) return []
    if (clause.text.startsWith('not ') && heard.some(({ unit }) => unit.isQuestion)) return []
    return [likely(`“${token.word}” was said without a no`)]
  }
  if (!token.isNegated && all.every(isUnwilling) && !willing.test(claim.own)) return []
  if (!token.isNegated && negated === all.length && !isSoft(clause, token) && !isContrasted(claim, clause, token))
    return [likely(`“${token.word}” was said with a no`)]
  return []
}

/** "Not the teachers.": the speaker names the teachers only to exclude them. */
function isLeftOut(key: string, scope: Scope): boolean {
  const said = heardOf(key, scope)
  return said.length > 0 && said.every(({ clause }) => clause.tokens.length <= 4 && /^(?:but )?not\b/.test(clause.text))
}

/** "Did not want to leave the bed" does not say whether she left it. */
const isUnwilling = ({ clause, isNegated }: Heard): boolean =>
  isNegated && /\b(?:not|never) (?:really )?(?:want|need|have|like|mean)(?:ed)? to\b/.test(clause.text)

function saysNoOf(clause: Clause, token: Token, scope: Scope): boolean {
  const own = new Set(clause.tokens.flatMap((each) => (each !== token && each.isNegated ? each.keys : [])))
  const said = ofOthers(scope.units).flatMap(tokensOf)
  return said.some(({ isNegated, isContent, keys }) => isNegated && isContent && keys.some((key) => own.has(key)))
}

function isContrasted(claim: Claim, clause: Clause, token: Token): boolean {
  if (clause.tokens.some((each) => each !== token && each.isNegated && each.keys[0] === token.keys[0])) return true
  if (/\b(?:none|not) (?:since|now|at present|currently)\b|\bno longer\b|\bnot any ?more\b/i.test(claim.own)) return true
  return claim.clauses.some(
    (other) =>
      other !== clause &&
      (other.tokens.some((each) => each.isNegated && each.keys[0] === token.keys[0]) ||
        /\b(?:does|did|is|was|has|had|do) not$/.test(other.text)),
  )
}

function isWhole(own: Clause, { clause, token }: Heard): boolean {
  const keys = new Set(own.tokens.flatMap((each) => each.keys))
  return clause.tokens.every((each) => each === token || !each.isContent || each.keys.some((key) => keys.has(key)))
}

function shared(own: Clause, said: Clause): number {
  const keys = new Set(own.tokens.filter(({ isContent: counts }) => counts).map(({ keys: [first] }) => first))
  return said.tokens.filter((token) => token.isContent && keys.has(token.keys[0])).length
}

const isEnded =
  /^(?:\w+ ){0,2}(?:is|was|has|have|had|been|were|being)(?: \w+)? (?:declined|refused|resolved|gone|stopped|rejected|absent|lost|over)\b/

function isSoft(clause: Clause, token: Token): boolean {
  const at = clause.tokens.indexOf(token)
  const { words } = clause
  return soft.test(words.slice(0, at).join(' ')) || isEnded.test(words.slice(at + 1).join(' '))
}

const isOpen = ({ unit }: Heard): boolean => unit.isQuestion && unit.reply?.kind !== 'yes'

function heardOf(key: string, scope: Scope) {
  const all = [
    ...scope.units,
    ...scope.beside.filter(({ isQuestion, person }) => isQuestion || person.role === 'therapist'),
  ].flatMap((unit) =>
    unit.clauses.flatMap((clause) =>
      clause.tokens
        .filter(({ keys }) => keys[0] === key || (key === 'tell' && keys[0] === 'say'))
        .map((token) => ({
          unit,
          clause,
          token,
          isNegated: (token.isNegated && !circumstance.test(clause.text)) || isAnsweredNo(unit, scope),
        })),
    ),
  )
  const told = all.filter(({ unit }) => !unit.isQuestion)
  const answers = new Set(told.map(({ unit }) => unit.segment))
  const asked = all.filter(
    ({ unit }) => unit.isQuestion && (isPartlyYes(unit.replyText) || !answers.has(unit.reply?.segment ?? -1)) && !isWh(unit.text),
  )
  const presupposed = all.filter(({ unit }) => unit.isQuestion && isWh(unit.text))
  return [...told, ...asked, ...(told.length + asked.length === 0 ? presupposed : [])]
}

const circumstance = /\b(?:when|if|even though|although) (?:you|i|he|she) (?:can|do|did|could) not\b/

/** In characters. A longer text does not count as a question that one "no" can answer. */
const MAX_QUESTION = 220

const lastOfClient = (scope: Scope, at: number): boolean =>
  scope.units.some(({ segment, person }) => segment === at && person.role !== 'therapist')

function isAnsweredNo(unit: Unit, scope: Scope): boolean {
  if (unit.reply?.kind !== 'no' || unit.text.length > MAX_QUESTION) return false
  if (isWh(unit.text)) return isPlainlyNot(unit)
  if (isPutRight(unit.replyText ?? '')) return false
  const isProposal = !unit.isQuestion || /\b(?:would|could|shall|can|will|offered)\b/i.test(unit.text)
  if (isProposal && scope.cited.some((at) => at > (unit.reply?.segment ?? at) && at !== unit.segment && lastOfClient(scope, at)))
    return false
  return unit.isQuestion || (unit.person.role === 'therapist' && unit.text.length < 140)
}

/** "No, they put it up to seventy-five": the answer corrects the value and does not deny the event. */
function isPutRight(reply: string): boolean {
  const [first = ''] = reply.split(/(?<=[.?!])\s/)
  const rest = /^no,? (?!(?:not|nothing|never|none|no|i)\b)(.+)/i.exec(first.trim())?.[1] ?? ''
  return runOf(rest).filter(isContent).length >= 2 && !/\b(?:not|never|nothing|no)\b|n't\b/i.test(rest)
}

const isPartlyYes = (reply: string | null): boolean => /^[^.?!,]{1,30}, (?:yes|yeah)[.!,]/i.test(reply ?? '')

const plainlyNot =
  /^(?:well,? |oh,? )?(?:i (?:do|did|have|can)(?: not|n't)|i (?:dont|didnt|havent|cant)|never|none|nothing|nobody)\b/i

/** "How much do you drink?" "I don't.": the answer denies what the question takes for granted. */
const isPlainlyNot = (unit: Unit): boolean => unit.replyText !== null && plainlyNot.test(unit.replyText)

function isWh(text: string): boolean {
  if (/^(?:so,? )?when\b.*, (?:did|do|does|have|had|has|are|were|is|was|can|could|would) (?:you|he|she|they|it)\b/i.test(text))
    return false
  return /^(?:(?:so|and|but|ok|okay|right|well|um+) |[a-z]+, )*(?:how|what|when|where|who|why|which)\b/i.test(text)
}

const moved: readonly (readonly [RegExp, string])[] = [
  [/\bon (?:my|her|his|their|your) own\b|\bby (?:myself|herself|himself)\b/i, 'alone'],
  [/\b(?:put|puts|went|gone|goes|going|bump(?:ed)?|move[sd]?|turned) (?:\w+ ){0,3}?up\b|\bup to\b/i, 'increased'],
  [
    /\b(?:does|did|do|doing) nothing\b|\bno (?:use|help|good|difference)\b|\b(?:does not|doesn't|didn't|did not|isn't|not) (?:really )?(?:help|work|helping|working)\b/i,
    'useless',
  ],
  [/\b(?:put|puts|went|gone|goes|going|came|come|move[sd]?|cut|turned) (?:\w+ ){0,3}?down\b|\bdown to\b/i, 'decreased'],
]

function oppositeIn(clause: Clause, scope: Scope): Fault[] {
  const told = scope.near.filter(
    ({ isQuestion, reply }) => !isQuestion || (reply !== null && reply.kind !== 'no' && reply.kind !== 'hedged'),
  )
  const phrases = scope.near.flatMap(({ text }) => movedIn(text))
  const all = [...scope.near.flatMap(tokensOf).map(({ word }) => word), ...phrases]
  const isNegated = clause.tokens.some((token) => token.isNegated)
  const own = movedIn(clause.text).map((word) => ({ word, isNegated: isNegated && word !== 'useless' }))
  return [...clause.tokens, ...own]
    .filter((token) => !token.isNegated)
    .flatMap(({ word }) =>
      sidesOf(word).flatMap(({ pair, side }) => {
        const isOn = (isSame: boolean) => (other: string) =>
          sidesOf(other).some((each) => each.pair === pair && (each.side === side) === isSame)
        if (all.some(isOn(true))) return []
        const isAgainst = isOn(false)
        const against =
          phrases.find(isAgainst) ?? told.flatMap(tokensOf).find((other) => !other.isNegated && isAgainst(other.word))?.word
        return against === undefined ? [] : [likely(`“${word}” where “${against}” was said`)]
      }),
    )
}

const movedIn = (text: string): string[] => moved.flatMap(([pattern, word]) => (pattern.test(text) ? [word] : []))
