import { z } from 'zod'
import type { Participant } from '#contract/model/session.ts'
import { type Segment, type Speaker, speakerSchema, type Transcript } from '#contract/model/transcript.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { wordRuns } from '#base/word-runs.ts'

const speakerFactSchema = z.object({ start_ms: z.number(), end_ms: z.number(), speaker: speakerSchema })
export type SpeakerFact = z.infer<typeof speakerFactSchema>

type Voiced = Pick<Transcript, 'speakers' | 'segments'>

export function factsAfter(facts: readonly SpeakerFact[], before: Voiced, after: Voiced): SpeakerFact[] {
  const known = new Map(before.segments.map((segment) => [segment.id, segment]))
  let said = [...facts]
  for (const segment of after.segments) {
    const { start_ms, end_ms } = segment
    const old = known.get(segment.id)
    if (old === undefined || start_ms === null || end_ms === null || end_ms <= start_ms) continue
    const speaker = speakerOf(after, segment)
    if (isSamePerson(speakerOf(before, old), speaker)) continue
    said = said.flatMap((fact) => without(fact, start_ms, end_ms))
    if (speaker !== null && speaker.role !== 'unknown') said.push({ start_ms, end_ms, speaker })
  }
  return said.toSorted((left, right) => left.start_ms - right.start_ms)
}

export function applyFacts<Whole extends Voiced>(transcript: Whole, facts: readonly SpeakerFact[]): Whole {
  if (facts.length === 0) return transcript
  const people = peopleOf(transcript.speakers, facts)
  const named = namedVoices(transcript.segments, facts, people)
  const segments = transcript.segments.flatMap((segment) => claim(segment, facts, people, named))
  const used = new Set(segments.map(({ speaker_id }) => speaker_id))
  const speakers = [...people.all.values()].filter(({ id }) => used.has(id))
  const isSame = JSON.stringify([speakers, segments]) === JSON.stringify([transcript.speakers, transcript.segments])
  return isSame ? transcript : { ...transcript, speakers, segments }
}

interface People {
  readonly all: ReadonlyMap<string, Speaker>
  readonly idOf: (fact: SpeakerFact) => string
}

/**
 * Speaker ids are valid for one run of an engine. An assigned person gets the id of this run's speaker with the same role and,
 * except for a therapist, the same label, or else an unused id: the old one if possible.
 */
function peopleOf(speakers: readonly Speaker[], facts: readonly SpeakerFact[]): People {
  const all = new Map(speakers.map((speaker) => [speaker.id, speaker]))
  const ids = new Map<string, string>()
  for (const { speaker } of facts) {
    const key = personKey(speaker)
    if (ids.has(key)) continue
    const same = [...all.values()].find((other) => personKey(other) === key)
    const id = same?.id ?? freeId(speaker.id, all)
    ids.set(key, id)
    all.set(id, { ...speaker, id })
  }
  return { all, idOf: ({ speaker }) => ids.get(personKey(speaker))! }
}

function freeId(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  let id = wanted
  for (let number = 2; taken.has(id); number++) id = `${wanted.slice(0, 58)}-${number}`
  return id
}

/** Maps voices to the person who was assigned more than half of the voice's time, if there is one. */
function namedVoices(segments: readonly Segment[], facts: readonly SpeakerFact[], people: People): Map<string, string> {
  const voices = new Map<string, { total: number; said: Map<string, number> }>()
  for (const { speaker_id, start_ms, end_ms } of segments) {
    if (speaker_id === null || start_ms === null || end_ms === null) continue
    const voice = voices.get(speaker_id) ?? { total: 0, said: new Map<string, number>() }
    voices.set(speaker_id, voice)
    voice.total += end_ms - start_ms
    for (const fact of factsWithin(facts, start_ms, end_ms)) {
      const id = people.idOf(fact)
      voice.said.set(id, (voice.said.get(id) ?? 0) + overlap(fact, start_ms, end_ms))
    }
  }
  const named = new Map<string, string>()
  for (const [voice, { total, said }] of voices) for (const [id, ms] of said) if (ms * 2 > total) named.set(voice, id)
  return named
}

function claim(segment: Segment, facts: readonly SpeakerFact[], people: People, named: ReadonlyMap<string, string>): Segment[] {
  const { speaker_id, start_ms, end_ms, words } = segment
  const own = speaker_id === null ? null : (named.get(speaker_id) ?? speaker_id)
  if (start_ms === null || end_ms === null) return [{ ...segment, speaker_id: own }]
  const near = factsWithin(facts, start_ms, end_ms)
  if (near.length === 0) return [{ ...segment, speaker_id: own }]
  const saidAt = (ms: number): string | null => {
    const fact = near.find((each) => each.start_ms <= ms && ms < each.end_ms)
    return fact === undefined ? own : people.idOf(fact)
  }
  const byWord =
    words === undefined
      ? null
      : cutAtWords(
          segment,
          words.map((word) => saidAt((word.start_ms + word.end_ms) / 2)),
        )
  return byWord ?? [{ ...segment, speaker_id: mostSaid(near, start_ms, end_ms, people) ?? own }]
}

function mostSaid(facts: readonly SpeakerFact[], start: number, end: number, people: People): string | null {
  const shares = new Map<string, number>()
  for (const fact of facts) shares.set(people.idOf(fact), (shares.get(people.idOf(fact)) ?? 0) + overlap(fact, start, end))
  const covered = [...shares.values()].reduce((sum, share) => sum + share, 0)
  if (covered * 2 < end - start) return null
  return [...shares].reduce((best, share) => (share[1] > best[1] ? share : best))[0]
}

function factsWithin(facts: readonly SpeakerFact[], start: number, end: number): SpeakerFact[] {
  return facts.filter((fact) => fact.start_ms < end && fact.end_ms > start)
}

function overlap(fact: SpeakerFact, start: number, end: number): number {
  return Math.max(0, Math.min(end, fact.end_ms) - Math.max(start, fact.start_ms))
}

function without(fact: SpeakerFact, start: number, end: number): SpeakerFact[] {
  if (fact.end_ms <= start || fact.start_ms >= end) return [fact]
  return [
    { ...fact, end_ms: start },
    { ...fact, start_ms: end },
  ].filter((part) => part.end_ms > part.start_ms)
}

const speakerOf = ({ speakers }: Voiced, { speaker_id }: Segment): Speaker | null =>
  speakers.find(({ id }) => id === speaker_id) ?? null

const personKey = ({ role, label }: Speaker): string => (role === 'therapist' ? role : JSON.stringify([role, label]))

function isSamePerson(left: Speaker | null, right: Speaker | null): boolean {
  if (left === null || right === null) return left === right
  return left.id === right.id && personKey(left) === personKey(right)
}

function cutAtWords(segment: Segment, speakers: readonly (string | null)[]): Segment[] | null {
  const runs = wordRuns(segment, () => speakers)
  return (
    runs?.map(({ whose, from, ...run }) => ({
      ...segment,
      ...run,
      id: from === 0 ? segment.id : `${segment.id}-${from + 1}`.slice(-64),
      speaker_id: whose,
    })) ?? null
  )
}

const factsSchema = z.array(speakerFactSchema)

/** Stores the user's speaker assignments with the recording's id, because their times count from the start of the recording. */
export function createSpeakerFactRepository(db: Sqlite) {
  const read = db.prepare('select facts from speaker_facts where session_id = ? and recording_id = ?').pluck()
  const write = db.prepare('insert or replace into speaker_facts (session_id, recording_id, facts) values (?, ?, ?)')
  const remove = db.prepare('delete from speaker_facts where session_id = ?')
  return {
    get(sessionId: string, recordingId: string): SpeakerFact[] {
      const facts = read.get(sessionId, recordingId) as string | undefined
      return facts === undefined ? [] : factsSchema.parse(JSON.parse(facts))
    },
    put(sessionId: string, recordingId: string, facts: readonly SpeakerFact[]): void {
      if (facts.length === 0) remove.run(sessionId)
      else write.run(sessionId, recordingId, JSON.stringify(facts))
    },
  }
}

interface Known {
  readonly therapist: string
  readonly client: string
  readonly participants: readonly Participant[]
}

/** Labels a speaker with the known name for the role, if no other speaker has that role. Engines do not know names. */
export function nameSpeakers<Whole extends Pick<Transcript, 'speakers'>>(
  transcript: Whole,
  { therapist, client, participants }: Known,
): Whole {
  const clients = participants.filter(({ role }) => role === 'client').map(({ name }) => name)
  const name = {
    therapist,
    client: participants.length === 0 ? client : clients.length === 1 ? clients[0]! : '',
    other: '',
    unknown: '',
  }
  const speakers = transcript.speakers.map((speaker) => {
    const isOnly = transcript.speakers.filter(({ role }) => role === speaker.role).length === 1
    return isOnly && name[speaker.role] !== '' ? { ...speaker, label: name[speaker.role] } : speaker
  })
  return speakers.some((speaker, index) => speaker !== transcript.speakers[index]) ? { ...transcript, speakers } : transcript
}
