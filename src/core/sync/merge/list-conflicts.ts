import type { Conflict, ConflictSide } from '#contract/bridge/conflicts.ts'
import type { Note } from '#contract/model/note.ts'
import type { OwnTemplate } from '#contract/model/template.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import type { Repositories } from '#core/records/repositories.ts'
import type { Document, StoredConflict } from './conflict-repository.ts'
import type { ResolvingParts } from './merge.ts'
import type { Fields } from './three-way.ts'
import { isFinal } from './whole-documents.ts'

type Records = Pick<Repositories, 'clients' | 'sessions' | 'notes' | 'transcripts' | 'templates'>

/** Both sides as they are now, oldest first. One whose record went meanwhile is left out. */
export function listConflicts(records: Records, parts: ResolvingParts): Conflict[] {
  return parts.conflicts.listOpen().flatMap((stored) => shown(records, parts, stored) ?? [])
}

function shown(records: Records, parts: ResolvingParts, stored: StoredConflict): Conflict | null {
  const about = aboutOf(records, stored)
  switch (stored.kind) {
    case 'fields':
      return shownFields(records, parts, stored, about)
    case 'document': {
      const { record_kind: record } = stored
      const sides = { mine: mineOf(records, stored), theirs: stored.body.theirs, choices: choicesOf(records, stored) }
      return { ...about, kind: 'document', record, ...sides } as Extract<Conflict, { kind: 'document' }>
    }
    case 'erased': {
      const { unsent_changes, recordings } = parts.tombstones.onlyHere(stored.record_kind, stored.record_id)
      const { erased_at } = stored.body
      return { ...about, kind: 'erased', record: stored.record_kind, erased_at, unsent_changes, recordings: recordings.length }
    }
    case 'booking': {
      const session = records.sessions.find(stored.record_id)
      if (session === null) return null
      const { reasons, proposals } = stored.body
      return { ...about, kind: 'booking', record: 'session', session, reasons: [...reasons], proposals: [...proposals] }
    }
  }
}

function aboutOf({ clients, sessions }: Records, { id, version, found_at, client_id, session_id }: StoredConflict) {
  return {
    id,
    version,
    found_at,
    client_id,
    session_id,
    client_name: client_id === null ? null : (clients.find(client_id)?.display_name ?? null),
    session_starts_at: session_id === null ? null : (sessions.find(session_id)?.starts_at ?? null),
  }
}

function shownFields(
  records: Records,
  { pending }: ResolvingParts,
  stored: Extract<StoredConflict, { kind: 'fields' }>,
  about: ReturnType<typeof aboutOf>,
): Conflict | null {
  const record = stored.record_kind === 'client' ? 'client' : 'session'
  const row = records[`${record}s`].find(stored.record_id)
  if (row === null) return null
  const mine = row as unknown as Fields
  const { names, theirs, theirs_at, combined } = stored.body
  const told = pending.of(row.id, 'update-client', 'update-session').at(-1)
  return {
    ...about,
    kind: 'fields',
    record,
    fields: names.map((name) => ({ name, mine: (mine[name] ?? null) as never, theirs: (theirs[name] ?? null) as never })),
    combined: combined.map((name) => ({ name, value: (mine[name] ?? null) as never })),
    mine_at: told?.created_at ?? row.updated_at,
    theirs_at,
  }
}

type OfDocument = Extract<StoredConflict, { kind: 'document' }>

/** As it is now, edits since included; as it was, where what came stands in its place already. */
export function mineOf(records: Records, { record_kind, record_id, body }: OfDocument): Document {
  if (record_kind !== 'note' && record_kind !== 'transcript' && record_kind !== 'template') return body.mine
  if (isTaken(body)) return body.mine
  return records[`${record_kind}s`].find(record_id) ?? body.mine
}

/** What was signed is not changed by anybody's choice. */
export function choicesOf(records: Records, stored: OfDocument): ConflictSide[] {
  if (stored.record_kind !== 'note') return ['mine', 'theirs']
  if (stored.body.mine.id !== stored.body.theirs.id)
    return choicesOfTwo(mineOf(records, stored) as Note, stored.body.theirs as Note)
  if (isTaken(stored.body)) return ['theirs']
  return isFinal(mineOf(records, stored) as Note) ? ['mine'] : ['mine', 'theirs']
}

/** A note that is signed stands before one that is not. */
function choicesOfTwo(mine: Note, theirs: Note): ConflictSide[] {
  if (isFinal(mine) === isFinal(theirs)) return ['mine', 'theirs']
  return isFinal(mine) ? ['mine'] : ['theirs']
}

/** What came was signed, so it stands already. */
export function isTaken({ mine, theirs }: { readonly mine: Document; readonly theirs: Document }): boolean {
  return mine.id === theirs.id && isNote(theirs) && isFinal(theirs)
}

const isNote = (document: Note | Transcript | OwnTemplate): document is Note => 'signature' in document
