import { drop, short } from './faults.ts'
import type { Evidence } from '#contract/model/note.ts'
import type { Segment } from '#contract/model/transcript.ts'
import type { Room, Fault, Claim, Scope } from './types.ts'
import { plain, runOf } from '../text/words.ts'
import { relationOf, therapistWords } from './people.ts'

export function evidenceIn({ id, start_ms, end_ms }: Pick<Segment, 'id' | 'start_ms' | 'end_ms'>, quote: string): Evidence {
  return { segment_id: id, start_ms, end_ms, quote, quote_sha256: null }
}

/** Corrects the text, segment, and times of quotes. Drops repeated quotes and those without a clear match in the session. */
export function checkedEvidence(room: Room, evidence: readonly Evidence[]): Evidence[] {
  const kept: Evidence[] = []
  for (const each of evidence) {
    const found = placed(room, each)
    if (found !== null && !kept.some((other) => other.segment_id === found.segment_id && other.quote === found.quote))
      kept.push(found)
  }
  return kept
}

function placed(room: Room, each: Evidence): Evidence | null {
  const at = room.places.get(each.segment_id)
  const own = at === undefined ? undefined : room.segments[at]
  if (each.quote === null) return own === undefined ? null : timed(each, own)
  const quote = each.quote.trim()
  if (quote === '') return null
  if (own?.text.includes(each.quote)) return timed(each, own)
  const mended = own === undefined ? null : rawRun(own.text, quote)
  if (own && mended !== null) return timed({ ...each, quote: mended }, own)
  const others = room.segments.flatMap((segment) => {
    const run = segment.text.includes(quote) ? quote : rawRun(segment.text, quote)
    return run === null ? [] : [{ segment, run }]
  })
  const [only] = others
  if (only === undefined || others.length > 1 || runOf(quote).length < 3) return null
  return timed({ ...each, segment_id: only.segment.id, start_ms: null, end_ms: null, quote: only.run }, only.segment)
}

function rawRun(text: string, quote: string): string | null {
  const words = [...text.replaceAll(/[’‘ʼ]/g, "'").matchAll(/[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)*/gu)]
  const run = runOf(quote)
  if (run.length === 0) return null
  const starts = words.flatMap((_, at) => (run.every((word, place) => words[at + place]?.[0].toLowerCase() === word) ? [at] : []))
  const [start] = starts
  if (start === undefined || starts.length > 1) return null
  const first = words[start]
  const last = words[start + run.length - 1]
  return first && last ? text.slice(first.index, last.index + last[0].length) : null
}

function timed(each: Evidence, segment: Segment): Evidence {
  const { start_ms: from, end_ms: to } = segment
  const isWithin =
    from !== null &&
    to !== null &&
    each.start_ms !== null &&
    each.end_ms !== null &&
    each.start_ms >= from &&
    each.end_ms <= to &&
    each.start_ms <= each.end_ms
  return isWithin ? each : { ...each, start_ms: from, end_ms: to }
}

export const evidenceOfQuotes = (room: Room, text: string): Evidence[] =>
  [...plain(text).matchAll(/"([^"]{12,})"/g)].flatMap((match) => {
    const run = runOf(match[1] ?? '')
    const places = room.segments.filter((segment) => rawRun(segment.text, match[1] ?? '') !== null)
    const [only] = places
    if (only === undefined || places.length > 1 || run.length < 3) return []
    const quote = rawRun(only.text, match[1] ?? '')
    return quote === null ? [] : [evidenceIn(only, quote)]
  })

export function quoteFaults(room: Room, claim: Claim, scope: Scope): Fault[] {
  const faults: Fault[] = []
  for (const quote of claim.quotes) {
    const run = runOf(quote.text)
    if (run.length === 0) continue
    const places = scope.cited.filter((at) => holds(runOf(room.segments[at]?.text ?? ''), run))
    if (places.length === 0) {
      faults.push(drop(`“${short(quote.text)}” was not said in these words`))
      continue
    }
    const credited = creditedBefore(room, quote.before)
    if (credited === null || credited.isEcho) continue
    const speakers = places.map((at) => room.speakerAt(at))
    if (speakers.some(({ role }) => role === 'unknown')) continue
    if (!speakers.some((speaker) => credited.ids.includes(speaker.id)) && !isRetold(room, places, quote.text))
      faults.push(drop(`“${short(quote.text)}” was said by somebody else`))
  }
  return faults
}

function isRetold(room: Room, places: readonly number[], quote: string): boolean {
  const words = runOf(quote).join(' ')
  return places.some((at) =>
    new RegExp(`\\b(?:he|she|they|\\p{L}+) (?:said|says|told me|goes|went|was like) ${words}`, 'u').test(
      runOf(room.segments[at]?.text ?? '').join(' '),
    ),
  )
}

const holds = (said: readonly string[], run: readonly string[]): boolean => ` ${said.join(' ')} `.includes(` ${run.join(' ')} `)

const speech =
  /\b(said|says|say|stated|states|reported|reports|answered|answers|replied|replies|described|describes|added|adds|noted|reflected|told|tells|calls|called|put it|explained|confirmed|confirms|agreed|agrees|answer|asked|asks|felt|feels|words|quote|shared|expressed|remarked|observed)\b/gi

function creditedBefore(room: Room, before: string): { readonly ids: readonly string[]; readonly isEcho: boolean } | null {
  const stretch = before.split(/(?<=[.;!?])\s+/).at(-1) ?? ''
  const asked = /^\s*(?:\p{L}+ )*(\p{L}+), asked\b.*:\s*$/u.exec(stretch)?.[1]?.toLowerCase()
  if (asked !== undefined) return { ids: idsFor(room, asked), isEcho: false }
  if (/^\s*said in (?:the )?session\b/i.test(stretch)) return null
  const verbs = [...stretch.matchAll(speech)]
  const verb = verbs.at(-1)
  if (verb === undefined) return /^\W*therapist\W*$/i.test(stretch) ? { ids: room.therapists, isEcho: false } : null
  const isEcho = /^(?:confirm|agree)/i.test(verb[0]) || /\b(?:agreed|confirmed|agrees)\b[^;]*\bwhen\b/i.test(stretch)
  const words = runOf(stretch.slice(0, verb.index))
  const known = words.findLast(
    (word) => room.aliases.has(word) || therapistWords.has(word) || /^(?:he|she|they)$/.test(word) || relationOf(word) !== null,
  )
  const isPassive = /(?:^|, |: )(?:was |when |once )?asked\s*$|^\s*asked\b/i.test(stretch.slice(0, verb.index + verb[0].length))
  if (/^as said|, as said/i.test(stretch)) return null
  if (/^ask/i.test(verb[0]) && (known === undefined || isPassive))
    return { ids: room.participants.filter(({ role }) => role !== 'client').map(({ id }) => id), isEcho: false }
  return { ids: idsFor(room, known), isEcho }
}

function idsFor(room: Room, word: string | undefined): readonly string[] {
  const { clients, therapists, nonTherapists, participants } = room
  if (word === undefined) return clients.length > 0 ? clients : nonTherapists
  if (/^(?:he|she|they)$/.test(word)) return nonTherapists
  const others = participants.filter(({ role }) => role === 'other').map(({ id }) => id)
  return room.aliases.get(word) ?? (therapistWords.has(word) ? therapists : [...others, ...clients])
}
