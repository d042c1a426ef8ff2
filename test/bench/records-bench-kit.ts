import { newId } from '#base/ids.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { Client } from '#contract/model/client.ts'
import type { Session } from '#contract/model/session.ts'
import type { Segment } from '#contract/model/transcript.ts'
import { createRepositories } from '#core/records/repositories.ts'

export function report(name: string, value: number, unit: string, most: number): void {
  const shown = value < 10 ? value.toFixed(2) : value.toFixed(0)
  process.stdout.write(`${value <= most ? 'met' : 'missed'}  ${name}  ${shown} ${unit}  ${most} ${unit} at most\n`)
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.POSITIVE_INFINITY
}

/** The same numbers every time (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Made-up words; how often each is said falls off as in speech (Zipf). */
export const vocabulary: readonly string[] = (() => {
  const random = seeded(1)
  const syllables = ['ba', 'de', 'ki', 'lo', 'mu', 'ne', 'pa', 'ri', 'so', 'tu', 'va', 'we', 'sha', 'tro', 'gli', 'fen']
  const words = new Set<string>()
  while (words.size < 20_000)
    words.add(
      Array.from({ length: 1 + Math.floor(random() * 4) }, () => syllables[Math.floor(random() * syllables.length)]).join(''),
    )
  return [...words]
})()

export function segmentsOf(count: number, random: () => number): Segment[] {
  const word = (): string => vocabulary[Math.floor(vocabulary.length ** random()) - 1] ?? 'ba'
  return Array.from({ length: count }, (_, index) => ({
    id: `g${index + 1}`,
    speaker_id: index % 2 === 0 ? 's1' : 's2',
    start_ms: index * 6000,
    end_ms: index * 6000 + 5000,
    text: Array.from({ length: 12 + Math.floor(random() * 16) }, word).join(' '),
    confidence: 0.9,
    edited: false,
  }))
}

const at = '2026-01-01T00:00:00.000Z'
const speakers = [
  { id: 's1', label: 'Therapist', role: 'therapist' as const },
  { id: 's2', label: 'Client', role: 'client' as const },
]

/** Clients with their sessions, an hour apart, and a transcript for each where segments are asked for. */
export function fill(db: Sqlite, { sessions, segments }: { sessions: number; segments: number }): void {
  const repositories = createRepositories(db)
  const random = seeded(2)
  const perClient = 50
  db.transaction(() => {
    let client: Client | null = null
    for (let index = 0; index < sessions; index += 1) {
      if (client === null || index % perClient === 0) {
        client = clientNumbered(index / perClient)
        repositories.clients.insert(client)
      }
      const session = sessionAt(client.id, Date.UTC(2020, 0, 1, index))
      repositories.sessions.insert(session)
      if (segments === 0) continue
      const body = { session_id: session.id, language: 'en', duration_ms: null, speakers, segments: segmentsOf(segments, random) }
      const engine = { name: 'bench', version: '1', model: null }
      repositories.transcripts.put(
        { ...body, engine, id: newId(), created_at: at, updated_at: at, version: 1 },
        session.starts_at,
        null,
      )
    }
  })()
}

function clientNumbered(number: number): Client {
  const empty = {
    given_name: null,
    family_name: null,
    pronouns: null,
    date_of_birth: null,
    email: null,
    phone: null,
    clinician_id: null,
    insurance: null,
    goals: [],
    vocabulary: [],
  }
  return {
    ...empty,
    id: newId(),
    display_name: `Client ${number}`,
    status: 'active',
    diagnoses: [],
    created_at: at,
    updated_at: at,
    version: 1,
  }
}

function sessionAt(client_id: string, start: number): Session {
  const nothing = {
    clinician_id: null,
    recurrence: null,
    room_id: null,
    cpt_code: null,
    started_at: null,
    finished_at: null,
    series_id: null,
    occurrence_start: null,
  }
  return {
    ...nothing,
    id: newId(),
    client_id,
    session_type: 'individual',
    starts_at: new Date(start).toISOString(),
    ends_at: new Date(start + 50 * 60_000).toISOString(),
    duration_minutes: 50,
    modality: 'in_person',
    status: 'completed',
    participants: [],
    time_zone: 'UTC',
    presenting_concerns: [],
    created_at: at,
    updated_at: at,
    version: 1,
  }
}
