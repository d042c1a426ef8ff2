import type { OutboxItem, OutboxStatus, SentToday } from '#contract/bridge/library.ts'
import { fieldTitle } from './conflicts.ts'
import { listOfNames } from './lists.ts'
import { messages } from './messages.ts'

const { outbox, sent: sentMessages } = messages
const kinds: Readonly<Record<string, string>> = outbox.kinds
const outcomes: Readonly<Record<string, string>> = sentMessages.outcomes

export const { phase: phaseStrings, sent: sentStrings } = messages

export const syncStrings = {
  ...outbox,
  sent: (share: number): string => outbox.sent({ percent: Math.floor(share * 100) }),
}

/** @param since formatted time of the oldest waiting change */
export function syncLead(status: OutboxStatus, since: string | null = null): string {
  const { service, phase, waiting } = status
  const isHeldUp = service === 'remote' && phase !== 'sending' && waiting > 1
  const parts = [
    messages.saved.toDo({ count: countToDo(status) }),
    outbox.lead.waiting({ count: waiting, service, phase }),
    outbox.lead.oldest({ since: isHeldUp ? since : null }),
  ].filter((part) => part !== '')
  return parts.length === 0 ? outbox.lead.done({ service }) : parts.join(' ')
}

export const syncKind = ({ kind }: Pick<OutboxItem, 'kind'>): string => kinds[kind] ?? outbox.otherKind

/** @param until formatted time at which sending resumes; null if there is no such time */
export function phaseSentence({ phase, waiting, done, total, reachable }: OutboxStatus, until: string | null): string {
  return messages.phase.sentences[phase]({ reachable, count: waiting, at: Math.min(done + 1, total), total, until })
}

export const countToDo = ({ needs_you, conflicts, asked }: Pick<OutboxStatus, 'needs_you' | 'conflicts' | 'asked'>): number =>
  Math.max(0, needs_you - asked) + conflicts

export function phaseWords({ phase, quota }: Pick<OutboxStatus, 'phase' | 'quota'>, until: string | null) {
  if (phase === 'saved' || phase === 'sending') return null
  const { title, text } = messages.phase.words[phase]
  return {
    title: typeof title === 'string' ? title : title({ limit: quota?.limit ?? null }),
    text: typeof text === 'string' ? text : text({ until }),
  }
}

type Sent = Pick<SentToday['items'][number], 'kind' | 'fields'>

export const sentWhat = (sent: Sent, name: string | null): string => outbox.withName({ what: thing(sent), name })

export const sentOutcome = ({ kind }: Pick<Sent, 'kind'>, at: string): string =>
  sentMessages.line({ at, outcome: outcomes[kind] ?? sentMessages.otherOutcome })

const MAX_NAMED = 2

function thing({ kind, fields }: Sent): string {
  if (kind === 'transcribe') return sentMessages.recording
  if (kind === 'create-session') return sentMessages.booking
  if (kind === 'update-session' && fields.includes('starts_at')) return sentMessages.newTime
  if (kind !== 'update-client' || fields.length === 0 || fields.length > MAX_NAMED) return syncKind({ kind })
  const [first, ...rest] = fields.map(fieldTitle)
  return listOfNames([first!, ...rest.map((word) => word.charAt(0).toLowerCase() + word.slice(1))])
}
