import type { Handlers } from '#contract/bridge/methods.ts'
import { AppError } from '#contract/errors.ts'
import type { Addendum, Note, Signature } from '#contract/model/note.ts'
import { toCheck } from '#domain/note-review.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import type { Clock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { ClientRepository } from '../clients/client-repository.ts'
import type { MakeChange } from '#core/records/change.ts'
import { markHeld } from '../sessions/change-session.ts'
import type { SessionRepository } from '../sessions/session-repository.ts'
import type { WorkRepository } from '../work/work-repository.ts'
import type { DraftRequests } from './request-draft.ts'
import type { NoteRepository, SessionNote } from './note-repository.ts'
import { checksForPayer } from './checks-for-payer.ts'
import { addendumHash, contentHash, isIntact } from './note-signing.ts'

interface Parts {
  readonly notes: NoteRepository
  readonly sessions: SessionRepository
  readonly clients: ClientRepository
  readonly work: WorkRepository
  readonly change: MakeChange
  readonly clock: Clock
  readonly settings: () => Settings
  readonly draftRequests: DraftRequests
  /** It was changed here and elsewhere, and nobody has decided yet. */
  readonly isAsked: (noteId: string) => boolean
}

type Names =
  | 'notes.payerChecks'
  | 'notes.get'
  | 'notes.draft'
  | 'notes.cancelDraft'
  | 'notes.save'
  | 'notes.sign'
  | 'notes.addAddendum'
  | 'notes.verify'

/** What a person may still change. */
const unsigned: readonly Note['status'][] = ['draft', 'in_review', 'returned']

export function noteHandlers(parts: Parts): Handlers<Names> {
  const { notes, work, change, draftRequests } = parts
  return {
    'notes.get': ({ session_id }) => ({ note: notes.ofSession(session_id), work: work.get(session_id, 'draft') }),
    'notes.draft': draftRequests.request,
    'notes.cancelDraft': ({ session_id }) => draftRequests.cancel(session_id),
    'notes.save': ({ id, version, sections, omissions }) =>
      change(['notes', 'sessions'], ({ at, audit, intend }) => {
        const before = openNote(notes, id, version)
        const note: SessionNote = { ...before, sections, omissions, updated_at: at, version: version + 1 }
        notes.update(note)
        audit({ action: 'note.changed', subject_id: id, client_id: note.client_id })
        intend({ kind: 'put-note', ...about(note), body: {} })
        return note
      }),
    'notes.payerChecks': ({ session_id }) => checksForPayer(parts, session_id),
    'notes.sign': (input) => sign(parts, input),
    'notes.addAddendum': (input) => addAddendum(parts, input),
    'notes.verify'({ id }) {
      const note = notes.find(id)
      if (note === null) throw new AppError('not-found')
      return { intact: isIntact(note) }
    },
  }
}

function sign(
  { notes, sessions, change, settings, isAsked }: Parts,
  { id, version }: { id: string; version: number },
): SessionNote {
  return change(['notes', 'sessions', 'clients'], (within) => {
    const { at, audit, intend } = within
    const before = openNote(notes, id, version)
    if (isAsked(id)) throw new AppError('conflict', 'This draft has two versions. Choose one first.')
    if (toCheck(before).total > 0) throw new AppError('not-ready-to-sign')
    const { therapist_name, therapist_credential } = settings()
    const signature: Signature = {
      by: therapist_name,
      credential: therapist_credential,
      at,
      method: 'click',
      content_hash: contentHash(before),
    }
    const note: SessionNote = { ...before, status: 'signed', signature, updated_at: at, version: version + 1 }
    notes.update(note)
    audit({ action: 'note.signed', subject_id: id, client_id: note.client_id })
    intend({ kind: 'sign-note', ...about(note), body: { signature } })
    const session = sessions.find(note.session_id)
    if (session !== null) markHeld(sessions, within, session)
    return note
  })
}

function addAddendum(
  { notes, change, clock, settings }: Parts,
  input: { id: string; text: string; reason: string },
): SessionNote {
  return change(['notes', 'sessions'], ({ at, audit, intend }) => {
    const before = notes.find(input.id)
    if (before === null) throw new AppError('not-found')
    if (before.signature === null) throw new AppError('conflict', 'Only a signed note takes an addendum.')
    const previous = before.addenda.at(-1)?.content_hash ?? before.signature.content_hash
    const written = { id: newId(clock), text: input.text, reason: input.reason, by: settings().therapist_name, at }
    const addendum: Addendum = { ...written, content_hash: addendumHash(written, previous) }
    const note: SessionNote = { ...before, addenda: [...before.addenda, addendum], updated_at: at, version: before.version + 1 }
    notes.update(note)
    audit({ action: 'note.amended', subject_id: note.id, client_id: note.client_id })
    intend({ kind: 'add-addendum', ...about(note), body: addendum })
    return note
  })
}

function openNote(notes: NoteRepository, id: string, version: number): SessionNote {
  const note = notes.find(id)
  if (note === null) throw new AppError('not-found')
  if (!unsigned.includes(note.status)) throw new AppError('already-signed')
  if (note.version !== version) throw new AppError('stale-version')
  return note
}

function about(note: SessionNote) {
  return { client_id: note.client_id, session_id: note.session_id, subject_id: note.id }
}
