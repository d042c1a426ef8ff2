import { newId } from '#base/ids.ts'
import type { Client } from '#contract/model/client.ts'
import { AppError } from '#contract/errors.ts'
import { type Note, type NoteBody, noteBodySchema } from '#contract/model/note.ts'
import { type OwnTemplate, ownTemplateId, type Template } from '#contract/model/template.ts'
import type { Session } from '#contract/model/session.ts'
import { requireConsent } from '#service/access/consent.ts'
import type { Finish, JobServices, Work } from './run.ts'
import type { DraftClient, DraftSession } from '#engines/language/port.ts'
import { getClient } from '../store/clients.ts'
import { getTemplate, insertNote } from '../store/notes.ts'
import { inPractice } from '../store/in-practice.ts'
import { askerOf, findOperationText, type OperationRow } from '../store/operations.ts'
import { newRecord } from '../store/records.ts'
import { getSession } from '../store/sessions.ts'
import type { Database, Write } from '../store/tables.ts'
import { storedTranscript } from '../store/transcripts.ts'
import type { Said } from '#engines/texts/text-work.ts'

export interface DraftTask {
  readonly session_id: string
  readonly client_id: string
  readonly template: Template
  /** Null if the call contained the text itself. */
  readonly transcript_id: string | null
  readonly transcript?: string | null
  readonly without_ai?: boolean
}

type Ports = Pick<JobServices, 'db' | 'clock' | 'language' | 'consentPolicy' | 'texts'>

export function draftWorker({ db, clock, language, consentPolicy, texts }: Ports) {
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
        said: await saidIn(read, operation, task, namesOf(whose, about)),
        own: await ownTemplateOf(read, practice, task.template),
      }
    })
    const model = task.without_ai === true ? null : await language.chosen(work.signal)
    const about = { template: task.template, own, session: draftSession(session), client: draftClient(client) }
    const onShare = inSteps((share) => work.progress(share))
    const body = await texts.draft(practice, { kind: 'draft', said, ...about }, model, { signal: work.signal, onShare })
    return async (write) => {
      // Consent may have been revoked, or a participant added, during drafting.
      await requireConsent(write, practice, consentPolicy, await getSession(write, practice, session.id), 'draft')
      const of = { session: session.id, client: client.id, author: askerOf(operation) }
      const note = await storeDraft(write, practice, newId(clock), clock.now(), body, of)
      return { kind: 'note', id: note.id, touched: [note.id, session.id, client.id] }
    }
  }
}

export async function ownTemplateOf(db: Database, practice: string, template: Template): Promise<OwnTemplate | null> {
  const id = ownTemplateId(template)
  return id === null ? null : getTemplate(db, practice, id)
}

export async function saidIn(
  db: Database,
  { id, practice_id }: OperationRow,
  { transcript_id, transcript }: Pick<DraftTask, 'transcript_id' | 'transcript'>,
  client_names: readonly string[],
): Promise<Said> {
  if (transcript_id === null) return { kind: 'text', text: transcript ?? (await findOperationText(db, id)) ?? '', client_names }
  const { body } = await storedTranscript(db, practice_id, transcript_id)
  return { kind: 'transcript', body }
}

function inSteps(store: (share: number) => Promise<void>): (share: number) => void {
  let stored = 0
  return (share) => {
    const next = Math.min(0.99, Math.floor(share * 100) / 100)
    if (next <= stored) return
    stored = next
    void store(next).catch(() => {})
  }
}

export async function storeDraft(
  write: Write,
  practice: string,
  id: string,
  now: number,
  body: NoteBody,
  { session, client, author }: { session: string | null; client: string | null; author: string },
): Promise<Note> {
  if (!noteBodySchema.safeParse({ ...body, session_id: session, client_id: client }).success)
    throw new AppError('engine-unusable')
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
