import type { SentToday } from '#contract/bridge/library.ts'
import { fieldTitle } from './conflicts.ts'
import { outboxKind, outboxStrings } from './outbox.ts'
import { listOfNames, plural } from './plural.ts'

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
