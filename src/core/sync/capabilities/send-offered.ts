import { isWork, type IntentKind } from '../intents.ts'
import { failedWith, type Sending } from '../sending.ts'
import type { Step } from '../sync-loop.ts'
import type { Senders } from '../sync.ts'
import type { Capabilities } from './capabilities.ts'
import type { KeptHere } from './kept-here.ts'

interface Parts {
  readonly capabilities: Capabilities
  readonly keptHere: KeptHere
  readonly isRemote: () => boolean
}

type Send = (sending: Sending<IntentKind>) => Promise<Step>

/** What the service cannot be told ends here without an error, and is kept for the day it can. */
export function sendersOfWhatIsOffered(senders: Senders, parts: Parts): Senders {
  const kinds = Object.keys(senders) as IntentKind[]
  const offered = kinds.map((kind) => {
    const send = senders[kind] as Send
    return [kind, (sending: Sending<IntentKind>) => (parts.isRemote() ? sendOrKeep(send, sending, parts) : send(sending))]
  })
  return Object.fromEntries(offered) as Senders
}

async function sendOrKeep(send: Send, sending: Sending<IntentKind>, { capabilities, keptHere }: Parts): Promise<Step> {
  const { intent } = sending
  if (isWork(intent)) return send(sending)
  const kept: Step = { state: 'done', apply: () => keptHere.keep(intent) }
  const offers = await capabilities.now()
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
