const hourMs = 60 * 60_000

/** Resume is offered while the session's hour lasts; after that, finish with what is saved. */
export function isWithinHour(startsAt: string, durationMinutes: number | null, now: number): boolean {
  const lasts = Math.max(hourMs, (durationMinutes ?? 0) * 60_000)
  return now < new Date(startsAt).getTime() + lasts
}

export type Lost =
  | { readonly kind: 'under_a_second' }
  | { readonly kind: 'at_most'; readonly ms: number }
  | { readonly kind: 'unknown' }

/** Only what was measured is claimed. */
export function lostOf(lostMsAtMost: number | null): Lost {
  if (lostMsAtMost === null) return { kind: 'unknown' }
  return lostMsAtMost <= 1000 ? { kind: 'under_a_second' } : { kind: 'at_most', ms: lostMsAtMost }
}
