import { askedBefore, type WorkIntent } from '../asked.ts'
import type { IntentKind } from '#core/outbox/intents.ts'
import { failedWith, type Sending } from '#core/outbox/sending.ts'
import type { Step } from '../sync-loop.ts'
import type { Senders } from '../sync.ts'
import type { Capabilities, Offers } from './capabilities.ts'
import type { KeptHere } from './kept-here.ts'

interface Parts {
  readonly capabilities: Capabilities
  readonly keptHere: KeptHere
  readonly isRemote: () => boolean
  /** For a service that lacks something of what the usual ones of these need. */
  readonly plain: Pick<Senders, WorkIntent>
}

const workNeeds: Readonly<Record<WorkIntent, readonly string[]>> = {
  transcribe: ['uploads', 'operations'],
  'draft-note': ['transcripts', 'operations'],
  analyze: ['transcripts', 'operations'],
}

const isOfWork = (sending: Sending<IntentKind>): sending is Sending<WorkIntent> => Object.hasOwn(workNeeds, sending.intent.kind)

type Send = (sending: Sending<IntentKind>) => Promise<Step>

/** What the service cannot be told ends here without an error, and is kept for the day it can. */
export function sendersOfWhatIsOffered(senders: Senders, parts: Parts): Senders {
  const kinds = Object.keys(senders) as IntentKind[]
  const offered = kinds.map((kind) => {
    const send = senders[kind] as Send
    const inside = (sending: Sending<IntentKind>) => sendInside(send, sending, parts)
    return [kind, (sending: Sending<IntentKind>) => (parts.isRemote() ? sendOrKeep(send, sending, parts) : inside(sending))]
  })
  return Object.fromEntries(offered) as Senders
}

/** The service on this laptop takes all that any can be told. */
async function sendInside(send: Send, sending: Sending<IntentKind>, { keptHere }: Parts): Promise<Step> {
  const { intent } = sending
  return keptHere.isUntellable(intent) ? { state: 'done', apply: () => keptHere.keep(intent) } : send(sending)
}

async function sendOrKeep(send: Send, sending: Sending<IntentKind>, parts: Parts): Promise<Step> {
  const { intent, options } = sending
  const { capabilities, keptHere } = parts
  const offers = await capabilities.now(options.signal)
  if (isOfWork(sending)) return sendWork(send, sending, parts, offers)
  const kept: Step = { state: 'done', apply: () => keptHere.keep(intent) }
  if (keptHere.staysHere(intent, offers)) return kept
  try {
    return await send(sending)
  } catch (error) {
    // A session of a client that it does not know, and cannot be told of.
    const isOfUnknown = intent.kind === 'create-session' && failedWith(error, 'not-found') && !offers.has('clients.write')
    if (isOfUnknown || failedWith(error, 'not-offered')) return kept
    throw error
  }
}

/** Repeats the recorded request under its key, even if the service's capabilities have changed since. */
async function sendWork(send: Send, sending: Sending<WorkIntent>, parts: Parts, offers: Offers): Promise<Step> {
  const { intent } = sending
  const isUsual = workNeeds[intent.kind].every((name) => offers.has(name)) && !parts.keptHere.isUnknownThere(intent)
  const before = askedBefore(intent)
  if (before?.is_plain ?? !isUsual) return (parts.plain[intent.kind] as Send)(sending)
  return isUsual ? send(sending) : sendAsBefore(send, sending, offers)
}

/** The service may have done it before it offered less: under the same key it answers what came of it. */
async function sendAsBefore(send: Send, sending: Sending<WorkIntent>, offers: Offers): Promise<Step> {
  const asked = offers.has('operations') ? sending : { ...sending, intent: { ...sending.intent, operation_id: null } }
  try {
    return await send(asked as Sending<IntentKind>)
  } catch (error) {
    // Not done, and not to be had in these words: another key, and what the service offers now.
    if (failedWith(error, 'not-offered', 'not-found', 'gone', 'validation-failed'))
      return { state: 'failed', code: 'engine-failed' }
    throw error
  }
}
