import type { Client } from '#contract/model/client.ts'
import type { Note } from '#contract/model/note.ts'
import type { Session } from '#contract/model/session.ts'
import type { Transcript } from '#contract/model/transcript.ts'

/** A note with what its pages carry beside it. */
export interface NoteExport {
  readonly note: Note
  /** Of the therapist's own form, where the note is in one. */
  readonly form_name: string | null
  readonly client: Pick<Client, 'display_name' | 'date_of_birth' | 'diagnoses'>
  readonly session: Session | null
  readonly therapist_name: string
  readonly therapist_credential: string | null
  readonly practice_name: string | null
}

export interface TranscriptExport {
  readonly transcript: Transcript
  readonly session: Session | null
}
