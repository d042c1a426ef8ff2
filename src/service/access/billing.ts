import type { Client } from '#contract/model/client.ts'
import type { Note } from '#contract/model/note.ts'
import type { Session } from '#contract/model/session.ts'
import { recordsById } from '#service/store/records.ts'
import type { Database } from '#service/store/tables.ts'

/** The notes with what a bill needs to know of their session and client. */
export async function withBilling(db: Database, practice: string, notes: readonly Note[]): Promise<Note[]> {
  const sessions = await recordsById<Session>(db, 'sessions', practice, idsOf(notes.map(({ session_id }) => session_id)))
  const whose = ({ client_id, session_id }: Note): string | null => client_id ?? sessions.get(session_id ?? '')?.client_id ?? null
  const clients = await recordsById<Client>(db, 'clients', practice, idsOf(notes.map(whose)))
  return notes.map((note) => {
    const session = sessions.get(note.session_id ?? '')
    const billing = {
      cpt_code: session?.cpt_code ?? null,
      diagnoses: clients.get(whose(note) ?? '')?.diagnoses ?? [],
      starts_at: session?.starts_at ?? null,
      ends_at: session?.ends_at ?? null,
      duration_minutes: session?.duration_minutes ?? null,
      started_at: session?.started_at ?? null,
      finished_at: session?.finished_at ?? null,
      signed_at: note.signature?.at ?? null,
    }
    return { ...note, billing }
  })
}

const idsOf = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))]
