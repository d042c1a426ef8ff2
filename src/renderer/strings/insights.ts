import type { Language } from './locale.ts'
import { messages } from './messages.ts'
import { formatNumber } from './time.ts'

const { insights } = messages

const percentOf = (share: number): number => Math.round(share * 100)

export const briefWords = messages.brief

export const insightWords = {
  ...insights,
  topics: {
    ...insights.topics,
    minutes: (minutes: number): string => insights.topics.minutes({ minutes: minutes < 1 ? 0 : Math.round(minutes) }),
  },
  figures: {
    ...insights.figures,
    share: (name: string, share: number): string => insights.figures.share({ name, percent: percentOf(share) }),
  },
  behaviours: {
    ...insights.behaviours,
    share: (share: number | null): string => insights.behaviours.share({ percent: share === null ? null : percentOf(share) }),
    times: (ratio: number | null): string => insights.behaviours.times({ ratio: ratio === null ? null : formatNumber(ratio, 1) }),
  },
}

/** The version is stored with the consent as proof of the wording. Change it whenever the wording changes. */
export const insightConsentVersion = (hasPractice: boolean, read: Language): string =>
  `insights-read-aloud-2026-2 ${hasPractice ? 'practice' : 'laptop'}${read === 'en' ? '' : ` ${read}`}`
