import type { Handlers, MethodName, MethodRequest } from '#contract/bridge/methods.ts'
import type { NoteStep } from '#contract/bridge/notes.ts'
import { AppError } from '#contract/errors.ts'
import type { Addendum, Note, Signature, NoteCheck } from '#contract/model/note.ts'
import type { Session } from '#contract/model/session.ts'
import type { Template } from '#contract/model/template.ts'
import { peoplePresent } from '#domain/consent.ts'
import { toCheck, actualMinutes, payerChecks, withoutPlaceholders } from '#domain/note-review.ts'
import { isEmptyNote, sectionsOf } from '#domain/note-sections.ts'
import { newId } from '#base/ids.ts'
import { formatsOf } from '#base/locale.ts'
import { announced, type AudioRetention } from '../consent/audio-retention.ts'
import { markHeld } from '../sessions/change-session.ts'
import type { Work } from '#contract/bridge/sessions.ts'
import { cancelled, failed, idle, waiting } from '../work/work-repository.ts'
import type { NoteRepository, SessionNote } from './note-repository.ts'
import { addendumHash, contentHash, isIntact } from '../content-hash.ts'
import type { RecordParts } from '#core/records/repositories.ts'
import { existing, type Change } from '#core/records/change.ts'

interface Parts extends RecordParts {
  readonly retention: Pick<AudioRetention, 'deletedBySigning'>
  readonly abandon: (intentId: string, operationId: string | null) => void
  readonly isAsked: (noteId: string) => boolean
  readonly isDictated: (sessionId: string) => boolean
}

type Names = Extract<MethodName, `notes.${string}`>

const unsigned: readonly Note['status'][] = ['draft', 'in_review', 'returned']

export function noteHandlers(parts: Parts): Handlers<Names> {
  const { notes, work, change } = parts
  const draftRequests = createDraftRequests(parts)
  return {
    'notes.get': ({ session_id }) => ({
      note: notes.ofSession(session_id),
      work: work.get(session_id, 'draft'),
      is_outdated: notes.isOutdated(session_id),
    }),
    'notes.draft': draftRequests.request,
    'notes.cancelDraft': ({ session_id }) => draftRequests.cancel(session_id),
    'notes.keepDraft': ({ session_id }) =>
      change(['notes'], ({ audit }) => {
        const { id, client_id } = existing(notes.ofSession(session_id))
        notes.setSource(session_id)
        audit({ action: 'note.kept', subject_id: id, client_id })
        return {}
      }),
    'notes.previous': ({ session_id }) => notes.signedBefore(session_id, 1)[0] ?? null,
    'notes.start': (input) => notes.ofSession(input.session_id) ?? startNote(parts, input),
    'notes.save': ({ id, version, sections, omissions, template }) =>
      change(['notes', 'sessions'], (within) => {
        const before = openNote(notes, id, version)
        return write(notes, within, { ...before, sections, omissions, template: template ?? before.template }, 'edited')
      }),
    'notes.versions': ({ session_id }) => notes.versions.ofSession(session_id),
    'notes.restore': ({ id, version, number }) =>
      change(['notes', 'sessions'], (within) => {
        const before = openNote(notes, id, version)
        const then = notes.versions.ofSession(before.session_id).find((one) => one.number === number)
        const { template, sections, omissions } = existing(then ?? null)
        return write(notes, within, { ...before, template, sections, omissions }, 'restored')
      }),
    'notes.payerChecks': ({ session_id }) => checksForPayer(parts, session_id),
    'notes.sign': (input) => sign(parts, input),
    'notes.addAddendum': (input) => addAddendum(parts, input),
    'notes.verify': ({ id }) => ({ intact: isIntact(existing(notes.find(id))) }),
  }
}

function write(notes: NoteRepository, { at, audit, intend }: Change, changed: SessionNote, step: NoteStep): SessionNote {
  const note = { ...changed, updated_at: at, version: changed.version + 1 }
  notes.update(note, step)
  const action = step === 'restored' ? 'note.restored' : 'note.changed'
  audit({ action, subject_id: note.id, client_id: note.client_id })
  intend({ kind: 'put-note', ...about(note), body: {} })
  return note
}

function sign(parts: Parts, { id, version, deletes_audio }: MethodRequest<'notes.sign'>): SessionNote {
  const { notes, sessions, retention, change, settings, isAsked, isDictated } = parts
  return change(['notes', 'sessions', 'clients'], (within) => {
    const { at, audit, intend } = within
    const before = openNote(notes, id, version)
    if (isAsked(id)) throw new AppError('conflict', 'This draft has two versions. Choose one first.')
    if (isDictated(before.session_id)) throw new AppError('not-ready-to-sign', 'A dictation is not in the note yet.')
    if (isEmptyNote(before)) throw new AppError('not-ready-to-sign', 'The note is empty. Add at least one sentence.')
    if (toCheck(before).total > 0) throw new AppError('not-ready-to-sign', 'Some items of the note still need review.')
    const { therapist_name, therapist_credential } = settings()
    const by = { by: therapist_name, credential: therapist_credential }
    const sections = before.sections.map(withoutPlaceholders)
    const signature: Signature = { ...by, at, method: 'click', content_hash: contentHash({ ...before, sections }) }
    const note: SessionNote = { ...before, sections, status: 'signed', signature, updated_at: at, version: version + 1 }
    const deleted = deletes_audio ? retention.deletedBySigning(note.session_id) : null
    notes.update(note, 'signed')
    audit({ action: 'note.signed', subject_id: id, client_id: note.client_id })
    if (deleted !== null) audit({ action: announced, subject_id: deleted, client_id: note.client_id })
    if (sections.some((section, at) => section !== before.sections[at])) intend({ kind: 'put-note', ...about(note), body: {} })
    intend({ kind: 'sign-note', ...about(note), body: { signature } })
    const session = sessions.find(note.session_id)
    if (session !== null) markHeld(sessions, within, session)
    return note
  })
}

function addAddendum(parts: Parts, input: MethodRequest<'notes.addAddendum'>): SessionNote {
  const { notes, change, clock, settings } = parts
  return change(['notes', 'sessions'], ({ at, audit, intend }) => {
    const before = existing(notes.find(input.id))
    if (before.signature === null) throw new AppError('conflict', 'Only a signed note takes an addendum.')
    const previous = before.addenda.at(-1)?.content_hash ?? before.signature.content_hash
    const written = { id: newId(clock), text: input.text, reason: input.reason, by: settings().therapist_name, at }
    const addendum: Addendum = { ...written, content_hash: addendumHash(written, previous) }
    const note: SessionNote = { ...before, addenda: [...before.addenda, addendum], updated_at: at, version: before.version + 1 }
    notes.update(note, 'addendum')
    audit({ action: 'note.amended', subject_id: note.id, client_id: note.client_id })
    intend({ kind: 'add-addendum', ...about(note), body: addendum })
    return note
  })
}

function openNote(notes: NoteRepository, id: string, version: number): SessionNote {
  const note = existing(notes.find(id))
  if (!unsigned.includes(note.status)) throw new AppError('already-signed')
  if (note.version !== version) throw new AppError('stale-version')
  return note
}

const about = (note: SessionNote) => ({ client_id: note.client_id, session_id: note.session_id, subject_id: note.id })

const COMPARED = 5

function checksForPayer(parts: Parts, sessionId: string): { minutes: number | null; checks: NoteCheck[] } {
  const session = existing(parts.sessions.find(sessionId))
  const client = existing(parts.clients.find(session.client_id))
  const note = parts.notes.ofSession(sessionId)
  const minutes = actualMinutes(session)
  if (note === null) return { minutes, checks: [] }
  const { therapist_credential } = parts.settings()
  const earlier = parts.notes
    .signedBefore(sessionId, COMPARED)
    .map(({ note: other, starts_at }) => ({ note: other, day: formatsOf(parts.locale(), session.time_zone).date(starts_at) }))
  const { add_on_code } = parts.sessions.billing(sessionId)
  return { minutes, checks: payerChecks({ note, session, client, therapist_credential, add_on_code, earlier }) }
}

interface DraftWish {
  readonly template: Template
  readonly without_ai?: boolean | undefined
}

/** Adds the intent to draft the note of a session. The caller checks the consent. */
export function requestDraft(
  { transcripts, notes, work }: Pick<RecordParts, 'transcripts' | 'notes' | 'work'>,
  { audit, intend }: Pick<Change, 'audit' | 'intend'>,
  { id, client_id }: Session,
  { template, without_ai = false }: DraftWish,
): void {
  const transcript = transcripts.ofSession(id)
  const note = notes.ofSession(id)
  work.set(id, 'draft', waiting)
  audit({ action: 'note.asked', subject_id: id, client_id })
  const base = note === null ? null : { id: note.id, version: note.version }
  const said = transcript === null ? {} : { said: `${transcript.id} ${transcript.version}` }
  const about = { client_id, session_id: id, subject_id: id }
  intend({ kind: 'draft-note', ...about, body: { template, base, ...said, ...(without_ai ? { without_ai } : {}) } })
}

function createDraftRequests(parts: Parts) {
  const { sessions, transcripts, notes, work, outbox, consentService, change } = parts
  const drop = (sessionId: string): void => dropDraft(parts, sessionId)
  return {
    request: ({ session_id, template, without_ai }: MethodRequest<'notes.draft'>): Work =>
      change(['notes', 'sessions'], ({ audit, intend }) => {
        const session = existing(sessions.find(session_id))
        const note = notes.ofSession(session_id)
        if (note !== null && note.signature !== null) throw new AppError('already-signed')
        const pending = outbox.pendingWork(session_id, 'draft-note')
        const isSame = pending?.kind === 'draft-note' && (pending.body.without_ai ?? false) === without_ai
        if (pending !== null && pending.state !== 'needs_you' && isSame) return work.get(session_id, 'draft')
        drop(session_id)

        const isFromTranscript = transcripts.idOf(session_id) !== null || outbox.pendingWork(session_id, 'transcribe') !== null
        if (isFromTranscript && !consentService.allows(session_id, 'draft')) {
          const refused = failed('consent-missing')
          work.set(session_id, 'draft', refused)
          return refused
        }
        requestDraft(parts, { audit, intend }, session, { template, without_ai })
        return waiting
      }),
    cancel: (sessionId: string): Work =>
      change(['notes', 'sessions'], ({ audit }) => {
        work.set(sessionId, 'draft', cancelled)
        drop(sessionId)
        audit({ action: 'note.cancelled', subject_id: sessionId, client_id: sessions.find(sessionId)?.client_id ?? null })
        return cancelled
      }),
  }
}

function dropDraft({ outbox, abandon }: Parts, sessionId: string): void {
  const pending = outbox.pendingWork(sessionId, 'draft-note')
  if (pending === null) return
  outbox.drop(pending.id)
  queueMicrotask(() => abandon(pending.id, pending.operation_id))
}

const engine = { name: 'typed', version: '1', model: null }
const unwritten = { unsupported: [], omissions: [], checks: [], addenda: [], signature: null } satisfies Partial<Note>

/** Makes a note without text for the clinician to type. */
function startNote(parts: Parts, { session_id, template }: MethodRequest<'notes.start'>): SessionNote {
  const { sessions, clients, templates, notes, work, change, clock } = parts
  return change(['notes', 'sessions'], ({ at, audit, intend }) => {
    const { client_id, participants } = existing(sessions.find(session_id))
    const people = peoplePresent(participants, existing(clients.find(client_id)).display_name)
    const forms = existing(sectionsOf(template, templates.list(), people))
    dropDraft(parts, session_id)
    work.set(session_id, 'draft', idle)
    const sections = forms.map(({ key, title }) => ({ key, title, statements: [] }))
    const times = { created_at: at, updated_at: at, version: 1 }
    const content = { ...unwritten, session_id, client_id, template, sections, engine }
    const note: SessionNote = { ...content, ...times, id: newId(clock), status: 'draft' }
    notes.replace(note, null)
    audit({ action: 'note.started', subject_id: note.id, client_id })
    intend({ kind: 'put-note', ...about(note), body: {} })
    return note
  })
}
