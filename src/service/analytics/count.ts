import type { Figures } from '#contract/model/analytics.ts'
import { sessionStatusSchema } from '#contract/model/session.ts'
import type { Counted, SessionRow, SignedRow } from './rows.ts'

const hourMs = 3_600_000
const minuteMs = 60_000

/** @param dayOf the day of an instant in the zone asked for, counted from some day on */
export function figuresOf(counted: Counted, dayOf: (instant: string) => number): Figures {
  const { sessions, signed, transcripts, firsts } = counted
  const completed = sessions.filter(({ status }) => status === 'completed')
  const missed = sessions.filter(({ status }) => status === 'no_show').length
  return {
    sessions_by_status: Object.fromEntries(
      sessionStatusSchema.options.map((status) => [status, sessions.filter((session) => session.status === status).length]),
    ),
    hours: rounded(sum(completed.map(({ starts_at, ends_at }) => between(starts_at, ends_at))) / hourMs),
    no_show_rate: completed.length + missed === 0 ? null : missed / (completed.length + missed),
    notes_due: completed.filter(({ signed_at }) => signed_at === null).length,
    notes_signed: signed.length,
    notes_signed_by_delay: delaysOf(signed, dayOf),
    median_hours_to_sign: medianHours(signed),
    recording_minutes: recorded(sessions),
    transcription_minutes: rounded(sum(transcripts.map(({ duration_ms }) => duration_ms)) / minuteMs),
    clients_active: new Set(completed.map(({ client_id }) => client_id)).size,
    clients_new: firsts.length,
    quota_used_today: null,
  }
}

function delaysOf(signed: readonly SignedRow[], dayOf: (instant: string) => number) {
  const delays = signed.flatMap(({ signed_at, starts_at }) => (starts_at === null ? [] : [dayOf(signed_at) - dayOf(starts_at)]))
  const among = (least: number, most: number): number => delays.filter((days) => days >= least && days <= most).length
  return {
    same_day: among(-Infinity, 0),
    next_day: among(1, 1),
    two_or_three_days: among(2, 3),
    later: among(4, Infinity),
  }
}

/** Signed before the end counts as at once. Of an even number the mean of the two in the middle. */
function medianHours(signed: readonly SignedRow[]): number | null {
  const times = signed
    .flatMap(({ signed_at, ends_at }) => (ends_at === null ? [] : [Math.max(0, between(ends_at, signed_at))]))
    .toSorted((left, right) => left - right)
  const [low, high] = [times[(times.length - 1) >> 1], times[times.length >> 1]]
  return low === undefined || high === undefined ? null : rounded((low + high) / 2 / hourMs)
}

/** Where nothing was transcribed, nobody here knows whether anything was recorded. */
function recorded(sessions: readonly SessionRow[]): number | null {
  const known = sessions.flatMap(({ sound_ms }) => sound_ms ?? [])
  return known.length === 0 ? null : rounded(sum(known) / minuteMs)
}

const between = (start: string, end: string): number => Date.parse(end) - Date.parse(start)
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
/** To a hundredth. */
const rounded = (number: number): number => Math.round(number * 100) / 100
