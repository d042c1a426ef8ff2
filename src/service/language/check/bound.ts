import type { Claim } from './claims.ts'
import { isOfForm } from './figures.ts'
import { isFrame } from './lexicon/frame.ts'
import { keysOf } from './lexicon/synonyms.ts'
import { isNumberWord, numbersOf } from './numbers.ts'
import type { Numeral } from './numbers.ts'
import { relationOf, therapistWords } from './people.ts'
import type { Scope } from './scope.ts'
import type { Clause, Fault, Room, Token, Unit } from './types.ts'
import { runOf } from './words.ts'

/** What stands together in the statement stood together where it was said: a number with its thing, a person with their deed. */
export function boundFaults(room: Room, claim: Claim, scope: Scope): Fault[] {
  const near = [...scope.units, ...scope.beside]
  return [
    ...putRight(claim, near),
    ...turnedRange(claim, scope.units),
    ...claim.clauses.flatMap((clause) =>
      claim.deeds.has(clause.index) || claim.asked.has(clause.index)
        ? []
        : [...otherCount(clause, scope.units), ...otherPerson(room, clause, scope.units)],
    ),
    ...absentPeople(room, claim, scope),
    ...otherKind(claim, scope),
    ...complement(claim, scope),
    ...notAtThem(claim, near),
    ...swappedReporter(room, claim, near),
    ...lastWord(claim, scope),
    ...inCompany(claim, near),
  ]
}

function wordsOf({ tokens }: Clause): string[] {
  return tokens.map(({ word }) => word)
}

function numeralsOf(units: readonly Unit[]): Numeral[] {
  return units.flatMap(({ clauses }) =>
    clauses.flatMap((clause) => numbersOf(clause).filter((numeral) => !isOfForm(wordsOf(clause), numeral))),
  )
}

function meets(one: Numeral, other: Numeral): boolean {
  return one.values.some((value) => other.values.includes(value))
}

/** "After six?" "After eight.": the first number no longer holds. */
function putRight(claim: Claim, near: readonly Unit[]): Fault[] {
  const own = claim.clauses.flatMap((clause) => numbersOf(clause))
  const refused = near
    .filter(({ person }) => person.role !== 'therapist')
    .flatMap((unit) =>
      unit.clauses.flatMap((clause) =>
        numbersOf(clause)
          .filter((numeral) => !numeral.isWeak && clause.tokens[numeral.from]?.isNegated)
          .map((numeral) => ({ numeral, segment: unit.segment })),
      ),
    )
  const isRefused = refused.some(
    ({ numeral, segment }) =>
      own.some((each) => meets(each, numeral)) &&
      !claim.clauses.some((clause) =>
        numbersOf(clause).some((each) => meets(each, numeral) && clause.tokens[each.from]?.isNegated),
      ) &&
      !isTold(near, numeral, segment),
  )
  if (isRefused) return [{ level: 'doubt', reason: 'the number was put right while they spoke' }]
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
      return [{ level: 'doubt', reason: 'the number was put right in the answer' }]
  }
  return []
}

/** Said without a no in some other sentence that is no question. */
function isTold(near: readonly Unit[], numeral: Numeral, segment: number): boolean {
  return near.some((unit) => {
    if (unit.isQuestion && unit.segment < segment) return false
    return unit.clauses.some((clause) =>
      numbersOf(clause).some((each) => meets(each, numeral) && !clause.tokens[each.from]?.isNegated),
    )
  })
}

/** "From sixty to ninety" where it came down from ninety. */
function turnedRange(claim: Claim, units: readonly Unit[]): Fault[] {
  for (const clause of claim.clauses) {
    const words = wordsOf(clause)
    const [low, high] = numbersOf(clause)
    if (!low || !high || words[low.from - 1] !== 'from' || !words.slice(low.to, high.from).includes('to')) continue
    const said = numeralsOf(units)
    const from = said.findIndex((each) => meets(each, low))
    const to = said.findIndex((each) => meets(each, high))
    const isTold = units.some(({ text }) => /\bfrom\b/i.test(text))
    if (from >= 0 && to >= 0 && to < from && !isTold) return [{ level: 'drop', reason: 'the numbers are the other way round' }]
  }
  return []
}

/** "The shoes three times" where the shoes were done once. */
function otherCount(clause: Clause, units: readonly Unit[]): Fault[] {
  const words = wordsOf(clause)
  const numerals = numbersOf(clause).filter((numeral) => !isOfForm(words, numeral))
  const [numeral] = numerals
  if (!numeral || numerals.length !== 1 || !(words[numeral.to] === 'times' || words[numeral.from] === 'twice')) return []
  if (numeralsOf(units).filter((each) => meets(each, numeral)).length > 1) return []
  const own = contentOf(clause)
  const said = units
    .flatMap((unit) => unit.clauses)
    .map((other) => ({
      shared: own.filter((token) => other.tokens.some(({ keys }) => keys[0] === token.keys[0])).length,
      numbers: numbersOf(other),
    }))
  const most = Math.max(0, ...said.map(({ shared }) => shared))
  const best = said.filter(({ shared, numbers }) => shared === most && numbers.length > 0)
  if (most === 0 || best.length === 0 || best.some(({ numbers }) => numbers.some((each) => meets(each, numeral)))) return []
  return [{ level: 'doubt', reason: 'another number was said of this' }]
}

function contentOf(clause: Clause): Token[] {
  return clause.tokens.filter((token) => token.isContent && !isFrame(token.word) && !isNumberWord(token.word))
}

/** "Fine at his father's" where it was fine at Mum's. */
function otherPerson(room: Room, clause: Clause, units: readonly Unit[]): Fault[] {
  const people = mentioned(room, clause)
  if (people.length !== 1) return []
  const [person = ''] = people
  const telling = /\b(?:told|tells?|said (?:it |that )?to|mentioned (?:it |that )?to)\b/
  if (/\btold\b/.test(clause.text)) {
    const told = units
      .flatMap(({ clauses, isQuestion }) => (isQuestion ? [] : clauses))
      .filter((other) => telling.test(other.text))
      .map((other) => mentioned(room, other))
    if (told.length > 0 && told.every((each) => each.length > 0 && !each.includes(person)))
      return [{ level: 'doubt', reason: 'somebody else was told' }]
  }
  for (const token of clause.tokens) {
    if ((!token.isContent && !/^(?:fine|well|good)$/.test(token.word)) || isPersonWord(room, token.word)) continue
    const said = units
      .flatMap((unit) => (unit.isQuestion ? [] : unit.clauses))
      .filter((other) => other.tokens.some(({ word }) => word === token.word))
    const others = said.map((other) => mentioned(room, other))
    if (said.length > 0 && others.every((each) => each.length > 0 && !each.includes(person)))
      return [{ level: 'doubt', reason: `“${token.word}” was said with somebody else` }]
  }
  return []
}

function isPersonWord(room: Room, word: string): boolean {
  return room.aliases.has(word) || relationOf(word) !== null || room.names.has(word)
}

/** Other people in a clause, beside whoever does it: after "at", "with", "to" and the like. */
function mentioned(room: Room, clause: Clause): string[] {
  return clause.tokens.flatMap(({ word }, at) => {
    const before = clause.tokens
      .slice(Math.max(0, at - 3), at)
      .map((token) => token.word)
      .join(' ')
    if (!/\b(?:at|with|to|from|for|told|tell|tells|asked)(?: (?:my|his|her|their|the))?$/.test(before)) return []
    const relation = relationOf(word)
    const [alias] = room.aliases.get(word) ?? []
    const isMain = room.participants.some(({ id, role }) => id === alias && (role === 'client' || role === 'therapist'))
    if (isMain) return []
    return alias !== undefined ? [alias] : relation !== null ? [relation] : []
  })
}

/** Somebody of the room who neither spoke, nor was spoken to or of, where the statement points. */
function absentPeople(room: Room, claim: Claim, scope: Scope): Fault[] {
  const near = [...scope.units, ...scope.beside]
  const heard = new Set(near.flatMap(({ text }) => runOf(text).map((word) => word.replace(/'s$/, ''))))
  const speakers = new Set(near.flatMap(({ person, reply }) => (reply ? [person.id, reply.by.id] : [person.id])))
  for (const word of runOf(claim.own.replaceAll(/'s\b/g, ''))) {
    const ids = room.aliases.get(word)
    if (!ids || therapistWords.has(word) || /^(?:client|patient)$/.test(word)) continue
    const isMain =
      room.participants.some(({ id, role }) => ids.includes(id) && role === 'client') &&
      room.participants.filter(({ role }) => role === 'client').length === 1
    if (
      isMain ||
      ids.some((id) => speakers.has(id)) ||
      [...room.aliases].some(([other, same]) => heard.has(other) && same.some((id) => ids.includes(id)))
    )
      continue
    const others = [...room.names].some((name) => heard.has(name) && !room.aliases.has(name) && !runOf(claim.own).includes(name))
    const isMeant = near.some(({ text }) => /\b(?:he|him|his|she|her|they|them)\b/i.test(text)) && !others
    if (!isMeant) return [{ level: 'doubt', reason: `“${word}” is not spoken of where the statement points` }]
  }
  return []
}

/** "The railway station" where it was the petrol station. */
function otherKind(claim: Claim, scope: Scope): Fault[] {
  const units = [...scope.units, ...scope.beside]
  const all = [...units, ...scope.around]
  const isHeard = (key: string): boolean => all.some(({ keys }) => keys.has(key))
  for (const clause of claim.clauses) {
    for (const [at, token] of clause.tokens.entries()) {
      const next = clause.tokens[at + 1]
      if (
        !next?.isContent ||
        !token.isContent ||
        isFrame(token.word) ||
        isFrame(next.word) ||
        keysOf(token.word).length > 1 ||
        /(?:ed|ing|ly|s|th)$/.test(token.word)
      )
        continue
      if (token.keys.some(isHeard) || isNumberWord(token.word)) continue
      const before = units.flatMap((unit) =>
        unit.clauses.flatMap(({ tokens }) =>
          tokens.flatMap((other, place) => (other.keys[0] === next.keys[0] ? [tokens[place - 1]] : [])),
        ),
      )
      if (before.length > 0 && before.every((other) => other?.isContent === true))
        return [{ level: 'doubt', reason: `“${token.word} ${next.word}” was not said` }]
    }
  }
  return []
}

/** "Irene says I'm less snappy" is not what he says of Irene. */
function swappedReporter(room: Room, claim: Claim, near: readonly Unit[]): Fault[] {
  const said = /\b(\w+) (?:says|said|thinks|reckons|believes|thought) (?:that )?(?:i|i'm|im)\b/i
  const written =
    /^\W*(?:the )?(\w+) (?:says|said|thinks|thought|believes|reports|reported) (?:that )?(?:his |her |their )?(\w+)\b/i.exec(
      claim.own,
    )
  const [, reporter = '', subject = ''] = written ?? []
  if (subject === '' || !(room.aliases.has(reporter.toLowerCase()) || /^(?:he|she|they|client)$/i.test(reporter))) return []
  const isSwapped = near.some(({ text }) => said.exec(text.replaceAll('’', "'"))?.[1]?.toLowerCase() === subject.toLowerCase())
  return isSwapped ? [{ level: 'drop', reason: `“${subject}” said this, and of the other` }] : []
}

const whenWords = /\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tonight|tomorrow|today|weekend)\b/gi

/** "On my own" is not "with the boys". */
function inCompany(claim: Claim, near: readonly Unit[]): Fault[] {
  for (const clause of claim.clauses) {
    if (!/\bwith (?:the|his|her|their|a)? ?\w+/.test(clause.text) || /\b(?:alone|own|herself|himself)\b/.test(clause.text))
      continue
    const own = contentOf(clause)
    const lonely = near
      .flatMap((unit) => (unit.person.role === 'therapist' ? [] : unit.clauses))
      .filter(({ text }) => /\b(?:on my own|by myself|alone)\b/.test(text))
    if (
      lonely.some((other) => own.some((token) => other.tokens.some((said) => said.isContent && said.keys[0] === token.keys[0])))
    )
      return [{ level: 'doubt', reason: 'this was done alone, as it was said' }]
  }
  return []
}

/** Of what was offered one after the other, the last holds. */
function lastWord(claim: Claim, scope: Scope): Fault[] {
  const own = claim.clauses.flatMap(numbersOf).filter(({ isWeak }) => !isWeak)
  const near = [...scope.units, ...scope.beside].toSorted((left, right) => left.segment - right.segment || left.from - right.from)
  const days = (text: string): string[] => [...text.matchAll(whenWords)].map((match) => match[0].toLowerCase())
  const ownDays = days(claim.own)
  for (const question of near) {
    const answer = near.filter(({ segment }) => segment === question.reply?.segment)
    if (question.person.role !== 'therapist' || !question.isQuestion || answer.length === 0) continue
    const asked = days(question.text)
    const answered = answer.flatMap(({ text }) => days(text))
    if (
      asked.length === 1 &&
      answered.length > 0 &&
      !answered.includes(asked[0] ?? '') &&
      ownDays.includes(asked[0] ?? '') &&
      !ownDays.some((day) => answered.includes(day))
    )
      return [{ level: 'doubt', reason: 'another day was given in the answer' }]
  }
  const cited = scope.cited.filter((at) => numeralsOf(near.filter(({ segment }) => segment === at)).some(({ isWeak }) => !isWeak))
  const last = cited.at(-1)
  if (cited.length < 2 || last === undefined || own.length !== 1) return []
  const final = near.filter(({ segment }) => segment === last)
  const agreed = numeralsOf(final).filter(({ isWeak, unit }) => !isWeak && unit !== 'clock')
  const lastTwo = cited.slice(-2).flatMap((at) => numeralsOf(near.filter(({ segment }) => segment === at)))
  const [sole] = own
  if (
    cited.length >= 3 &&
    sole &&
    !lastTwo.some((numeral) => meets(numeral, sole)) &&
    final[0]?.person.role !== 'therapist' &&
    /\bi can\b|\bi'll\b|^(?:ok|okay|yes|fine)/i.test(final[0]?.text ?? '')
  )
    return [{ level: 'doubt', reason: 'another number was settled on' }]
  const isShort = final.reduce((sum, { text }) => sum + text.length, 0) < 60
  const isSettling =
    /^(?:ok|okay|fine|yes|right|all right|good|deal)\b/i.test(final[0]?.text ?? '') ||
    (final[0]?.person.role === 'therapist' && /\bthen\b/i.test(final[0].text))
  const [only] = own
  if (
    isShort &&
    isSettling &&
    only &&
    agreed.length > 0 &&
    !agreed.some((numeral) => meets(numeral, only)) &&
    cited
      .slice(0, -1)
      .some((at) => numeralsOf(near.filter(({ segment }) => segment === at)).some((numeral) => meets(numeral, only)))
  )
    return [{ level: 'doubt', reason: 'another number was settled on' }]
  return []
}

/** "I threw it. Not at him." */
function notAtThem(claim: Claim, near: readonly Unit[]): Fault[] {
  for (const unit of near) {
    const [, preposition = ''] = /^not (at|to|with|for|by|from) (?:him|her|them|me|anyone|anybody|you)\b/i.exec(unit.text) ?? []
    if (preposition === '') continue
    const aimed = new RegExp(`\\b${preposition} (?:the |his |her |their |my )?(\\w+)`, 'i').exec(claim.own)
    const word = aimed?.[1]?.toLowerCase() ?? ''
    if (relationOf(word) !== null || /^(?:him|her|them|somebody|someone)$/.test(word))
      return [{ level: 'drop', reason: `“${aimed?.[0] ?? ''}” was said with a no` }]
  }
  return []
}

/** "Told him that ..." with nothing of what he was told. */
function complement(claim: Claim, scope: Scope): Fault[] {
  const heard = new Set([...scope.units, ...scope.beside].flatMap(({ keys }) => [...keys]))
  for (const clause of claim.clauses) {
    const words = wordsOf(clause)
    const told = words.findIndex((word) => /^(?:told|tells)$/.test(word))
    const at = words.indexOf('that', told + 1)
    if (told < 0 || at < 0 || claim.deeds.has(clause.index)) continue
    const own = clause.tokens.slice(at + 1).filter((token) => token.isContent && !isFrame(token.word))
    if (own.length > 0 && own.every(({ keys }) => !keys.some((key) => heard.has(key))))
      return [{ level: 'doubt', reason: 'nothing of what was told was said there' }]
  }
  return []
}
