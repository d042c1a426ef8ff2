import type { IntentKind } from '../intents.ts'
import { failedWith, type Sending } from '../sending.ts'
import type { Step } from '../sync-loop.ts'
import type { Senders } from '../sync.ts'
import type { Capabilities } from './capabilities.ts'
import type { KeptHere } from './kept-here.ts'

interface Parts {
  readonly capabilities: Capabilities
  readonly keptHere: KeptHere
  readonly isRemote: () => boolean
  /** For a service that lacks something of what the usual ones of these need. */
  readonly plain: Pick<Senders, WorkKind>
}

type WorkKind = 'transcribe' | 'draft-note' | 'analyze'

const workNeeds: Readonly<Record<WorkKind, readonly string[]>> = {
  transcribe: ['uploads', 'operations'],
  'draft-note': ['transcripts', 'operations'],
  analyze: ['transcripts', 'operations'],
}

const isWorkKind = (kind: IntentKind): kind is WorkKind => Object.hasOwn(workNeeds, kind)

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
  if (isWorkKind(intent.kind)) {
    const isUsual = workNeeds[intent.kind].every((name) => offers.has(name)) && !keptHere.isUnknownThere(intent)
    return isUsual ? send(sending) : (parts.plain[intent.kind] as Send)(sending)
  }
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
