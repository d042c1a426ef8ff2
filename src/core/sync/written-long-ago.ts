import type { Clock } from '#base/clock.ts'
import type { Note } from '#contract/model/note.ts'
import { failedWith, type Sending } from './sending.ts'

/** A service remembers for 90 days what was asked under a key (API.md section 2); less, as two clocks may differ. */
const surelyKnownMs = 60 * 24 * 60 * 60 * 1000

/**
 * The draft that was asked for before this laptop lay still for months, where its answer was lost: the service knows the
 * key no more, and asked again would write it twice. Null where it was not written then.
 */
export async function writtenLongAgo(
  { clock }: { readonly clock: Clock },
  { intent, client, options }: Sending<'draft-note'>,
): Promise<Note | null> {
  const isOld = Math.abs(clock.now() - Date.parse(intent.created_at)) > surelyKnownMs
  if (!isOld || intent.tried === 0) return null
  const query = { session_id: intent.subject_id }
  const notes = await client.call('listNotes', { query, signal: options.signal }).catch((error: unknown) => {
    // It does not list them, or not for this person.
    if (failedWith(error, 'not-found', 'method-not-allowed', 'forbidden')) return null
    throw error
  })
  const since = notes?.data.data.filter(({ id }) => id !== intent.body.base?.id) ?? []
  return since.toSorted((one, other) => one.created_at.localeCompare(other.created_at)).at(-1) ?? null
}
