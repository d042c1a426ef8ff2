import { doubt, drop } from './faults.ts'
import { isOfForm } from './figures.ts'
import type { Claim, Scope, Clause, Fault, Unit, Token } from './types.ts'
import { numbersOf } from './clauses.ts'
import { isNumberWord, meets, type Numeral } from '../text/numbers.ts'

export function putRight(claim: Claim, near: readonly Unit[]): Fault[] {
  const own = claim.clauses.flatMap((clause) => numbersOf(clause))
  const refused = near
    .filter(({ person }) => person.role !== 'therapist')
    .flatMap((unit) =>
      unit.clauses.flatMap((clause) =>
        numbersOf(clause)
          .filter(
            (numeral) =>
              !numeral.isWeak &&
              clause.tokens[numeral.from]?.isNegated &&
              /\bno$|\b(?:not|never)\b/.test(clause.words.slice(Math.max(0, numeral.from - 4), numeral.from).join(' ')) &&
              !/^(?:after|before|until|till|by|since|than)$/.test(clause.tokens[numeral.from - 1]?.word ?? '') &&
              !/\b(?:stop\w*|quit|g[ai]ve up)\b/.test(clause.text),
          )
          .map((numeral) => ({ numeral, unit })),
      ),
    )
  const isPerhaps = claim.clauses.some(({ isHedged, isHypothetical }) => isHedged || isHypothetical)
  if (replaced(near).some((numeral) => isOnlyThis(own, numeral, near)))
    return [doubt('the number was put right while they spoke')]
  const isRefused = refused.some(
    ({ numeral, unit }) =>
      own.some((each) => meets(each, numeral)) &&
      !claim.clauses.some((clause) =>
        numbersOf(clause).some((each) => meets(each, numeral) && clause.tokens[each.from]?.isNegated),
      ) &&
      !isTold(near, numeral, unit, isPerhaps),
  )
  if (isRefused) return [doubt('the number was put right while they spoke')]
  for (const question of near) {
    if (!question.isQuestion || question.person.role !== 'therapist' || question.reply === null || question.reply.kind === 'yes')
      continue
    const asked = numeralsOf([question])
    const answer = near.filter(({ segment }) => segment === question.reply?.segment).slice(0, 1)
    const answered = numeralsOf(answer).filter(({ isWeak }) => !isWeak)
    if (
      asked.length !== 1 ||
      answered.length === 0 ||
      /^\s*(?:how|on a scale|from)\b/i.test(question.text) ||
      /\bscale\b|\bout of\b/i.test(question.text)
    )
      continue
    const [first] = asked
    if (
      first &&
      !first.isWeak &&
      own.some((numeral) => meets(numeral, first)) &&
      !answered.some((numeral) => meets(numeral, first) || own.some((each) => meets(each, numeral)))
    )
      return [doubt('the number was put right in the answer')]
  }
  return []
}

export function takenBack(claim: Claim, near: readonly Unit[]): Fault[] {
  const own = new Set(claim.clauses.flatMap((clause) => contentOf(clause).flatMap(({ keys }) => keys)))
  const isMet = (clause: Clause): boolean => contentOf(clause).some(({ keys }) => keys.some((key) => own.has(key)))
  for (const { clauses, person } of near) {
    const at = clauses.findIndex(({ text }) => /^(?:but |oh |well )?(?:no|no wait|wait no|actually no|sorry no)$/.test(text))
    const [before, after] = [clauses[at - 1], clauses[at + 1]]
    if (person.role === 'therapist' || !before || !after || contentOf(after).length === 0) continue
    if (
      isMet(before) &&
      !clauses.slice(at + 1).some(isMet) &&
      !near.some((unit) => unit.clauses !== clauses && unit.clauses.some(isMet))
    )
      return [doubt('it was put right while they spoke')]
  }
  return []
}

/** "Four months." "Five, Mom." "Five.": the statement still has the earlier number. */
export function leftBehind(claim: Claim, scope: Scope): Fault[] {
  const own = claim.clauses
    .flatMap((clause) => numbersOf(clause))
    .filter(({ isWeak, unit }) => !isWeak && unit !== null && unit !== 'clock')
  const cited = numeralsOf(scope.units).filter(({ isWeak }) => !isWeak)
  const [only] = own
  if (own.length !== 1 || !only || cited.length === 0) return []
  const isCited = cited.some((numeral) => meets(numeral, only))
  const isBeside = numeralsOf(scope.beside.filter(({ person }) => person.role !== 'therapist')).some((numeral) =>
    meets(numeral, only),
  )
  const isSame = cited.some(({ unit }) => unit === only.unit)
  return !isCited && isBeside && isSame ? [doubt('another number was settled on')] : []
}

function replaced(near: readonly Unit[]): Numeral[] {
  const turns = [...new Set(near.filter(({ person }) => person.role !== 'therapist').map(({ segment }) => segment))]
  return turns.flatMap((turn) => {
    const clauses = near.filter(({ segment }) => segment === turn).flatMap((unit) => unit.clauses)
    const heard = clauses.flatMap((clause, index) => numbersOf(clause).map((numeral) => ({ numeral, clause, index })))
    return heard.flatMap(({ numeral, clause, index }, at) => {
      const next = heard[at + 1]
      if (next === undefined || numeral.isWeak) return []
      const between = [
        ...clause.words.slice(numeral.to, next.index === index ? next.numeral.from : undefined),
        ...(next.index === index
          ? []
          : [
              ...clauses.slice(index + 1, next.index).flatMap(({ words }) => words),
              ...next.clause.words.slice(0, next.numeral.from),
            ]),
      ]
      const isSameKind = numeral.unit === null || next.numeral.unit === null || numeral.unit === next.numeral.unit
      return isSameKind && between.length <= 9 && correction.test(between.join(' ')) ? [numeral] : []
    })
  })
}

const correction = /(?:^|\s)(?:no(?: (?:tell a lie|wait|sorry|actually|make (?:it|that)|it is|it was))?|sorry|i mean|or rather)$/

function isOnlyThis(own: readonly Numeral[], aside: Numeral, near: readonly Unit[]): boolean {
  const again = numeralsOf(near).filter((each) => each !== aside && each.values.join() === aside.values.join())
  return again.length === 0 && own.some((each) => each.values.join() === aside.values.join())
}

const isTold = (near: readonly Unit[], numeral: Numeral, refused: Unit, isPerhaps: boolean): boolean =>
  near.some((unit) => {
    if (unit.isQuestion && unit.segment < refused.segment) return false
    if (unit.segment === refused.segment && unit.from < refused.from) return false
    return unit.clauses.some((clause) =>
      numbersOf(clause).some(
        (each) =>
          meets(each, numeral) &&
          !clause.tokens[each.from]?.isNegated &&
          (isPerhaps || !(clause.isHedged || clause.isHypothetical)),
      ),
    )
  })

export function againstItself(claim: Claim): Fault[] {
  for (const clause of claim.clauses) {
    const { words } = clause
    const at = words.indexOf('from')
    const [first, second] = numbersOf(clause).filter(({ from }) => from > at)
    const [low = 0] = first?.values ?? []
    const [high = 0] = second?.values ?? []
    if (at < 0 || !first || !second || !words.slice(first.to, second.from).includes('to') || low === high) continue
    const isUp = /\b(?:rose|risen|increased|raised|climbed|went up|grew|up)\b/.test(words.slice(0, at).join(' '))
    const isDown = /\b(?:fell|fallen|dropped|decreased|reduced|lowered|went down|came down|cut|down)\b/.test(
      words.slice(0, at).join(' '),
    )
    if (isUp !== isDown && isUp !== high > low) return [drop('its numbers go the other way')]
  }
  return []
}

export function turnedRange(claim: Claim, units: readonly Unit[]): Fault[] {
  for (const clause of claim.clauses) {
    const { words } = clause
    const [low, high] = numbersOf(clause)
    if (!low || !high || words[low.from - 1] !== 'from' || !words.slice(low.to, high.from).includes('to')) continue
    const said = numeralsOf(units)
    const from = said.findIndex((each) => meets(each, low))
    const to = said.findIndex((each) => meets(each, high))
    const [before, after] = [said[from], said[to]]
    const isThen = (numeral: Numeral | undefined, each: Clause): boolean =>
      numeral !== undefined && numbersOf(each).includes(numeral) && /\b(?:was|were|used to be)\b/.test(each.text)
    const all = units.flatMap(({ clauses }) => clauses)
    const isPast = all.some((each) => isThen(before, each)) && !all.some((each) => isThen(after, each))
    const isTold = isPast || units.some(({ text }) => /\bfrom\b/i.test(text))
    if (from >= 0 && to >= 0 && to < from && !isTold) return [drop('the numbers are the other way round')]
  }
  return []
}

const whenWords = /\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tonight|tomorrow|today|weekend)\b/gi

export function lastWord(claim: Claim, scope: Scope): Fault[] {
  const near = scope.near.toSorted((left, right) => left.segment - right.segment || left.from - right.from)
  if (isOfOtherDay(claim, near)) return [doubt('another day was given in the answer')]
  const numbersAt = (at: number): Numeral[] => numeralsOf(near.filter(({ segment }) => segment === at))
  const own = claim.clauses.flatMap(numbersOf).filter(({ isWeak }) => !isWeak)
  const cited = scope.cited.filter((at) => numbersAt(at).some(({ isWeak }) => !isWeak))
  const [only, last] = [own[0], cited.at(-1)]
  if (cited.length < 2 || last === undefined || own.length !== 1 || only === undefined) return []
  const isOwn = (numeral: Numeral): boolean => meets(numeral, only)
  const final = near.filter(({ segment }) => segment === last)
  const text = final[0]?.text ?? ''
  const isOfTherapist = final[0]?.person.role === 'therapist'
  const isLeft =
    cited.length >= 3 &&
    !cited.slice(-2).flatMap(numbersAt).some(isOwn) &&
    !isOfTherapist &&
    /\bi can\b|\bi'll\b|^(?:ok|okay|yes|fine)/i.test(text)
  const agreed = numbersAt(last).filter(({ isWeak, unit }) => !isWeak && unit !== 'clock')
  const isSettled =
    final.reduce((sum, unit) => sum + unit.text.length, 0) < 60 &&
    (/^(?:ok|okay|fine|yes|right|all right|good|deal)\b/i.test(text) || (isOfTherapist && /\bthen\b/i.test(text))) &&
    agreed.length > 0 &&
    !agreed.some(isOwn) &&
    cited.slice(0, -1).flatMap(numbersAt).some(isOwn)
  return isLeft || isSettled ? [doubt('another number was settled on')] : []
}

function isOfOtherDay(claim: Claim, near: readonly Unit[]): boolean {
  const days = (text: string): string[] => [...text.matchAll(whenWords)].map((match) => match[0].toLowerCase())
  const own = days(claim.own)
  return near.some((question) => {
    if (question.person.role !== 'therapist' || !question.isQuestion) return false
    const [asked = '', ...others] = days(question.text)
    const answered = near.filter(({ segment }) => segment === question.reply?.segment).flatMap(({ text }) => days(text))
    return (
      others.length === 0 &&
      answered.length > 0 &&
      !answered.includes(asked) &&
      own.includes(asked) &&
      !own.some((day) => answered.includes(day))
    )
  })
}

export const numeralsOf = (units: readonly Unit[]): Numeral[] =>
  units.flatMap(({ clauses }) =>
    clauses.flatMap((clause) => numbersOf(clause).filter((numeral) => !isOfForm(clause.words, numeral))),
  )

export const contentOf = (clause: Clause): Token[] =>
  clause.tokens.filter((token) => token.isTelling && !isNumberWord(token.word))
