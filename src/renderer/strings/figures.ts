import type { FigurePeriod } from '#contract/bridge/insights.ts'
import type { FigureName, Figures } from '#contract/model/analytics.ts'
import { plural } from './plural.ts'

const periods: Record<FigurePeriod, string> = { four_weeks: '4 weeks', twelve_weeks: '12 weeks', year: 'This year' }

const names: Record<FigureName, string> = {
  sessions_by_status: 'Sessions by status',
  hours: 'Hours held',
  no_show_rate: 'Missed',
  notes_due: 'Notes still to sign',
  notes_signed: 'Notes signed',
  notes_signed_by_delay: 'When notes were signed',
  median_hours_to_sign: 'Time to sign',
  recording_minutes: 'Recorded and transcribed',
  transcription_minutes: 'Transcripts made',
  clients_active: 'Clients seen',
  clients_new: 'New clients',
  quota_used_today: 'Requests to the service today',
}

const delays = { same_day: 'Same day', next_day: 'Next day', two_or_three_days: '2 to 3 days', later: 'Later' } as const
const outcomes = { completed: 'held', cancelled: 'cancelled', no_show: 'missed' } as const

export const figureStrings = {
  title: 'Practice figures',
  loading: 'Counting',
  period: 'Period',
  periods,
  names,
  delays,
  outcomes,
  unknown: 'Not known',
  kept: 'Not shown',
  none: { title: 'Nothing to count yet', text: 'Figures begin with the first session that was held.' },
  sessions: { week: 'Sessions each week', month: 'Sessions each month' },
  toSign: { title: 'Hours to sign a note', week: 'median each week', month: 'median each month' },
  delay: 'When notes were signed',
  delayUnit: (count: number): string => plural(count, '# note', '# notes'),
  also: 'In this period',
  table: {
    show: 'Show as a table',
    hide: 'Show as charts',
    caption: 'The same figures as a table',
    of: 'From',
    to: 'To',
    all: 'All of it',
  },
  export: 'Export',
  exporting: 'Exporting…',
  exported: 'The figures were saved as a table.',
  how: 'How figures are counted',
  howLead: 'Each figure is counted anew from the records whenever this page is opened.',
  close: 'Close',
  old: (when: string): string => `Your practice cannot be reached. These figures were counted ${when}.`,
  suppressed: 'Some figures are not shown: fewer than 11 people stand behind them, and a number could point to one.',
  hours: (count: number): string => plural(Math.round(count * 10) / 10, '# hour', '# hours'),
  percent: (share: number): string => `${Math.round(share * 100)} %`,
} as const

export function figureLead({ sessions_by_status, notes_signed, notes_signed_by_delay, notes_due }: Figures): string {
  const held = sessions_by_status?.['completed'] ?? null
  const parts = held === null ? [] : [plural(held, 'You held # session.', 'You held # sessions.')]
  const soon = (notes_signed_by_delay?.same_day ?? 0) + (notes_signed_by_delay?.next_day ?? 0)
  if (notes_signed !== null && notes_signed > 0 && notes_signed_by_delay)
    parts.push(`${soon} of ${plural(notes_signed, '# note was', '# notes were')} signed by the next day.`)
  if (notes_due !== null && notes_due > 0) parts.push(plural(notes_due, '# note is still to sign.', '# notes are still to sign.'))
  return parts.join(' ')
}
