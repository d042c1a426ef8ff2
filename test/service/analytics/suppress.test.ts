import fc from 'fast-check'
import { expect, test } from 'vitest'
import { figuresOf, suppressed } from '#service/analytics/count.ts'
import type { Counted } from '#service/analytics/rows.ts'

const start = Date.UTC(2026, 2, 2)
const day = 24 * 3_600_000
const at = (days: number, hours = 0): string => new Date(start + days * day + hours * 3_600_000).toISOString()
const dayOf = (instant: string): number => Math.floor((Date.parse(instant) - start) / day)

/** Four parts of a week each; whatever a client did falls into one of them. */
const arbitrary = fc.array(
  fc.record({
    client: fc.nat(40),
    week: fc.nat(3),
    status: fc.constantFrom('completed', 'completed', 'completed', 'cancelled', 'no_show'),
    is_signed: fc.boolean(),
    sound_ms: fc.option(fc.integer({ min: 60_000, max: 3_000_000 })),
  }),
  { maxLength: 150 },
)

function countedFrom(
  rows: readonly { client: number; week: number; status: string; is_signed: boolean; sound_ms: number | null }[],
): Counted {
  const sessions = rows.map((row) => ({
    client_id: String(row.client),
    status: row.status,
    starts_at: at(row.week * 7),
    ends_at: at(row.week * 7, 1),
    signed_at: row.is_signed ? at(row.week * 7, 2) : null,
    sound_ms: row.sound_ms,
  }))
  const signed = sessions.flatMap(({ signed_at, ...row }) => (signed_at === null ? [] : [{ ...row, signed_at }]))
  const transcripts = sessions.flatMap(({ sound_ms, client_id, starts_at }) =>
    sound_ms === null ? [] : [{ created_at: starts_at, client_id, duration_ms: sound_ms }],
  )
  return { sessions, signed, transcripts, firsts: [] }
}

const sums = ['hours', 'notes_due', 'notes_signed', 'recording_minutes', 'transcription_minutes'] as const
const statuses = ['completed', 'cancelled', 'no_show'] as const

test('no number with one to ten clients behind it is shown, and none can be worked out from the sum', () => {
  fc.assert(
    fc.property(arbitrary, (rows) => {
      const cellOf = (some: typeof rows) => ({ counted: countedFrom(some), figures: figuresOf(countedFrom(some), dayOf) })
      const weeks = [0, 1, 2, 3].map((week) => rows.filter((row) => row.week === week))
      const { total, parts } = suppressed(cellOf(rows), weeks.map(cellOf))
      const all = [{ rows, figures: total }, ...weeks.map((some, index) => ({ rows: some, figures: parts[index]! }))]
      for (const { rows: some, figures } of all) {
        const clientsOf = (keep: (row: (typeof rows)[number]) => boolean): number =>
          new Set(some.filter(keep).map(({ client }) => client)).size
        const isFew = (clients: number): boolean => clients > 0 && clients < 11
        const completed = clientsOf(({ status }) => status === 'completed')
        for (const status of statuses)
          if (isFew(clientsOf((row) => row.status === status))) expect(figures.sessions_by_status?.[status]).toBeNull()
        if (isFew(completed)) expect([figures.hours, figures.clients_active, figures.notes_due]).toEqual([null, null, null])
        if (isFew(clientsOf(({ is_signed }) => is_signed)))
          expect([figures.notes_signed, figures.median_hours_to_sign, figures.notes_signed_by_delay]).toEqual([null, null, null])
        if (isFew(clientsOf(({ sound_ms }) => sound_ms !== null)))
          expect([figures.recording_minutes, figures.transcription_minutes]).toEqual([null, null])
        // The rate and one count give the other.
        if (figures.sessions_by_status?.['no_show'] === null || figures.sessions_by_status?.['completed'] === null)
          expect(figures.no_show_rate).toBeNull()
      }
      for (const path of [...sums, ...statuses.map((status) => `sessions_by_status.${status}`)]) {
        const hidden = parts.filter((part) => part.suppressed?.includes(path)).length
        if (!total.suppressed?.includes(path)) expect([path, hidden === 1]).toEqual([path, false])
      }
    }),
    { numRuns: process.env['AFTERWORD_FAULTS'] === 'full' ? 20_000 : 300 },
  )
})
