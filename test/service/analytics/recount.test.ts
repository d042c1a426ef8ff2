import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import type { Analytics, Figures } from '#contract/model/analytics.ts'
import type { Note } from '#contract/model/note.ts'
import type { Session } from '#contract/model/session.ts'
import type { Within } from '#service/access/authorization.ts'
import { embeddedCaller } from '#service/kernel/caller.ts'
import type { Call } from '#service/access/call.ts'
import type { Services } from '#service/routes/services.ts'
import { analyticsHandlers } from '#service/routes/analytics.ts'
import { insertClient } from '#service/store/clients.ts'
import { inPractice } from '#service/store/in-practice.ts'
import { insertNote } from '#service/store/notes.ts'
import { openStore } from '#service/store/open-store.ts'
import { ensurePractice } from '#service/store/practices.ts'
import { newRecord } from '#service/store/records.ts'
import { insertSession } from '#service/store/sessions.ts'
import type { Database } from '#service/store/tables.ts'
import { insertTranscript } from '#service/store/transcripts.ts'
import { freshStore } from '../store-kit.ts'
import type { TestStore } from '../store-kit.ts'

let store: TestStore
let db: Database
beforeAll(async () => {
  store = await freshStore()
  db = await openStore(store.options)
})
afterAll(async () => {
  await db.destroy()
  await store.remove()
})

const hour = 3_600_000
const statuses = ['proposed', 'scheduled', 'in_progress', 'completed', 'cancelled', 'no_show'] as const
const noteStatuses = [
  'draft',
  'in_review',
  'signed',
  'awaiting_cosign',
  'cosigned',
  'returned',
  'amended',
  'entered_in_error',
] as const
const clinicians = [null, newId(), newId()]

interface Fact {
  readonly client: number
  readonly clinician: number
  readonly status: (typeof statuses)[number]
  /** Quarter hours since the beginning. */
  readonly at: number
  readonly minutes: number
  readonly notes: readonly { status: (typeof noteStatuses)[number]; after: number }[]
  readonly transcripts: readonly { minutes: number | null; after: number }[]
}

const beginning = Date.UTC(2026, 1, 20)
const factArbitrary = fc.record({
  client: fc.nat(13),
  clinician: fc.nat(2),
  status: fc.constantFrom(...statuses, 'completed', 'completed'),
  at: fc.nat(4 * 24 * 40),
  minutes: fc.integer({ min: 15, max: 120 }),
  notes: fc.array(fc.record({ status: fc.constantFrom(...noteStatuses), after: fc.nat(24 * 6) }), { maxLength: 2 }),
  transcripts: fc.array(fc.record({ minutes: fc.option(fc.nat(90)), after: fc.nat(48) }), { maxLength: 2 }),
})
const viewArbitrary = fc.record({
  zone: fc.constantFrom('UTC', 'America/New_York', 'Pacific/Auckland', 'America/Sao_Paulo', 'Asia/Kathmandu'),
  group_by: fc.constantFrom('day', 'week', 'month'),
  clinician: fc.constantFrom<'all' | number>('all', 0, 1, 2),
  from: fc.nat(30),
  days: fc.nat(25),
})

/** Each client is of the clinician with its number. */
const clinicianOf = ({ clinician, client }: Fact): string | null => clinicians[clinician] ?? clinicians[client % 3] ?? null

async function fill(practice: string, facts: readonly Fact[]): Promise<string[]> {
  const now = new Date(beginning).toISOString()
  const clients = Array.from({ length: 14 }, () => newId())
  await inPractice(db, practice, async (write) => {
    await ensurePractice(write, practice, 'P', 'enterprise', now)
    for (const [index, id] of clients.entries()) {
      const client = { ...newRecord(id, now), display_name: 'A', status: 'active', clinician_id: clinicians[index % 3] ?? null }
      await insertClient(write, practice, client as Parameters<typeof insertClient>[2])
    }
    for (const fact of facts) {
      const start = beginning + fact.at * 15 * 60_000
      const [starts_at, ends_at] = [start, start + fact.minutes * 60_000].map((at) => new Date(at).toISOString()) as [
        string,
        string,
      ]
      const session = {
        ...newRecord(newId(), now),
        client_id: clients[fact.client]!,
        clinician_id: clinicians[fact.clinician]!,
        room_id: null,
      }
      await insertSession(write, practice, { ...session, status: fact.status, starts_at, ends_at } as Session)
      for (const { status, after } of fact.notes) {
        const isSigned = status !== 'draft' && status !== 'in_review'
        const signature = isSigned ? { at: new Date(start + after * hour).toISOString() } : null
        const note = { ...newRecord(newId(), now), session_id: session.id, client_id: session.client_id, status, signature }
        await insertNote(write, practice, note as unknown as Note, newId())
      }
      for (const { minutes, after } of fact.transcripts) {
        const made = new Date(start + after * hour).toISOString()
        const duration_ms = minutes === null ? null : minutes * 60_000
        await insertTranscript(
          write,
          practice,
          { ...newRecord(newId(), made), session_id: session.id, duration_ms } as never,
          newId(),
        )
      }
    }
  })
  return clients
}

async function read(practice: string, query: Call<'readAnalytics'>['query'], within: Within): Promise<Analytics> {
  const handlers = analyticsHandlers({ clock: { now: () => beginning, elapsed: () => 0 } } as Services)
  const scope = { ...within, limited: null, withPurpose: null }
  const effect = await handlers.readAnalytics({ practice, query, scope, caller: embeddedCaller } as Call<'readAnalytics'>)
  const reply = await inPractice(db, practice, effect)
  if (!('data' in reply)) throw new Error('no answer')
  return reply.data
}

/** As somebody would count by hand: every day's name is asked of the calendar, every row looked at for every interval. */
function recount(
  facts: readonly Fact[],
  inside: (instant: number) => boolean,
  dayName: (instant: number) => string,
  whose: (fact: Fact) => boolean,
): Partial<Figures> {
  const start = ({ at }: Fact): number => beginning + at * 15 * 60_000
  const mine = facts.filter(whose)
  const here = mine.filter((fact) => inside(start(fact)))
  const held = here.filter(({ status }) => status === 'completed')
  const missed = here.filter(({ status }) => status === 'no_show')
  const isSigned = ({ status }: Fact['notes'][number]): boolean =>
    ['signed', 'awaiting_cosign', 'cosigned', 'amended'].includes(status)
  const signatures = mine.flatMap((fact) =>
    fact.notes
      .filter(isSigned)
      .map(({ after }) => ({ at: start(fact) + after * hour, began: start(fact), ended: start(fact) + fact.minutes * 60_000 })),
  )
  const signed = signatures.filter(({ at }) => inside(at))
  const dayNumber = (instant: number): number => Date.parse(dayName(instant)) / (24 * hour)
  const delays = signed.map(({ at, began }) => dayNumber(at) - dayNumber(began))
  const waits = signed.map(({ at, ended }) => Math.max(0, at - ended)).toSorted((left, right) => left - right)
  const sounds = here
    .map(({ transcripts }) => transcripts.flatMap(({ minutes }) => minutes ?? []))
    .filter((lengths) => lengths.length > 0)
  const made = mine.flatMap((fact) => fact.transcripts.map(({ minutes, after }) => ({ minutes, at: start(fact) + after * hour })))
  const newOnes = new Set(
    held
      .filter(
        (fact) =>
          !facts.some((other) => other.client === fact.client && other.status === 'completed' && start(other) < start(fact)),
      )
      .map(({ client }) => client),
  )
  const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)
  return {
    sessions_by_status: Object.fromEntries(
      statuses.map((status) => [status, here.filter((fact) => fact.status === status).length]),
    ),
    hours: Math.round((total(held.map(({ minutes }) => minutes)) / 60) * 100) / 100,
    no_show_rate: held.length + missed.length === 0 ? null : missed.length / (held.length + missed.length),
    notes_due: held.filter(({ notes }) => !notes.some(isSigned)).length,
    notes_signed: signed.length,
    notes_signed_by_delay: {
      same_day: delays.filter((days) => days <= 0).length,
      next_day: delays.filter((days) => days === 1).length,
      two_or_three_days: delays.filter((days) => days === 2 || days === 3).length,
      later: delays.filter((days) => days > 3).length,
    },
    median_hours_to_sign:
      waits.length === 0
        ? null
        : Math.round(((waits[Math.ceil(waits.length / 2) - 1]! + waits[Math.floor(waits.length / 2)]!) / 2 / hour) * 100) / 100,
    recording_minutes: sounds.length === 0 ? null : total(sounds.map((lengths) => Math.max(...lengths))),
    transcription_minutes: total(made.filter(({ at }) => inside(at)).map(({ minutes }) => minutes ?? 0)),
    clients_active: new Set(held.map(({ client }) => client)).size,
    clients_new: newOnes.size,
  }
}

test('every figure is what counting by hand gives, for any clinician, interval and zone, over changes of the clocks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(factArbitrary, { maxLength: 60 }),
      fc.array(viewArbitrary, { minLength: 3, maxLength: 3 }),
      async (drawn, views) => {
        // Nobody is in two places at once, so that every one of them is stored.
        const facts = drawn.filter((fact, index) => !drawn.slice(0, index).some((other) => Math.abs(other.at - fact.at) < 9))
        const practice = newId()
        await fill(practice, facts)
        for (const { zone, group_by, clinician, from, days } of views) {
          const date = (day: number): string => new Date(beginning + day * 24 * hour).toISOString().slice(0, 10)
          const query = { from: date(from), to: date(from + days), group_by, time_zone: zone }
          const within: Within =
            clinician === 'all'
              ? { clinicians: 'all', unassigned: true, clients: new Set() }
              : {
                  clinicians: new Set(clinicians[clinician] === null ? [] : [clinicians[clinician]!]),
                  unassigned: clinicians[clinician] === null,
                  clients: new Set(),
                }
          const whose = (fact: Fact): boolean => clinician === 'all' || clinicianOf(fact) === clinicians[clinician]
          const calendar = new Intl.DateTimeFormat('en-CA', {
            timeZone: zone,
            year: 'numeric',
            month: '2-digit',
            day: '2-digit',
          })
          const dayName = (instant: number): string => calendar.format(instant)
          const between = (first: string, last: string) => (instant: number) =>
            dayName(instant) >= first && dayName(instant) <= last
          const answer = await read(practice, query, within)
          expect(answer.totals).toMatchObject(recount(facts, between(query.from, query.to), dayName, whose))
          for (const part of answer.series)
            expect(part.figures).toMatchObject(recount(facts, between(part.from, part.to), dayName, whose))
          expect([answer.series[0]?.from, answer.series.at(-1)?.to]).toEqual([query.from, query.to])
        }
      },
    ),
    { numRuns: process.env['AFTERWORD_FAULTS'] === 'full' ? 100 : 5 },
  )
})
