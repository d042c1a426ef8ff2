import type { OutboxItem, OutboxStatus } from '#contract/bridge/library.ts'
import { plural } from './plural.ts'
import { countToDo } from './sync-phase.ts'

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
