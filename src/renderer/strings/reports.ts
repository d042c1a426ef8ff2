import type { Figures } from '#contract/model/analytics.ts'
import { messages } from './messages.ts'

const { lead, ...figures } = messages.figures

/** Longer times are given in days. */
export const FEW_HOURS = 48

export const reportStrings = {
  ...figures,
  /** For example "11.5 hours" or "3 days". */
  timeToSign(hours: number): string {
    if (hours < FEW_HOURS) return figures.hours({ count: Math.round(hours * 10) / 10 })
    return figures.days({ count: Math.round(hours / 24) })
  },
  percent: (share: number): string => figures.percent({ percent: Math.round(share * 100) }),
}

export function reportsLead({ sessions_by_status, notes_signed, notes_signed_by_delay, notes_due }: Figures): string {
  const held = sessions_by_status?.['completed'] ?? null
  const parts = held === null ? [] : [lead.held({ count: held })]
  const soon = (notes_signed_by_delay?.same_day ?? 0) + (notes_signed_by_delay?.next_day ?? 0)
  if (notes_signed !== null && notes_signed > 0 && notes_signed_by_delay) parts.push(lead.signed({ soon, count: notes_signed }))
  if (notes_due !== null && notes_due > 0) parts.push(lead.due({ count: notes_due }))
  return parts.join(' ')
}
