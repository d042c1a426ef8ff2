import type { Clock } from '#base/clock.ts'
import type { Note } from '#contract/model/note.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import type { WorkIntent } from './recorded-request.ts'
import { failedWith, type Sending } from '#core/outbox/sending.ts'

/** Idempotency keys expire after 90 days. The margin of 30 days covers clock differences. */
const SURELY_KNOWN_MS = 60 * 24 * 60 * 60 * 1000

/**
 * Finds the draft of a request whose answer was lost and whose key may have expired: a replay would write the draft
 * again.
 */
export async function findExpiredResult(
  { clock }: { readonly clock: Clock },
  sending: Sending<'draft-note'>,
): Promise<Note | Transcript | null> {
  const { created_at, tried } = sending.intent
  const isOld = Math.abs(clock.now() - Date.parse(created_at)) > SURELY_KNOWN_MS
  return isOld && tried !== 0 ? findResult(sending) : null
}

/**
 * Finds the result of a request with an unknown body, e.g. after the vault was restored from backup. Null if there is
 * none.
 */
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
