import type { RecordSort, ServiceOffers } from '#contract/bridge/moving.ts'
import { recordSorts } from '#contract/bridge/moving.ts'
import { listAtStart } from './lists.ts'
import { messages } from './messages.ts'

const { offers, upload } = messages
const keptThere: Readonly<Record<RecordSort, string>> = offers.kept
const localOnly = { ...keptThere, clients: offers.clientsAddedHere }
const counted: Readonly<Record<string, (values: { readonly count: number }) => string>> = offers.counted

export const offersStrings = offers

export function offersSentence({ service, is_known, kept_there }: ServiceOffers): string | null {
  const here = recordSorts.filter((sort) => !kept_there.includes(sort)).map((sort) => localOnly[sort])
  if (service === 'embedded' || !is_known || here.length === 0) return null
  const there = kept_there.map((sort) => keptThere[sort])
  return offers.sentence({ hasClients: kept_there.includes('clients'), there, here: listAtStart(here) })
}

const broughtSorts = recordSorts.filter((sort) => sort !== 'working_hours')

export function broughtSentence({ service, is_known, brought_here, tells_changes }: ServiceOffers): string | null {
  if (service === 'embedded' || !is_known) return null
  const missing = broughtSorts.filter((sort) => !brought_here.includes(sort)).map((sort) => keptThere[sort])
  const brought = brought_here.map((sort) => keptThere[sort])
  const parts = [
    tells_changes ? '' : offers.brought.silent({ isAll: missing.length === 0, brought }),
    missing.length === 0 ? '' : offers.brought.missing({ missing: listAtStart(missing) }),
  ]
  return parts.filter((part) => part !== '').join(' ') || null
}

export function unlistedSentence({ unlisted }: ServiceOffers): string | null {
  if (unlisted.length === 0) return null
  const what = unlisted.map(({ sort, count }) => offers.onLaptop[sort]({ count }))
  return offers.unlisted({ what, isOne: unlisted.length === 1 && unlisted[0]?.count === 1 })
}

export function keptSentence({ waiting }: ServiceOffers): string | null {
  const parts = waiting.flatMap(({ kind, count }) => counted[kind]?.({ count }) ?? [])
  return parts.length === 0 ? null : offers.untaken({ what: listAtStart(parts) })
}

/** Upper bound for an hour of recorded sound, in kilobytes. */
const HOUR_KB = 13_500

export const uploadStrings = {
  ...upload,
  speed: {
    ...upload.speed,
    options: {
      ...upload.speed.options,
      detail(kbPerSecond: number): string {
        const seconds = Math.round(HOUR_KB / kbPerSecond)
        const isShort = seconds < 90
        return upload.speed.options.detail({ isShort, time: isShort ? seconds : Math.round(seconds / 60) })
      },
    },
  },
}
