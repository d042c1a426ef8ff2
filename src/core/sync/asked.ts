import type { RouteBodyInput } from '#contract/rest/routes.ts'
import type { Asked } from './intents.ts'
import type { Outbox } from './outbox.ts'
import type { Sending } from './sending.ts'

export type WorkIntent = 'transcribe' | 'draft-note' | 'analyze'

interface Asking<Operation extends Asked['operation']> {
  readonly operation: Operation
  readonly body: RouteBodyInput<Operation>
}

/** What the service was asked under the key of now, whether or not an answer came; null: nothing yet. */
export function askedBefore({ idempotency_key: key, body: { asked } }: Sending<WorkIntent>['intent']): Asked | null {
  return asked?.key === key ? asked : null
}

/**
 * Under one key the service is asked the same, word for word, also where what it draws on has changed since an answer was
 * lost: asked anything else it would refuse, and asked under another key do it twice.
 */
export function sameAsBefore<Operation extends Asked['operation']>(
  { outbox }: { readonly outbox: Pick<Outbox, 'remember'> },
  { intent }: Sending<WorkIntent>,
  asking: Asking<Operation>,
): Asking<Operation> {
  const known = askedBefore(intent)
  if (known !== null) return known as unknown as Asking<Operation>
  outbox.remember(intent.id, { ...intent.body, asked: { key: intent.idempotency_key, ...asking } })
  return asking
}
