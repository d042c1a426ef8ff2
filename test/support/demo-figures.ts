import type { FigurePeriod } from '#contract/bridge/insights.ts'
import type { MethodOutput } from '#contract/bridge/methods.ts'
import { figureDefinitions, type Figures } from '#contract/model/analytics.ts'

const day = 24 * 60 * 60 * 1000
const held = [14, 15, 13, 16, 14, 15, 9, 15, 16, 14, 15, 16]
const cancelled = [1, 2, 1, 0, 2, 1, 0, 1, 1, 3, 1, 1]
const missed = [0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0]
/** Null: a week in which nothing was signed. */
const hours = [26, 25, 25, 22, 21, 17, null, 18, 14, 12, 12, 11.5]

const nothing: Figures = {
  sessions_by_status: {},
  hours: 0,
  no_show_rate: null,
  notes_due: 0,
  notes_signed: 0,
  notes_signed_by_delay: null,
  median_hours_to_sign: null,
  recording_minutes: null,
  transcription_minutes: 0,
  clients_active: 0,
  clients_new: 0,
  quota_used_today: null,
}

/** Figures of an invented practice, of the weeks before 30 November 2026. */
export function demoFigures(period: FigurePeriod, isEmpty: boolean, isNew = false): MethodOutput<'figures.read'> {
  const weeks = period === 'four_weeks' ? 4 : 12
  const first = Date.UTC(2026, 10, 23) - (weeks - 1) * 7 * day
  const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
  const series = Array.from({ length: weeks }, (_, index) => {
    const week = 12 - weeks + index
    const counts = { completed: held[week]!, cancelled: cancelled[week]!, no_show: missed[week]! }
    const figures: Figures =
      isEmpty || (isNew && index < weeks - 2)
        ? nothing
        : {
            ...nothing,
            sessions_by_status: counts,
            median_hours_to_sign: isNew ? 244.9 : hours[week]!,
            notes_signed: held[week]!,
            hours: held[week]!,
          }
    return { from: dayOf(first + index * 7 * day), to: dayOf(first + (index * 7 + 6) * day), figures }
  })
  const all = { completed: 172, cancelled: 14, no_show: 4 }
  const totals: Figures = isEmpty
    ? nothing
    : {
        ...nothing,
        sessions_by_status: all,
        hours: 158.5,
        no_show_rate: 4 / 176,
        notes_due: 2,
        notes_signed: 172,
        notes_signed_by_delay: isNew
          ? { same_day: 0, next_day: 1, two_or_three_days: 0, later: 5 }
          : { same_day: 110, next_day: 45, two_or_three_days: 14, later: 3 },
        median_hours_to_sign: isNew ? 244.9 : 17,
        recording_minutes: 7410,
        clients_active: 31,
        clients_new: 5,
      }
  const analytics = { from: series[0]!.from, to: series.at(-1)!.to, totals, series, definitions: { ...figureDefinitions } }
  return { analytics, answered_at: '2026-11-24T13:40:00.000Z', is_old: false }
}
