import type { RouteBodyInput } from '#contract/rest/routes.ts'
import type { Asked } from '#core/outbox/intents.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import type { Sending } from '#core/outbox/sending.ts'

export type WorkIntent = 'transcribe' | 'draft-note' | 'analyze'

interface Asking<Operation extends Asked['operation'], Body> {
  readonly operation: Operation
  readonly body: Body
}

/** The request recorded under the current idempotency key; null if there is none yet. */
export function recordedRequest({
  idempotency_key: key,
  body: { asked },
}: Sending<WorkIntent>['intent']): Required<Asked> | null {
  // Older builds had no fallback and didn't record `is_plain`.
  return asked?.key === key ? { ...asked, is_plain: asked.is_plain ?? false } : null
}

/** Replays the request even if its records changed. A new body would be rejected; a new key would repeat the work. */
export function replayRequest<Operation extends Asked['operation']>(
  parts: Parts,
  sending: Sending<WorkIntent>,
  asking: Asking<Operation, RouteBodyInput<Operation>>,
): Asking<Operation, RouteBodyInput<Operation>> {
  return remembered(parts, sending, asking, false)
}

/** Like `replayRequest`, for the basic-API fallback. Audio is not recorded. */
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

/** A later piece keeps the recorded options, but may name its session differently if capabilities have changed. */
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
  // In the fallback each operation has its own body. Otherwise replay the first request, whichever it was.
  const isSame = known?.is_plain === is_plain && (!is_plain || known.operation === asking.operation)
  // The stored JSON has the same shape.
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
