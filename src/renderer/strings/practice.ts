import type { RecordSort, ServiceOffers } from '#contract/bridge/moving.ts'
import { recordSorts } from '#contract/bridge/moving.ts'
import { listOfNames, plural } from './plural.ts'

const keptThere: Readonly<Record<RecordSort, string>> = {
  clients: 'clients',
  sessions: 'sessions',
  consents: 'consents',
  transcripts: 'transcripts',
  notes: 'notes',
  templates: 'your own forms',
  working_hours: 'working hours',
}
const localOnly: Readonly<Record<RecordSort, string>> = { ...keptThere, clients: 'clients you add here' }

export function offersSentence({ service, is_known, kept_there }: ServiceOffers): string | null {
  const here = recordSorts.filter((sort) => !kept_there.includes(sort)).map((sort) => localOnly[sort])
  if (service === 'embedded' || !is_known || here.length === 0) return null
  const there = listOfNames(kept_there.map((sort) => keptThere[sort]))
  const first = kept_there.includes('clients')
    ? `Your practice’s service keeps ${there}.`
    : `Clients come from your practice’s service, which keeps ${there}.`
  return `${first} ${sentenceOf(here)} stay on this laptop; nothing of that is lost, and it is sent should the service take it one day.`
}

const sentenceOf = (names: readonly string[]): string => {
  const list = listOfNames(names)
  return list.charAt(0).toUpperCase() + list.slice(1)
}

/** By the kind of intent in the outbox. */
const counted: Readonly<Record<string, readonly [one: string, other: string]>> = {
  'create-client': ['# new client', '# new clients'],
  'update-client': ['the details of # client', 'the details of # clients'],
  'create-session': ['# session', '# sessions'],
  'update-session': ['how # session went', 'how # sessions went'],
  'give-consent': ['# consent', '# consents'],
  'revoke-consent': ['# withdrawn consent', '# withdrawn consents'],
  'put-transcript': ['# transcript', '# transcripts'],
  'put-note': ['# note', '# notes'],
  'sign-note': ['# signature', '# signatures'],
  'add-addendum': ['the addenda of # note', 'the addenda of # notes'],
}

export const offersStrings = { localOnly: 'Kept on this laptop', fromThere: 'From your practice’s service' } as const

const broughtSorts = recordSorts.filter((sort) => sort !== 'working_hours')

export function broughtSentence({ service, is_known, brought_here, tells_changes }: ServiceOffers): string | null {
  if (service === 'embedded' || !is_known) return null
  const missing = broughtSorts.filter((sort) => !brought_here.includes(sort)).map((sort) => keptThere[sort])
  const looked = missing.length === 0 ? 'lists' : `list of ${listOfNames(brought_here.map((sort) => keptThere[sort]))}`
  const parts = [
    ...(tells_changes
      ? []
      : [
          'Your practice’s service does not say what was changed elsewhere.',
          `This laptop looks through its ${looked} now and then, so such changes come with a delay.`,
        ]),
    ...(missing.length === 0 ? [] : [`${sentenceOf(missing)} that were made or changed elsewhere do not come to this laptop.`]),
  ]
  return parts.length === 0 ? null : parts.join(' ')
}

const onLaptop: Readonly<Record<RecordSort, readonly [one: string, other: string]>> = {
  clients: ['# client', '# clients'],
  sessions: ['# session', '# sessions'],
  consents: ['# consent', '# consents'],
  transcripts: ['# transcript', '# transcripts'],
  notes: ['# note', '# notes'],
  templates: ['# form of your own', '# forms of your own'],
  working_hours: ['# week of working hours', '# weeks of working hours'],
}

export function unlistedSentence({ unlisted }: ServiceOffers): string | null {
  if (unlisted.length === 0) return null
  const what = listOfNames(unlisted.map(({ sort, count }) => plural(count, ...onLaptop[sort])))
  const isOne = unlisted.length === 1 && unlisted[0]?.count === 1
  const rest = isOne ? 'It stays here as it is' : 'They stay here as they are'
  return `Your practice’s service no longer shows you ${what} that ${isOne ? 'is' : 'are'} on this laptop. ${rest}; changes made elsewhere do not come.`
}

export function keptSentence({ waiting }: ServiceOffers): string | null {
  const parts = waiting.flatMap(({ kind, count }) => {
    const words = counted[kind]
    return words === undefined ? [] : [plural(count, ...words)]
  })
  return parts.length === 0 ? null : `${sentenceOf(parts)}, which your practice’s service does not take.`
}

/** Approximate kilobytes in an hour of recorded sound, at the recorder's constant bitrate. */
const HOUR_KB = 13_500

function timeOfAnHour(kbPerSecond: number): string {
  const seconds = Math.round(HOUR_KB / kbPerSecond)
  return seconds < 90 ? `about ${seconds} seconds` : `about ${Math.round(seconds / 60)} minutes`
}

export const uploadStrings = {
  speed: {
    label: 'How fast recordings are sent',
    text: {
      none: 'As fast as the line takes them. Everything else you do goes first.',
      limited: (kb: number) => `No faster than ${kb} KB a second, so that calls and video keep the rest of the line.`,
    },
    options: {
      none: 'As fast as the line takes them',
      limited: (kb: number) => `${kb} KB a second`,
      detail: (kb: number) => `An hour of sound takes ${timeOfAnHour(kb)}`,
    },
  },
  onMetered: {
    label: 'Send recordings over metered networks',
    on: 'Recordings are sent over any network, also where data costs.',
    off: 'Where data costs, recordings wait on this laptop for another network. Everything else is sent.',
  },
  metered: {
    label: 'Take this network for a metered one',
    on: 'Recordings wait until you turn this off.',
    said: 'This laptop says that the network is metered, so recordings wait.',
    denied: 'This laptop says that the network is not metered. Turn this on where it is wrong, as on a phone’s hotspot.',
    unknown: 'This laptop does not say whether the network is metered. Turn this on where data costs, as on a phone’s hotspot.',
  },
} as const
