import type { Note } from '#contract/model/note.ts'
import { timestamp } from '#base/clock.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { contentHash, withoutQuotes } from '#core/records/content-hash.ts'
import type { Repositories, RecordParts } from '#core/records/repositories.ts'
import type { Common, MergedKind } from './common.ts'
import type { ConflictRepository, StoredConflict } from './conflict-repository.ts'
import type { FreedWork } from '../store-results.ts'
import { isTaken } from './list-conflicts.ts'
import type { PendingIntents } from './pending.ts'

interface Parts extends Repositories, Pick<RecordParts, 'audit' | 'clock'> {
  readonly common: Common
  readonly conflicts: ConflictRepository
  readonly pending: PendingIntents
  readonly remove: RemoveRecords
  readonly freed: FreedWork
  readonly withdrawn: (clientId: string) => void
  readonly pullAgain: (clientId: string) => void
}

export function createTombstones(parts: Parts) {
  const { common, conflicts, pending, remove, freed, audit, clock, withdrawn } = parts
  const unquote = createUnquote(parts)
  const onlyHere = onlyHereOf(parts)
  const refreshSession = (kind: MergedKind, session_id: string | null): void => refreshSessionOf(parts, kind, session_id)
  const erase = (kind: MergedKind, id: string): void => {
    const { client_id, session_id } = placeOf(parts, kind, id)
    if (kind === 'template') parts.templates.remove(id, timestamp(clock))
    else remove[kind](id)
    conflicts.forget(id)
    audit.append({ action: `${kind}.erased`, subject_id: id, client_id })
    if (kind === 'consent' && client_id !== null) withdrawn(client_id)
    refreshSession(kind, session_id)
    if (kind === 'template') freed.formDecided(id)
  }
  const forgetOther = (id: string): void => {
    for (const { record_id, client_id } of conflicts.forgetOther(id)) {
      audit.append({ action: 'conflict.ended', subject_id: record_id, client_id })
      for (const intent of pending.of(record_id, ...ofDocuments))
        if (intent.state === 'needs_you' && intent.error === 'stale-version') pending.resend(intent, intent.body)
    }
  }
  const eraseOrAsk = (kind: MergedKind, id: string): void => {
    const { unsent_changes, recordings } = onlyHere(kind, id)
    if (unsent_changes === 0 && recordings.length === 0) return erase(kind, id)
    const open = conflicts.open(kind, id)
    // An open document conflict may be the only place that has the local text until the therapist has seen it.
    if (open?.kind === 'erased' || (open !== null && holdsWords(open))) return
    const body = { erased_at: timestamp(clock) }
    conflicts.found({ kind: 'erased', record_kind: kind, record_id: id, ...placeOf(parts, kind, id), body })
    if (open === null) audit.append({ action: 'conflict.found', subject_id: id, client_id: placeOf(parts, kind, id).client_id })
  }
  return {
    onlyHere,
    erase,
    kept: (kind: MergedKind, id: string) => refreshSession(kind, placeOf(parts, kind, id).session_id),
    /** Call after the therapist has seen the local text: applies a deletion that waited, or records a conflict. */
    seen(kind: MergedKind, id: string): void {
      if (common.of(kind, id) === 'gone' && isHere(parts, kind, id)) eraseOrAsk(kind, id)
    },
    /**
     * Applies a deletion that was made at the service, or records a conflict if data that only this laptop has would be lost.
     */
    take(kind: MergedKind, id: string): void {
      const known = common.of(kind, id)
      if (known === 'gone') return
      common.gone(kind, id)
      forgetOther(id)
      const session_id = placeOf(parts, kind, id).session_id ?? (known?.record['session_id'] as string | undefined) ?? null
      if (kind === 'transcript' && session_id !== null) unquote(session_id)
      if (isHere(parts, kind, id)) return eraseOrAsk(kind, id)
      conflicts.forget(id)
      refreshSession(kind, session_id)
    },
  }
}

/** The service may still have another document of the session that the deleted one had replaced, so pull it again. */
function refreshSessionOf(parts: Parts, kind: MergedKind, session_id: string | null): void {
  const client_id = session_id === null ? null : (parts.sessions.find(session_id)?.client_id ?? null)
  if ((kind !== 'transcript' && kind !== 'note') || session_id === null || client_id === null) return
  parts.common.forget(kind, session_id, parts[`${kind}s`].ofSession(session_id)?.id ?? null)
  parts.pullAgain(client_id)
}

const ofDocuments = ['put-transcript', 'put-note', 'sign-note', 'add-addendum'] as const

/** The outbox column and value that select the intents of a record and its children. */
export function belongingTo(kind: MergedKind, id: string) {
  if (kind === 'client') return { client_id: id }
  return kind === 'session' ? { session_id: id } : { subject_id: id }
}

function onlyHereOf({ conflicts, pending, remove }: Parts) {
  return (kind: MergedKind, id: string): { unsent_changes: number; recordings: readonly string[] } => {
    const column = kind === 'client' ? 'client_id' : kind === 'session' ? 'session_id' : 'record_id'
    const unseen = conflicts.listOpen().filter((one) => one[column] === id && holdsWords(one)).length
    const sessions = kind === 'client' ? remove.sessionsOf(id) : kind === 'session' ? [id] : []
    const unsent_changes = pending.count(belongingTo(kind, id)) + unseen
    return { unsent_changes, recordings: remove.recordingsOf(sessions) }
  }
}

const holdsWords = (one: StoredConflict): boolean => one.kind === 'document' && isTaken(one.body)

const isHere = (records: Repositories, kind: MergedKind, id: string): boolean => records[`${kind}s`].find(id) !== null

function placeOf(records: Repositories, kind: MergedKind, id: string): { client_id: string | null; session_id: string | null } {
  if (kind === 'client') return { client_id: id, session_id: null }
  if (kind === 'consent') return { client_id: records.consents.find(id)?.client_id ?? null, session_id: null }
  if (kind === 'template') return { client_id: null, session_id: null }
  const session_id = kind === 'session' ? id : (records[`${kind}s`].find(id)?.session_id ?? null)
  return { session_id, client_id: session_id === null ? null : (records.sessions.find(session_id)?.client_id ?? null) }
}

type UnquoteParts = Pick<Parts, 'notes' | 'clock' | 'conflicts' | 'pending'>

/**
 * Removes quotes of a deleted transcript from the session's note and its conflicts. A note with an unpushed signature
 * is not changed.
 */
export const createUnquote =
  ({ conflicts, pending, notes, clock }: UnquoteParts): ((sessionId: string) => void) =>
  (sessionId) => {
    const change = <Kept extends Note>(note: Kept): Kept => withoutQuotes(note, timestamp(clock))
    conflicts.changeNotes(sessionId, change)
    notes.versions.forget(sessionId) // They may quote it.
    const note = notes.ofSession(sessionId)
    if (note === null || pending.isUnpushed(note.id, 'sign-note')) return
    const after = change(note)
    if (contentHash(after) === contentHash(note)) return
    notes.replace({ ...after, version: note.version + 1 }, notes.serviceVersion(note.id))
  }

const ofBoth = ['insights', 'outbox', 'kept_here', 'sent_today']
const ofSession = [
  'segments',
  'transcripts',
  'speaker_facts',
  'cue_decisions',
  'work',
  'notes',
  'dictations',
  'note_versions',
  ...ofBoth,
]
const ofClient = ['consents', ...ofBoth]

export type RemoveRecords = ReturnType<typeof createRemoveRecords>

export function createRemoveRecords(db: Sqlite) {
  const each = (tables: readonly string[], column: string) =>
    tables.map((table) => db.prepare(`delete from ${table} where ${column} = ?`))
  const removal = (...statements: { run(id: string): unknown }[]) => {
    return (id: string): void => statements.forEach((statement) => void statement.run(id))
  }
  const sessionsOf = db.prepare('select id from sessions where client_id = ? order by id').pluck()
  const recordings = db
    .prepare(`select id from recordings where state <> 'erased' and session_id in (select value from json_each(?)) order by id`)
    .pluck()
  // Keep only the fact that the record is gone, not its content.
  const agreed = db.prepare(`
    update common_versions set version = 0, record = null where (kind = 'session' and id = @id)
      or (kind = 'transcript' and id in (select id from transcripts where session_id = @id))
      or (kind = 'note' and id in (select id from notes where session_id = @id))`)
  const syncRows = each(['kept_here', 'sent_today'], 'subject_id')
  const session = removal(...each(ofSession, 'session_id'), ...each(['sessions'], 'id'))
  const clientRows = removal(
    ...each(ofClient, 'client_id'),
    ...each(['clients'], 'id'),
    db.prepare('delete from kept_answers where instr(question || answer, ?) > 0'),
    db.prepare('update recovery_items set client_name = null where client_id = ?'),
  )
  const ofTranscript = ['speaker_facts', 'insights', 'cue_decisions'].map((table) =>
    db.prepare(`delete from ${table} where session_id = (select session_id from transcripts where id = ?)`),
  )
  return {
    session,
    client(id: string): void {
      for (const one of sessionsOf.all(id) as string[]) {
        agreed.run({ id: one })
        session(one)
      }
      clientRows(id)
    },
    consent: removal(...each(['consents'], 'id'), ...syncRows),
    transcript: removal(...ofTranscript, ...each(['segments'], 'transcript_id'), ...each(['transcripts'], 'id'), ...syncRows),
    note: removal(...each(['notes'], 'id'), ...each(['note_versions'], 'note_id'), ...syncRows),
    sessionsOf: (clientId: string) => sessionsOf.all(clientId) as string[],
    recordingsOf: (sessionIds: readonly string[]) => recordings.all(JSON.stringify(sessionIds)) as string[],
  }
}
