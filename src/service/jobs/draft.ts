import { setImmediate } from 'node:timers/promises'
import { newId } from '#base/ids.ts'
import { AppError } from '#contract/errors.ts'
import type { Client } from '#contract/model/client.ts'
import type { Note, NoteBody } from '#contract/model/note.ts'
import type { Template } from '#contract/model/template.ts'
import type { Session } from '#contract/model/session.ts'
import { requireConsent } from '../consent.ts'
import type { Services } from '../handler.ts'
import { segmentsFor, withoutOthers } from '../language/writer/member.ts'
import { checkDraft } from '../language/check/check-draft.ts'
import type { DraftClient, DraftSession } from '../language/port.ts'
import { requireReadable } from '../most-said.ts'
import { getClient } from '../store/clients.ts'
import { insertNote } from '../store/notes.ts'
import { inPractice } from '../store/in-practice.ts'
import type { OperationRow } from '../store/operations.ts'
import { askerOf } from '../store/operations.ts'
import { newRecord } from '../store/records.ts'
import { getSession } from '../store/sessions.ts'
import type { Write } from '../store/tables.ts'
import { ownTemplateOf } from '../store/templates.ts'
import { getTranscript } from '../store/transcripts.ts'
import { readTranscriptText } from '../transcript-text.ts'
import type { Finish, Work } from './run.ts'

/** What the operation keeps until it is over. */
export interface DraftTask {
  readonly session_id: string
  readonly client_id: string
  readonly template: Template
  /** One of the two is set. */
  readonly transcript_id: string | null
  readonly transcript: string | null
  /** By the rules alone, whatever engine is chosen. */
  readonly without_ai?: boolean
}

export function draftWorker({
  db,
  clock,
  language,
  consentPolicy,
}: Pick<Services, 'db' | 'clock' | 'language' | 'consentPolicy'>) {
  return async (operation: OperationRow, work: Work): Promise<Finish> => {
    const task = JSON.parse(operation.payload ?? '') as DraftTask
    const practice = operation.practice_id
    const { session, client, said, own } = await inPractice(db, practice, async (read) => {
      const about = await getSession(read, practice, task.session_id)
      await requireConsent(read, practice, consentPolicy, about, 'draft')
      const whose = await getClient(read, practice, task.client_id)
      return {
        session: about,
        client: whose,
        said:
          task.transcript_id === null
            ? readTranscriptText(task.transcript ?? '', { client: namesOf(whose, about) })
            : await getTranscript(read, practice, task.transcript_id),
        own: await ownTemplateOf(read, practice, task.template),
      }
    })
    // It may have been put anew since it was asked for.
    requireReadable(said)
    const { speakers, segments } = said
    if (!segments.some(({ text }) => text.trim() !== '')) throw new AppError('nothing-said')
    const writer = task.without_ai === true ? language.rules : await language.chosen(work.signal)
    const source = { session: draftSession(session), client: draftClient(client), speakers, segments }
    const request = { template: task.template, own, ...source }
    const drafted = await writer.draft(
      request,
      work.signal,
      inSteps((share) => work.progress(share)),
    )
    // Between two long parts others have their turn.
    await setImmediate()
    const body = withoutOthers(checkDraft(drafted, { ...source, segments: segmentsFor(request) }), request)
    return async (write) => {
      // Taken back while it was written, or somebody joined.
      await requireConsent(write, practice, consentPolicy, await getSession(write, practice, session.id), 'draft')
      const of = { session: session.id, client: client.id, author: askerOf(operation) }
      const note = await storeDraft(write, practice, newId(clock), clock.now(), body, of)
      return { kind: 'note', id: note.id, touched: [note.id, session.id, client.id] }
    }
  }
}

/** Each hundredth is stored, and not every word that comes. A step that cannot be stored is made up for by the next. */
function inSteps(store: (share: number) => Promise<void>): (share: number) => void {
  let stored = 0
  return (share) => {
    const next = Math.min(0.99, Math.floor(share * 100) / 100)
    if (next <= stored) return
    stored = next
    void store(next).catch(() => {})
  }
}

/** A draft becomes a note record. Which session and client it is of is not the engine's to say. */
export async function storeDraft(
  write: Write,
  practice: string,
  id: string,
  now: number,
  body: NoteBody,
  { session, client, author }: { session: string | null; client: string | null; author: string },
): Promise<Note> {
  const note: Note = {
    ...body,
    session_id: session,
    client_id: client,
    ...newRecord(id, new Date(now).toISOString()),
    status: 'draft',
    signature: null,
    addenda: [],
  }
  await insertNote(write, practice, note, author)
  return note
}

export function draftSession(session: Session): DraftSession {
  const { id, session_type, modality, starts_at, duration_minutes, time_zone, participants } = session
  return { id, session_type, modality, starts_at, duration_minutes, time_zone, participants }
}

export function draftClient({ id, display_name, given_name, pronouns }: Client): DraftClient {
  return { id, display_name, given_name, pronouns }
}

function namesOf(client: Client, session: Session): string[] {
  const present = session.participants.filter(({ role }) => role === 'client').map(({ name }) => name)
  return [client.display_name, client.given_name, client.family_name, ...present].filter((name) => name !== null)
}
