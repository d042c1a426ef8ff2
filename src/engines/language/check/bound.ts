import { doubt, drop, keysIn } from './faults.ts'
import type { Claim, Scope, Clause, Fault, Room, Token, Unit } from './types.ts'
import { isOfForm } from './figures.ts'
import { isRegister, keysOf } from './lexicon/words.ts'
import { numbersOf } from './clauses.ts'
import { isNumberWord, meets } from '../text/numbers.ts'
import { againstItself, lastWord, leftBehind, putRight, takenBack, turnedRange, contentOf, numeralsOf } from './settled.ts'
import { relationOf, therapistWords } from './people.ts'
import { runOf } from '../text/words.ts'

export function boundFaults(room: Room, claim: Claim, scope: Scope): Fault[] {
  const { near } = scope
  return [
    ...putRight(claim, near),
    ...takenBack(claim, near),
    ...leftBehind(claim, scope),
    ...turnedRange(claim, scope.units),
    ...againstItself(claim),
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

function otherCount(clause: Clause, units: readonly Unit[]): Fault[] {
  const { words } = clause
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
  return [doubt('another number was said of this')]
}

/** The statement says "the railway station", but the source says the gas station. */
function otherKind(claim: Claim, scope: Scope): Fault[] {
  const heard = keysIn([...scope.near, ...scope.around])
  const isPlain = (token: Token | undefined): boolean => token !== undefined && token.isTelling && !isRegister(token.word)
  for (const { tokens } of claim.clauses) {
    for (const [at, token] of tokens.entries()) {
      const next = tokens[at + 1]
      if (!next || !isPlain(token) || !isPlain(next) || keysOf(token.word).length > 1 || isNumberWord(token.word)) continue
      if (/(?:ed|ing|ly|s|th)$/.test(token.word) || token.keys.some((key) => heard.has(key))) continue
      const before = scope.near
        .flatMap(({ clauses }) => clauses)
        .flatMap(({ tokens: said }) => said.flatMap((other, place) => (other.keys[0] === next.keys[0] ? [said[place - 1]] : [])))
      if (before.length > 0 && before.every((other) => other?.isContent === true))
        return [doubt(`“${token.word} ${next.word}” was not said`)]
    }
  }
  return []
}

function complement(claim: Claim, scope: Scope): Fault[] {
  const heard = keysIn(scope.near)
  for (const clause of claim.clauses) {
    const { words } = clause
    const told = words.findIndex((word) => /^(?:told|tells)$/.test(word))
    const at = words.indexOf('that', told + 1)
    if (told < 0 || at < 0 || claim.deeds.has(clause.index)) continue
    const own = clause.tokens.slice(at + 1).filter(({ isTelling }) => isTelling)
    if (own.length > 0 && own.every(({ keys }) => !keys.some((key) => heard.has(key))))
      return [doubt('nothing of what was told was said there')]
  }
  return []
}

/** The statement says "fine at his father's", but the source says it was fine at Mom's. */
function otherPerson(room: Room, clause: Clause, units: readonly Unit[]): Fault[] {
  const [person, ...others] = mentioned(room, clause)
  if (person === undefined || others.length > 0) return []
  const said = units.flatMap(({ clauses, isQuestion }) => (isQuestion ? [] : clauses))
  const isOfOthers = (clauses: readonly Clause[]): boolean => {
    const people = clauses.map((other) => mentioned(room, other))
    return people.length > 0 && people.every((each) => each.length > 0 && !each.includes(person))
  }
  if (/\btold\b/.test(clause.text) && isOfOthers(said.filter(({ text }) => telling.test(text))))
    return [doubt('somebody else was told')]
  const token = clause.tokens.find(
    ({ word, isContent }) =>
      (isContent || /^(?:fine|well|good)$/.test(word)) &&
      !room.isNamed(word) &&
      relationOf(word) === null &&
      isOfOthers(said.filter(({ words }) => words.includes(word))),
  )
  return token ? [doubt(`“${token.word}” was said with somebody else`)] : []
}

const telling = /\b(?:told|tells?|said (?:it |that )?to|mentioned (?:it |that )?to)\b/

const mentioned = (room: Room, clause: Clause): string[] =>
  clause.tokens.flatMap(({ word }, at) => {
    const before = clause.words.slice(Math.max(0, at - 3), at).join(' ')
    if (!/\b(?:at|with|to|from|for|told|tell|tells|asked)(?: (?:my|his|her|their|the))?$/.test(before)) return []
    const relation = relationOf(word)
    const [alias] = room.aliases.get(word) ?? []
    const isMain = room.participants.some(({ id, role }) => id === alias && (role === 'client' || role === 'therapist'))
    if (isMain) return []
    return alias !== undefined ? [alias] : relation !== null ? [relation] : []
  })

function absentPeople(room: Room, claim: Claim, scope: Scope): Fault[] {
  const { near } = scope
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
    if (!isMeant) return [doubt(`“${word}” is not spoken of where the statement points`)]
  }
  return []
}

/** The client said "Irene says I'm less snappy", but the statement says "Client says Irene is less snappy". */
function swappedReporter(room: Room, claim: Claim, near: readonly Unit[]): Fault[] {
  const said = /\b(\w+) (?:says|said|thinks|reckons|believes|thought) (?:that )?(?:i|i'm|im)\b/i
  const written =
    /^\W*(?:the )?(\w+) (?:says|said|thinks|thought|believes|reports|reported) (?:that )?(?:his |her |their )?(\w+)\b/i.exec(
      claim.own,
    )
  const [, reporter = '', subject = ''] = written ?? []
  if (subject === '' || !(room.aliases.has(reporter.toLowerCase()) || /^(?:he|she|they|client)$/i.test(reporter))) return []
  const isSwapped = near.some(({ text }) => said.exec(text.replaceAll('’', "'"))?.[1]?.toLowerCase() === subject.toLowerCase())
  return isSwapped ? [drop(`“${subject}” said this, and of the other`)] : []
}

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
      return [doubt('this was done alone, as it was said')]
  }
  return []
}

function notAtThem(claim: Claim, near: readonly Unit[]): Fault[] {
  for (const unit of near) {
    const [, preposition = ''] = /^not (at|to|with|for|by|from) (?:him|her|them|me|anyone|anybody|you)\b/i.exec(unit.text) ?? []
    if (preposition === '') continue
    const aimed = new RegExp(`\\b${preposition} (?:the |his |her |their |my )?(\\w+)`, 'i').exec(claim.own)
    const word = aimed?.[1]?.toLowerCase() ?? ''
    if (relationOf(word) !== null || /^(?:him|her|them|somebody|someone)$/.test(word))
      return [drop(`“${aimed?.[0] ?? ''}” was said with a no`)]
  }
  return []
}
