import { clausesOf } from './clauses.ts'
import { anybody, doersFor, therapistWords, namesWritten, couldBeName } from './people.ts'
import type { Clause, Room, Unit } from './types.ts'
import { isFrame } from './lexicon/words.ts'
import { plain } from '../text/words.ts'
import { isIrregularPast } from '../text/verbs.ts'
import type { Evidence } from '#contract/model/note.ts'

const marks = /"([^"]*)"/g

export function claimOf(room: Room, written: string) {
  const text = plain(written)
  const quotes = [...text.matchAll(marks)].map((match) => ({ text: match[1] ?? '', before: text.slice(0, match.index) }))
  const own = text.replace(marks, ' ')
  const names = new Set([...room.names, ...namesWritten(own), ...nameAtStart(room, own)])
  const { clients } = room
  const doers = doersFor({
    self: null,
    addressee: [],
    standing: clients.length === 1 ? clients : [anybody],
    aliases: room.aliases,
    names,
    clients,
    pronoun: room.pronoun,
  })
  const clauses = clausesOf(withoutLabel(own), doers)
  const ends = (clause: Clause): boolean => /[;.:]/.test(clause.after) || (isOwn(clause, room) && answers.test(clause.text))
  return {
    text,
    quotes,
    own,
    clauses,
    deeds: deedsIn(clauses, room),
    asked: stretchOf(
      clauses,
      (clause) => asks.test(clause.text),
      (clause) => ends(clause) || answers.test(clause.text),
    ),
    denied: stretchOf(
      clauses,
      isDenial,
      (clause) =>
        ends(clause) ||
        /^(?:but|while|though|although)\b/.test(clause.text) ||
        /^(?:said|reports?|has|is|was|and (?:has|is|was))\b/.test(clause.text),
    ),
  }
}

const deedsIn = (clauses: readonly Clause[], room: Room): Set<number> =>
  stretchOf(
    clauses,
    (clause) => therapistWords.has(firstWord(clause)),
    (clause) => isOwn(clause, room) && (/[;.]/.test(clause.after) || answers.test(clause.text)),
  )

const answers =
  /^(?:\w+ ){1,3}(?:agreed|agrees|said|says|answered|answers|confirmed|added|did not answer|replied|felt|had not|noted)\b/

function isOwn(clause: Clause, room: Room): boolean {
  const first = firstWord(clause)
  return room.aliases.has(first) || /^(?:he|she|they|client|patient|both)$/.test(first)
}

function firstWord({ tokens }: Clause): string {
  const [first = '', second = ''] = tokens.map(({ word }) => word)
  return first === 'the' ? second : first
}

/** "Dee brought her a coffee": the verb after the first word shows that the word is a name. */
const nameAtStart = (room: Room, own: string): string[] =>
  [...own.matchAll(/(?:^|[.;] )(\p{Lu}\p{Ll}+) (\p{Ll}+)/gu)].flatMap(([, first = '', second = '']) => {
    const name = first.toLowerCase()
    const isWord = !couldBeName(name) || room.aliases.has(name)
    const does =
      !(isFrame(second) && /[^s]s$/.test(second)) &&
      (isIrregularPast(second) || /^(?:is|has|will|can|could|would|had|does)$|[^e]ed$|[^s]s$/.test(second))
    return !isWord && does && room.vocabulary.has(name) && !/(?:ing|ed|s|ly)$/.test(name) ? [name] : []
  })

function stretchOf(
  clauses: readonly Clause[],
  opens: (clause: Clause) => boolean,
  closes: (clause: Clause) => boolean,
): Set<number> {
  const taken = new Set<number>()
  let isInside = false
  for (const clause of clauses) {
    if (opens(clause)) isInside = true
    else if (isInside && closes(clause)) isInside = false
    if (isInside) taken.add(clause.index)
  }
  return taken
}

const asks =
  /^(?:(?:when|once) )?(?:(?:the )?(?:therapist|clinician|counsell?or) )?(?:(?:he|she|they|\w+) (?:was|were) )?(?:questions )?(?:asked|asks|enquired|inquired|screened)\b/

export const isDenial = (clause: Clause): boolean => /\bden(?:y|ies|ied|ying)\b/.test(clause.text)

const withoutLabel = (own: string): string =>
  own.replace(/^\s*\p{Lu}[\p{L} ,'/-]{0,50}:\s+(?=\S)/u, (label) => {
    const isTold = /\b(?:therapist|clinician|counsell?or|asked|said|he|she|they)\b/i.test(label)
    return isTold || label.trim().split(/\s+/).length > 5 ? label : ''
  })

const REACH = 3

export function scopeOf(room: Room, evidence: readonly Evidence[]) {
  const cited = [...new Set(evidence.flatMap(({ segment_id }) => room.places.get(segment_id) ?? []))].toSorted((a, b) => a - b)
  const taken = new Set(cited)
  const units = cited.flatMap((at) => room.unitsAt(at))
  const take = (at: number | null | undefined): readonly Unit[] => {
    if (at == null || taken.has(at)) return []
    taken.add(at)
    return room.unitsAt(at)
  }
  const beside = cited.flatMap((at) => {
    const last = room.unitsAt(at).at(-1)
    return [...take(questionBefore(room, at)), ...take(last?.isQuestion === true ? last.reply?.segment : null)]
  })
  const around = cited.flatMap((at) => placesAround(room, at).flatMap((place) => take(place)))
  return { cited, units, beside, near: [...units, ...beside], around }
}

function placesAround({ segments }: Room, at: number): number[] {
  const from = Math.max(0, at - REACH)
  return segments.slice(from, at + REACH + 1).map((_, place) => from + place)
}

function questionBefore(room: Room, at: number): number | null {
  const person = room.speakerAt(at)
  for (let place = at - 1; place >= Math.max(0, at - 2); place -= 1) {
    const other = room.speakerAt(place)
    if (other.id === person.id) continue
    return room.unitsAt(place).length > 0 && person.role !== 'therapist' ? place : null
  }
  return null
}
