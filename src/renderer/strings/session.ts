import type { ConsentScope } from '#contract/model/consent.ts'
import type { GapReason } from '#contract/model/recording.ts'
import { messages } from './messages.ts'

const { session } = messages

const hoursLeft = (hours: number): { hours: number; isMore: boolean } => ({ hours: hours < 1 ? 0 : hours, isMore: hours > 99 })

export const sessionWords = {
  ...session,
  consentChip: (given: readonly ConsentScope[]): string =>
    session.consentChip({ scopes: given.map((scope) => session.consentScopes[scope]) }),
  before: { ...session.before, space: (hours: number): string => session.before.space(hoursLeft(hours)) },
  now: {
    ...session.now,
    space: (hours: number): string => session.now.space(hoursLeft(hours)),
    gap: (reason: GapReason, length: string): string => session.now.gaps[reason]({ length }),
  },
}
