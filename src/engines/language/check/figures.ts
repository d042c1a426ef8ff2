import { months } from '../text/calendar.ts'
import { doubt, drop, notSaid } from './faults.ts'
import type { Claim, Scope, Clause, Fault, Room, Unit } from './types.ts'
import { numbersOf } from './clauses.ts'
import { meets, type Numeral } from '../text/numbers.ts'
import { couldBe, relationOf } from './people.ts'
import { dateFollows } from './dates.ts'
import { remember } from '../text/remember.ts'

const instrument = /^(?:phq|gad|pcl|bdi|ors|srs|who|isi|audit|core|dass|k|ces|oq|x3|x4)$/

export function figureFaults(room: Room, claim: Claim, scope: Scope): Fault[] {
  const { near } = scope
  const said = near.flatMap(numbersOfUnit)
  const faults: Fault[] = []
  for (const clause of claim.clauses) {
    const { words } = clause
    for (const numeral of numbersOf(clause)) {
      if (isOfForm(words, numeral)) continue
      const isWorkedOut = dateFollows(room, claim.own, numeral.values)
      if (isWorkedOut && !saysOtherDay(near, numeral)) continue
      const shown = words.slice(numeral.from, numeral.to).join(' ')
      const same = said.filter((each) => meets(each, numeral))
      const isTurned =
        clause.tokens[numeral.from]?.isNegated === true &&
        !/\b(?:more|less|than|until|before)\b/.test(clause.text) &&
        !claim.denied.has(clause.index) &&
        !claim.asked.has(clause.index)
      if (isTurned && near.every(hasNoRefusedNumber)) faults.push(doubt(`“${shown}” was said without a no`))
      const isMeasured = numeral.unit !== null && numeral.unit !== 'mg' && numeral.unit !== 'clock'
      if (same.length === 0) {
        const isHour = /^(?:at|until|till)$/.test(words[numeral.from - 1] ?? '')
        if (numeral.isWeak && !isHour && !isCounted(words, numeral, near)) continue
        if (isDifference(clause, numeral, said)) continue
        const elsewhere = scope.around.flatMap(numbersOfUnit).some((each) => meets(each, numeral))
        faults.push((elsewhere || numeral.isWeak ? doubt : drop)(notSaid(shown)))
      } else if (
        isMeasured &&
        same.every((each) => each.unit !== null && each.unit !== numeral.unit && !(each.values.length > 1))
      ) {
        faults.push(drop(`“${shown} ${numeral.unit}” was said of something else`))
      }
    }
    faults.push(
      ...boundElsewhere(clause, scope.units),
      ...ofSomeoneNamed(room, clause, scope.units),
      ...ofSomebodyElse(room, clause, near),
      ...ofThePast(clause, near),
    )
  }
  return [...faults, ...onlyWished(claim, near)]
}

/** "An hour later than planned" follows from "nine" and "ten" in the source, even if nobody said "one hour". */
function isDifference({ text }: Clause, { values }: Numeral, said: readonly Numeral[]): boolean {
  if (!/\b(?:later|earlier|longer|shorter|more|less|fewer|older|younger)\b.*\bthan\b/.test(text)) return false
  const all = said.flatMap((each) => each.values)
  return all.some((high) => all.some((low) => values.includes(high - low)))
}

const hasNoRefusedNumber = ({ clauses, reply }: Unit): boolean =>
  reply?.kind !== 'no' &&
  clauses.every((clause) => numbersOf(clause).every(({ from }) => clause.tokens[from]?.isNegated !== true))

function ofSomebodyElse(room: Room, clause: Clause, near: readonly Unit[]): Fault[] {
  const { words } = clause
  return numbersOf(clause).flatMap((numeral): Fault[] => {
    const doers = clause.tokens[numeral.from]?.doers ?? []
    const isTime = /^(?:at|until|till|by|on|the|year)$/.test(words[numeral.from - 1] ?? '') || numeral.unit === 'clock'
    const isNamed = clause.tokens.slice(0, numeral.from).some(({ word }) => room.isNamed(word) || relationOf(word) !== null)
    if (!isNamed || isTime || numeral.isWeak || isOfForm(words, numeral)) return []
    const said = spokenNumbers(near).filter((each) => meets(each, numeral))
    if (
      said.length === 0 ||
      said.some(
        (each) =>
          each.doers.length === 0 ||
          (doers.includes(each.speaker.id) && words.length <= 3) ||
          (!doers.some((doer) => room.participants.some(({ id }) => id === doer)) && !/\bi\b/.test(each.clause.text)) ||
          each.doers.some((doer) => doers.some((own) => couldBe(own, doer, each.speaker))),
      )
    )
      return []
    return [drop(`“${words.slice(numeral.from, numeral.to).join(' ')}” was said of somebody else`)]
  })
}

const spokenNumbers = (near: readonly Unit[]) =>
  near.flatMap((unit) =>
    unit.clauses.flatMap((clause) =>
      numbersOf(clause).map((numeral) => ({
        ...numeral,
        clause,
        doers: clause.tokens[numeral.from]?.doers ?? [],
        speaker: unit.person,
      })),
    ),
  )

const presently = /\b(?:is|are) \w+ing\b|\bcurrently\b|\bnow\b|^(?:\w+ )?\w{3,}(?<!s|wa|thi)s\b/
const pastOnly = /\b(?:was|were|used to|had been)\b/

function ofThePast(clause: Clause, near: readonly Unit[]): Fault[] {
  if (
    !presently.test(clause.text) ||
    pastOnly.test(clause.text) ||
    clause.isRemote ||
    /\bfrom\b.*\bto\b|\b(?:reduced|cut|instead|rather than|compared)\b/.test(clause.text)
  )
    return []
  return numbersOf(clause).flatMap((numeral): Fault[] => {
    const said = spokenNumbers(near).filter((each) => meets(each, numeral))
    const isPast =
      said.length > 0 && said.every((each) => pastOnly.test(each.clause.text) && !/\b(?:am|is|are)\b/.test(each.clause.text))
    return isPast ? [drop('said of the past, written of today')] : []
  })
}

const numbersOfUnit = remember(({ clauses }: Unit): readonly Numeral[] => clauses.flatMap(numbersOf))

function onlyWished(claim: Claim, near: readonly Unit[]): Fault[] {
  if (wishes.test(claim.own)) return []
  const said = spokenNumbers(near.filter(({ isQuestion }) => !isQuestion))
  return claim.clauses.flatMap((clause) =>
    numbersOf(clause).flatMap((numeral): Fault[] => {
      const same = said.filter((each) => meets(each, numeral))
      const isWish =
        same.length > 0 && same.every((each) => wishes.test(each.clause.text)) && near.flatMap(numbersOfUnit).length > same.length
      return isWish && !numeral.isWeak ? [doubt('that number was wished for or offered, not so')] : []
    }),
  )
}

const wishes =
  /\b(?:want(?:s|ed)?|offer(?:s|ed)?|suggest(?:s|ed|ion)?|expect(?:s|ed)?|hop(?:e|es|ed|ing)|fear(?:s|ed)?|asked? for|would like|recommend(?:s|ed)?|propos\w+|declin\w+|refus\w+|rather)\b/i

function saysOtherDay(near: readonly Unit[], numeral: Numeral): boolean {
  const days = near.flatMap(({ text, clauses }) =>
    /\bthe \w*(?:first|second|third|\w+th|\d+(?:st|nd|rd|th))\b/i.test(text) ? clauses.flatMap(numbersOf) : [],
  )
  return days.length > 0 && !days.some((each) => meets(each, numeral))
}

/** True for a number that belongs to a scale: the 10 in "7/10" or "out of ten", the 9 in "PHQ-9", and "zero to ten". */
export function isOfForm(words: readonly string[], { from, to, values }: Numeral): boolean {
  const before = words.slice(Math.max(0, from - 2), from).join(' ')
  if (/\bout of$/.test(before) || instrument.test(words[from - 1] ?? '')) return true
  if (/^(?:zero|0|nought) to$/.test(before) || (values.includes(0) && words[to] === 'to')) return true
  const previous = words[from - 1] ?? ''
  return (
    (values.includes(10) || values.includes(100)) &&
    /^\d+(?:\.\d)?$|^(?:one|two|three|four|five|six|seven|eight|nine|ten)$/.test(previous)
  )
}

function isCounted(words: readonly string[], { from, to }: Numeral, near: readonly Unit[]): boolean {
  const isRate = words.slice(from, to).join(' ') === 'once' && (words[to] === 'a' || words[to] === 'per')
  return isRate && !near.some((unit) => /\b(?:one|single|a)\b/i.test(unit.text))
}

const bindingWords = new Set([
  ...'now today worst peak first second third last then previous usual usually currently yesterday'.split(' '),
  ...months,
])

function boundElsewhere(clause: Clause, units: readonly Unit[]): Fault[] {
  const { words } = clause
  const written = numbersOf(clause).filter((numeral) => !isOfForm(words, numeral))
  if (written.length === 0) return []
  const faults: Fault[] = []
  for (const [at, token] of clause.tokens.entries()) {
    if (!bindingWords.has(token.word) && !/^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$/.test(token.word)) continue
    const close = written.filter((each) => distance(each, at) <= 5)
    if (close.length === 0) continue
    const tied = units
      .flatMap((unit) => unit.clauses)
      .filter((other) => other.tokens.some(({ word, keys }) => word === token.word || keys.includes(token.keys[0] ?? '')))
    const numbers = tied.map((other) => numbersOf(other)).filter((each) => each.length > 0)
    const isRunOn = units.some(({ text, clauses }) => !/[,.;]/.test(text) && clauses.includes(tied[0] ?? clause))
    if (
      isRunOn ||
      numbers.length === 0 ||
      numbers.some((each) => each.some(({ values }) => values.some((value) => close.some((own) => own.values.includes(value)))))
    )
      continue
    faults.push(drop(`with “${token.word}” another number was said`))
  }
  return faults
}

function ofSomeoneNamed(room: Room, clause: Clause, units: readonly Unit[]): Fault[] {
  const written = numbersOf(clause).filter((numeral) => !numeral.isWeak && !isOfForm(clause.words, numeral))
  const names = clause.tokens.filter(({ word }) => room.names.has(word) && !room.aliases.has(word))
  const [number] = written
  const [name] = names
  if (!number || !name || written.length > 1 || names.length > 1) return []
  const said = units.filter(({ clauses }) => clauses.some(({ tokens }) => tokens.some(({ word }) => word === name.word)))
  const numbers = said
    .flatMap(numbersOfUnit)
    .filter(({ isWeak, unit }) => !isWeak && (unit === number.unit || number.unit === 'clock'))
  const isOther = numbers.length > 0 && !numbers.some((each) => meets(each, number))
  return isOther ? [doubt(`with “${name.word}” another number was said`)] : []
}

const distance = ({ from, to }: Numeral, at: number): number => (at < from ? from - at : at >= to ? at - to + 1 : 0)
