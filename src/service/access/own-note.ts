import { AppError } from '#contract/errors.ts'
import type { Note } from '#contract/model/note.ts'
import type { Call } from './call.ts'
import type { Database } from '#service/store/tables.ts'
import { mayReach } from './scope.ts'

type Reading = Pick<Call, 'practice' | 'caller' | 'scope'>

interface Whose {
  /** Who held the session, else who treats the client. */
  readonly clinician: string | null
  readonly author: string | null
}

/**
 * A clinician signs and amends what is of their own work: the notes of their sessions and clients, and those they wrote.
 * To reach somebody's client one by one, shared or as a colleague, makes no note of theirs one's own.
 *
 * @throws AppError `forbidden`
 */
export async function requireOwnNote(db: Database, call: Reading, note: Note): Promise<void> {
  const { clinician, author } = await whoseNote(db, call, note)
  if (author === call.caller.person_id || mayReach(call.scope, clinician)) return
  throw new AppError('forbidden', 'A note is signed, amended or marked by its own clinician.')
}

/**
 * A supervisor's word is on what those they supervise signed.
 *
 * @throws AppError `forbidden`
 */
export async function requireSuperviseesNote(db: Database, call: Reading, note: Note): Promise<void> {
  const { clinician, author } = await whoseNote(db, call, note)
  const own = clinician ?? author
  const me = call.caller.person_id
  if (own === me || note.signed_by === me) throw new AppError('forbidden', 'Nobody is the supervisor of their own note.')
  if (mayReach(call.scope, note.signed_by ?? own)) return
  throw new AppError('forbidden', 'A note is cosigned or returned by the supervisor of who signed it.')
}

async function whoseNote(db: Database, { practice }: Reading, note: Note): Promise<Whose> {
  const row = await db
    .selectFrom('notes')
    .leftJoin('sessions', 'sessions.id', 'notes.session_id')
    .leftJoin('clients', (join) =>
      join.on((where) => where('clients.id', '=', where.fn.coalesce('notes.client_id', 'sessions.client_id'))),
    )
    .select(['notes.author_id', 'sessions.clinician_id as held_by', 'clients.clinician_id as treated_by'])
    .where('notes.practice_id', '=', practice)
    .where('notes.id', '=', note.id)
    .executeTakeFirst()
  return { clinician: row?.held_by ?? row?.treated_by ?? null, author: row?.author_id ?? null }
}
