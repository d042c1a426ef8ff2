import type { Clock } from '#base/clock.ts'
import type { Note } from '#contract/model/note.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import type { WorkIntent } from './recorded-request.ts'
import { failedWith, type Sending } from '#core/outbox/sending.ts'

/** A service remembers for 90 days what was asked under a key (API.md section 2); less, as two clocks may differ. */
const SURELY_KNOWN_MS = 60 * 24 * 60 * 60 * 1000

/**
 * The draft that was asked for before this laptop lay still for months, where its answer was lost: the service knows the
 * key no more, and asked again would write it twice. Null where it was not written then.
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
 * What came of this request at the service, where the words it was asked in are not known here any more: the records were
 * put back to an earlier state. Null where nothing did.
 */
export async function findResult({ intent, client, options }: Sending<WorkIntent>): Promise<Note | Transcript | null> {
  if (intent.kind === 'analyze') return null
  const input = { query: { session_id: intent.subject_id }, signal: options.signal }
  const listed = intent.kind === 'transcribe' ? client.call('listTranscripts', input) : client.call('listNotes', input)
  const answer = await listed.catch((error: unknown) => {
    // It does not list them, or not for this person.
    if (failedWith(error, 'not-found', 'method-not-allowed', 'forbidden', 'not-offered')) return null
    throw error
  })
  const all: readonly (Note | Transcript)[] = answer?.data.data ?? []
  const base = intent.body.base?.id
  // What stood there before was written before.
  const before = all.find(({ id }) => id === base)?.created_at ?? (base === undefined ? '' : intent.created_at)
  const since = all.filter(({ id, created_at }) => id !== base && created_at > before)
  return since.toSorted((one, other) => one.created_at.localeCompare(other.created_at)).at(-1) ?? null
}
