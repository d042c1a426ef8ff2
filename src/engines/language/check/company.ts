import { contentOf } from './bound-kit.ts'
import type { Claim } from './claims.ts'
import { relationOf, therapistWords } from './people.ts'
import type { Scope } from './scope.ts'
import type { Clause, Fault, Room, Unit } from './types.ts'
import { runOf } from './words.ts'

/** "Fine at his father's" where it was fine at Mum's. */
export function otherPerson(room: Room, clause: Clause, units: readonly Unit[]): Fault[] {
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
export function absentPeople(room: Room, claim: Claim, scope: Scope): Fault[] {
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

/** "Irene says I'm less snappy" is not what he says of Irene. */
export function swappedReporter(room: Room, claim: Claim, near: readonly Unit[]): Fault[] {
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

/** "On my own" is not "with the boys". */
export function inCompany(claim: Claim, near: readonly Unit[]): Fault[] {
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

/** "I threw it. Not at him." */
export function notAtThem(claim: Claim, near: readonly Unit[]): Fault[] {
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
