import { clausesOf } from './clauses.ts'
import { anybody, doersFor, relationOf, therapistWords } from './people.ts'
import type { Clause, Room } from './types.ts'
import { isFrame } from './lexicon/frame.ts'
import { pastForms } from './lexicon/irregular.ts'
import { keysOf } from './lexicon/synonyms.ts'
import { namesWritten } from './names-written.ts'
import { isContent, plain } from './words.ts'

/** A statement taken apart: what it quotes, and what it says in words of its own. */
export interface Claim {
  readonly text: string
  readonly quotes: readonly { readonly text: string; readonly before: string }[]
  /** Without what stands in quotation marks. */
  readonly own: string
  readonly clauses: readonly Clause[]
  /** Clauses that tell what the therapist asked, said, offered or did: deeds in the room, not facts about the client. */
  readonly deeds: ReadonlySet<number>
  /** "Asked whether she drinks": the question's words, open until answered. */
  readonly asked: ReadonlySet<number>
  readonly denied: ReadonlySet<number>
}

const marks = /"([^"]*)"/g

export function claimOf(room: Room, written: string): Claim {
  const text = plain(written)
  const quotes = [...text.matchAll(marks)].map((match) => ({ text: match[1] ?? '', before: text.slice(0, match.index) }))
  const own = text.replace(marks, ' ')
  const names = new Set([...room.names, ...namesWritten(own), ...nameAtStart(room, own)])
  const clients = room.participants.filter(({ role }) => role === 'client').map(({ id }) => id)
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

function deedsIn(clauses: readonly Clause[], room: Room): Set<number> {
  return stretchOf(
    clauses,
    (clause) => therapistWords.has(firstWord(clause)),
    (clause) => isOwn(clause, room) && (/[;.]/.test(clause.after) || answers.test(clause.text)),
  )
}

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

/** "Dee brought her a coffee", where the transcript writes no capitals: no word of the language, and somebody who does something. */
function nameAtStart(room: Room, own: string): string[] {
  return [...own.matchAll(/(?:^|[.;] )(\p{Lu}\p{Ll}+) (\p{Ll}+)/gu)].flatMap(([, first = '', second = '']) => {
    const name = first.toLowerCase()
    const isWord =
      !isContent(name) || isFrame(name) || keysOf(name).length > 1 || relationOf(name) !== null || room.aliases.has(name)
    const does =
      !(isFrame(second) && /[^s]s$/.test(second)) &&
      (pastForms.has(second) || /^(?:is|has|will|can|could|would|had|does)$|[^e]ed$|[^s]s$/.test(second))
    return !isWord && does && room.vocabulary.has(name) && !/(?:ing|ed|s|ly)$/.test(name) ? [name] : []
  })
}

/** From a clause that opens it to the one before what closes it. */
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

export function isDenial(clause: Clause): boolean {
  return /\bden(?:y|ies|ied|ying)\b/.test(clause.text)
}

/** "Sleep: ..." names the matter and says nothing of it. */
function withoutLabel(own: string): string {
  return own.replace(/^\s*\p{Lu}[\p{L} ,'/-]{0,50}:\s+(?=\S)/u, (label) => {
    const isTold = /\b(?:therapist|clinician|counsell?or|asked|said|he|she|they)\b/i.test(label)
    return isTold || label.trim().split(/\s+/).length > 5 ? label : ''
  })
}
