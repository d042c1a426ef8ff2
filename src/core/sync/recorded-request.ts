import type { RouteBodyInput } from '#contract/rest/routes.ts'
import type { Asked } from '#core/outbox/intents.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import type { Sending } from '#core/outbox/sending.ts'

export type WorkIntent = 'transcribe' | 'draft-note' | 'analyze'

interface Asking<Operation extends Asked['operation'], Body> {
  readonly operation: Operation
  readonly body: Body
}

/** What the service was asked under the key of now, whether or not an answer came; null: nothing yet. */
export function recordedRequest({
  idempotency_key: key,
  body: { asked },
}: Sending<WorkIntent>['intent']): Required<Asked> | null {
  // An earlier build asked in the usual words alone, and did not say so.
  return asked?.key === key ? { ...asked, is_plain: asked.is_plain ?? false } : null
}

/**
 * Under one key the service is asked the same, word for word, also where what it draws on has changed since an answer was
 * lost: asked anything else it would refuse, and asked under another key do it twice.
 */
export function replayRequest<Operation extends Asked['operation']>(
  parts: Parts,
  sending: Sending<WorkIntent>,
  asking: Asking<Operation, RouteBodyInput<Operation>>,
): Asking<Operation, RouteBodyInput<Operation>> {
  return remembered(parts, sending, asking, false)
}

/** The same of a service that is asked in other words, since it lacks something; sound goes beside what is remembered. */
export function replayBasicRequest<Operation extends Asked['operation'], Body extends object>(
  parts: Parts,
  sending: Sending<WorkIntent>,
  asking: Asking<Operation, Body>,
): Body {
  return remembered(parts, sending, asking, true).body
}

interface OfPiece {
  readonly piece: number
  readonly whom: object
  readonly asked: object
}

/**
 * What one piece of a recording was asked with, or else is: a piece that comes later may name whose it is otherwise, as the
 * service offers by then.
 */
export function replayPiece<Asking extends OfPiece>(parts: Parts, sending: Sending<'transcribe'>, now: Asking): Asking {
  const operation = 'transcribeWithSpeakers'
  const before = replayBasicRequest(parts, sending, { operation, body: now })
  if (before.piece === now.piece) return before
  const body = { ...now, asked: before.asked ?? now.asked }
  remember(parts, sending, { operation, body }, true)
  return body
}

interface Parts {
  readonly outbox: Pick<Outbox, 'remember'>
}

function remembered<Operation extends Asked['operation'], Body>(
  parts: Parts,
  sending: Sending<WorkIntent>,
  asking: Asking<Operation, Body>,
  is_plain: boolean,
): Asking<Operation, Body> {
  const known = recordedRequest(sending.intent)
  // In plain words each operation's body is one of its own; else what was asked first is asked again, whichever it is.
  const isSame = known?.is_plain === is_plain && (!is_plain || known.operation === asking.operation)
  // It is kept as JSON, as this function was given it.
  if (isSame) return known as unknown as Asking<Operation, Body>
  remember(parts, sending, asking, is_plain)
  return asking
}

function remember(
  { outbox }: Parts,
  { intent }: Sending<WorkIntent>,
  asking: Asking<Asked['operation'], unknown>,
  is_plain: boolean,
): void {
  outbox.remember(intent.id, { ...intent.body, asked: { key: intent.idempotency_key, is_plain, ...asking } })
}
