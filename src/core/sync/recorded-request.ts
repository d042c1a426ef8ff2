import type { Note } from '#contract/model/note.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import type { Clock } from '#base/clock.ts'
import type { Asked, WorkIntent } from '#core/outbox/intents.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import { failedWith, type Sending } from '#core/outbox/sending.ts'

interface Asking<Operation extends Asked['operation'], Body> {
  readonly operation: Operation
  readonly body: Body
}

export function recordedRequest({ idempotency_key: key, body }: Sending<WorkIntent>['intent']): Required<Asked> | null {
  const { asked } = body
  // Older builds did not use the basic API and didn't record `is_plain`.
  return asked?.key === key ? { ...asked, is_plain: asked.is_plain ?? false } : null
}

interface Parts {
  readonly outbox: Pick<Outbox, 'remember'>
}

/**
 * Returns the request recorded under this key, even if its records changed since. If none matches, records and returns
 * `asking`.
 */
export function replayRequest<Operation extends Asked['operation'], Body extends object>(
  parts: Parts,
  sending: Sending<WorkIntent>,
  asking: Asking<Operation, Body>,
  is_plain = false,
): Asking<Operation, Body> {
  const known = recordedRequest(sending.intent)
  // With the basic API (`is_plain`) each operation has its own body. Otherwise replay the first request, whichever it was.
  const isSame = known?.is_plain === is_plain && (!is_plain || known.operation === asking.operation)
  // Callers send the returned request, so the type of `asking` is used for both requests.
  if (isSame) return known as unknown as Asking<Operation, Body>
  remember(parts, sending, asking, is_plain)
  return asking
}

interface OfPiece {
  readonly piece: number
  readonly whom: object
  readonly asked: object
}

/** A later piece keeps the recorded request options, but may name its session differently if capabilities have changed. */
export function replayPiece<Asking extends OfPiece>(parts: Parts, sending: Sending<'transcribe'>, now: Asking): Asking {
  const operation = 'transcribeWithSpeakers'
  const { body: before } = replayRequest(parts, sending, { operation, body: now }, true)
  if (before.piece === now.piece) return before
  const body = { ...now, asked: before.asked ?? now.asked }
  remember(parts, sending, { operation, body }, true)
  return body
}

function remember(
  { outbox }: Parts,
  { intent }: Sending<WorkIntent>,
  asking: Asking<Asked['operation'], unknown>,
  is_plain: boolean,
): void {
  outbox.remember(intent.id, { ...intent.body, asked: { key: intent.idempotency_key, is_plain, ...asking } })
}

/** Idempotency keys expire after 90 days. The margin of 30 days covers clock differences. */
const SURELY_KNOWN_MS = 60 * 24 * 60 * 60 * 1000

/** If the request was tried and its key may have expired, looks for the draft, because a replay would write it again. */
export async function findExpiredResult(
  { clock }: { readonly clock: Clock },
  sending: Sending<'draft-note'>,
): Promise<Note | Transcript | null> {
  const { created_at, tried } = sending.intent
  const isOld = Math.abs(clock.now() - Date.parse(created_at)) > SURELY_KNOWN_MS
  return isOld && tried !== 0 ? findResult(sending) : null
}

export async function findResult({ intent, client, options }: Sending<WorkIntent>): Promise<Note | Transcript | null> {
  if (intent.kind === 'analyze') return null
  const input = { query: { session_id: intent.subject_id }, signal: options.signal }
  const listed = intent.kind === 'transcribe' ? client.call('listTranscripts', input) : client.call('listNotes', input)
  const answer = await listed.catch((error: unknown) => {
    if (failedWith(error, 'not-found', 'method-not-allowed', 'forbidden', 'not-offered')) return null
    throw error
  })
  const all: readonly (Note | Transcript)[] = answer?.data.data ?? []
  const base = intent.body.base?.id
  // The result must be newer than the document the work started from.
  const before = all.find(({ id }) => id === base)?.created_at ?? (base === undefined ? '' : intent.created_at)
  const since = all.filter(({ id, created_at }) => id !== base && created_at > before)
  return since.toSorted((one, other) => one.created_at.localeCompare(other.created_at)).at(-1) ?? null
}
