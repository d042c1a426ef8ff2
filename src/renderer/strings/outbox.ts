import type { OutboxItem, OutboxStatus, SentToday } from '#contract/bridge/library.ts'
import { plural, listOfNames } from './plural.ts'
import { fieldTitle } from './conflicts.ts'

export const outboxStrings = {
  title: 'Outbox',
  side: 'What is done',
  groups: { needs_you: 'Needs you', sending: 'Being worked on', waiting: 'Waiting' },
  empty: {
    title: 'Nothing waits.',
    embedded: 'Everything is saved on this laptop. Nothing leaves it.',
    remote: 'Your practice has all that it takes.',
  },
  retry: 'Try now',
  retryOne: 'Try again',
  first: 'Send first',
  isFirst: 'Goes first',
  sent: (share: number): string => `${Math.floor(share * 100)}% sent`,
  sentLabel: (what: string): string => `${what}: sent so far`,
  waitsFor: (what: string): string => `Waits for: ${what}`,
  needed: (what: string, needsYou: boolean): string => (needsYou ? `${what} (needs you)` : what),
  nextTry: (when: string): string => `next try ${when}`,
  more: (count: number): string => plural(count, 'and # more', 'and # more'),
  showMore: 'Show more',
  fewer: 'Show fewer',
  retrying: 'Trying…',
  since: (when: string): string => `since ${when}`,
  attempts: (count: number): string => plural(count, 'tried once', 'tried # times'),
  withName: (what: string, name: string): string => `${what}, ${name}`,
} as const

/** @param since formatted time of the oldest waiting change */
export function outboxLead(status: OutboxStatus, since: string | null = null): string {
  const parts: string[] = []
  const toDo = countToDo(status)
  if (toDo > 0) parts.push(plural(toDo, '# change needs you.', '# changes need you.'))
  if (status.waiting > 0) {
    if (status.service === 'embedded')
      parts.push(
        plural(status.waiting, '# thing is being worked on, on this laptop.', '# things are being worked on, on this laptop.'),
      )
    else if (status.phase === 'sending')
      parts.push(
        plural(status.waiting, '# change is on its way to your practice.', '# changes are on their way to your practice.'),
      )
    else parts.push(plural(status.waiting, '# change will be sent later.', '# changes will be sent later.'))
  }
  if (since !== null && status.service === 'remote' && status.phase !== 'sending' && status.waiting > 1)
    parts.push(`The oldest is from ${since}.`)
  if (parts.length === 0)
    parts.push(status.service === 'embedded' ? 'Everything is done. Nothing leaves this laptop.' : 'Everything was sent.')
  return parts.join(' ')
}

/** By the kind of intent in the outbox. A kind that is not listed is called a change. */
const kinds: Readonly<Record<string, string>> = {
  'create-client': 'New client',
  'update-client': 'Client details',
  'create-session': 'New session',
  'update-session': 'Session details',
  'give-consent': 'Consent',
  'revoke-consent': 'Withdrawn consent',
  'put-transcript': 'Transcript',
  transcribe: 'Recording, to be written down',
  'draft-note': 'Draft of the note',
  analyze: 'Insights into the session',
  'put-note': 'Note',
  'sign-note': 'Signed note',
  'add-addendum': 'Addendum',
}

export function outboxKind(item: Pick<OutboxItem, 'kind'>): string {
  return kinds[item.kind] ?? 'A change'
}

type Status = Pick<OutboxStatus, 'phase' | 'waiting' | 'done' | 'total' | 'reachable'>

const changes = (count: number): string => plural(count, '# change', '# changes')
const wait = (count: number): string => plural(count, '# change waits', '# changes wait')

/** @param until formatted time at which sending resumes; null if there is no such time */
export function phaseSentence({ phase, waiting, done, total, reachable }: Status, until: string | null): string {
  switch (phase) {
    case 'saved':
      return reachable ? 'What goes to your practice is there.' : 'You are offline. Nothing waits.'
    case 'sending':
      return `Syncing ${Math.min(done + 1, total)} of ${total}.`
    case 'offline':
      return `You are offline: ${changes(waiting)} will be sent later.`
    case 'backing_off':
      return until === null ? 'Your practice’s service is busy.' : `Trying again at ${until}.`
    case 'quota':
      return `${wait(waiting)} for new calls${until === null ? '' : `, until ${until}`}.`
    case 'needs_key':
      return `Your practice needs a key or a sign-in. ${wait(waiting)}.`
    case 'paused':
      return waiting === 0 ? 'Sending is paused.' : `Sending is paused. ${wait(waiting)}.`
  }
}

/** The number of conflicts, plus items that need the user and do not belong to a conflict. */
export function countToDo({ needs_you, conflicts, asked }: Pick<OutboxStatus, 'needs_you' | 'conflicts' | 'asked'>): number {
  return Math.max(0, needs_you - asked) + conflicts
}

interface PhaseWords {
  readonly title: string
  readonly text: string
}

export function phaseWords(status: Pick<OutboxStatus, 'phase' | 'quota'>, until: string | null): PhaseWords | null {
  switch (status.phase) {
    case 'offline':
      return {
        title: 'You are offline.',
        text: `Everything works and is saved here. ${until === null ? 'It is sent when there is a network again.' : `The next try is at ${until}.`}`,
      }
    case 'backing_off':
      return {
        title: 'Your practice’s service is not ready.',
        text: `Nothing is lost. ${until === null ? 'It is tried again by itself.' : `The next try is at ${until}.`}`,
      }
    case 'quota':
      return {
        title: callsUsedUp(status.quota?.limit ?? null),
        text: `${until === null ? 'What waits goes on by itself with new ones.' : `New ones begin at ${until}.`} What needs no call is sent meanwhile. You can choose what goes first.`,
      }
    case 'needs_key':
      return {
        title: 'Your practice’s service does not take this key.',
        text: 'You can go on working here, and all of it is sent once there is another key or you have signed in again.',
      }
    case 'paused':
      return { title: 'You have paused sending.', text: 'You can go on working here. Nothing goes out until you go on.' }
    case 'saved':
    case 'sending':
      return null
  }
}

const callsUsedUp = (limit: number | null): string =>
  limit === null ? 'Your practice’s calls of today are used up.' : `Your practice’s ${limit} calls of today are used up.`

export const phaseStrings = {
  pause: 'Pause sending',
  goOn: 'Go on sending',
  openSettings: 'Open settings',
  waiting: {
    saved: 'Waiting',
    sending: 'Waiting for its turn',
    offline: 'Waiting for the network',
    backing_off: 'Waiting for the service',
    quota: 'Waiting for new calls',
    needs_key: 'Waiting for a key',
    paused: 'Waiting until you go on',
  } satisfies Record<OutboxStatus['phase'], string>,
  quota: {
    title: 'Today’s calls',
    left: (remaining: number, limit: number): string => `${remaining} of ${limit} are left for your practice`,
    leftOnly: (remaining: number): string => plural(remaining, '# is left for your practice', '# are left for your practice'),
    until: (when: string): string => `They begin anew at ${when}.`,
  },
} as const

type Sent = Pick<SentToday['items'][number], 'kind' | 'fields'>

export const sentStrings = {
  title: 'Sent today',
  nothing: 'Nothing was sent yet today.',
  more: (count: number): string => plural(count, 'and # more today', 'and # more today'),
} as const

export function sentWhat(sent: Sent, name: string | null): string {
  const what = thing(sent)
  return name === null ? what : outboxStrings.withName(what, name)
}

export function sentOutcome({ kind }: Pick<Sent, 'kind'>, at: string): string {
  return `${at} · ${outcomes[kind] ?? 'received by your practice'}`
}

const outcomes: Readonly<Record<string, string>> = {
  transcribe: 'written down by your practice',
  'draft-note': 'written by your practice',
  analyze: 'made by your practice',
}

const MAX_NAMED = 2

function thing({ kind, fields }: Sent): string {
  if (kind === 'transcribe') return 'Recording'
  if (kind === 'create-session') return 'Booking'
  if (kind === 'update-session' && fields.includes('starts_at')) return 'New time'
  if (kind !== 'update-client' || fields.length === 0 || fields.length > MAX_NAMED) return outboxKind({ kind })
  const [first, ...rest] = fields.map(fieldTitle)
  return listOfNames([first!, ...rest.map((word) => word.charAt(0).toLowerCase() + word.slice(1))])
}
