import type { Conflict, ConflictChoice, ConflictSide } from '#contract/bridge/conflicts.ts'
import type { Client } from '#contract/model/client.ts'
import type { Note } from '#contract/model/note.ts'
import type { Session } from '#contract/model/session.ts'
import type { OwnTemplate } from '#contract/model/template.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import type { Repositories } from '#core/records/repositories.ts'
import type { Document, StoredConflict } from './conflict-repository.ts'
import type { ResolvingParts } from './merge.ts'
import type { PendingIntents } from './pending.ts'
import { fieldsOf } from '#core/outbox/three-way.ts'
import { isAltered, isFinal } from './whole-documents.ts'

export function listConflicts(records: Repositories, parts: ResolvingParts, isDecided: boolean): Conflict[] {
  const stored = isDecided ? parts.conflicts.listDecided() : parts.conflicts.listOpen()
  return stored.flatMap((one) => shown(records, parts, one) ?? [])
}

export function asItIs(records: Repositories, { pending }: ResolvingParts, stored: StoredConflict): StoredConflict {
  if (stored.kind === 'document') return { ...stored, body: { ...stored.body, mine: mineOf(records, stored) } }
  if (stored.kind !== 'fields') return stored
  const row = rowOf(records, stored)
  if (row === null) return stored
  return { ...stored, body: { ...stored.body, mine: fieldsOf(row), mine_at: mineAt(pending, row) } }
}

type OfFields = Extract<StoredConflict, { kind: 'fields' }>

const rowOf = (records: Repositories, { record_kind, record_id }: OfFields): Client | Session | null =>
  records[record_kind === 'client' ? 'clients' : 'sessions'].find(record_id)

function mineAt(pending: PendingIntents, { id, updated_at }: Client | Session): string {
  return pending.of(id, 'update-client', 'update-session').at(-1)?.created_at ?? updated_at
}

function shown(records: Repositories, parts: ResolvingParts, stored: StoredConflict): Conflict | null {
  const about = aboutOf(records, stored)
  switch (stored.kind) {
    case 'fields':
      return shownFields(records, parts, stored, about)
    case 'document': {
      const { record_kind: record } = stored
      const chosen = choiceOf(stored)
      const written = chosen?.kind === 'together' ? { written: chosen.sections } : {}
      const sides = { mine: mineOf(records, stored), theirs: stored.body.theirs, choices: choicesOf(records, stored) }
      return { ...about, kind: 'document', record, ...sides, ...written } as Extract<Conflict, { kind: 'document' }>
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

function aboutOf({ clients, sessions }: Repositories, stored: StoredConflict) {
  const { id, version, found_at, client_id, session_id, resolved_at } = stored
  return {
    decided_at: resolved_at,
    decided: decidedOf(choiceOf(stored)),
    id,
    version,
    found_at,
    client_id,
    session_id,
    client_name: client_id === null ? null : (clients.find(client_id)?.display_name ?? null),
    session_starts_at: session_id === null ? null : (sessions.find(session_id)?.starts_at ?? null),
  }
}

const choiceOf = ({ choice }: StoredConflict): ConflictChoice | null =>
  choice === null ? null : (JSON.parse(choice) as ConflictChoice)

function decidedOf(chosen: ConflictChoice | null): Record<string, ConflictSide> {
  if (chosen?.kind === 'fields') return chosen.sides
  return chosen?.kind === 'document' ? { whole: chosen.side } : {}
}

function shownFields(
  records: Repositories,
  { pending }: ResolvingParts,
  stored: OfFields,
  about: ReturnType<typeof aboutOf>,
): Conflict | null {
  const row = rowOf(records, stored)
  if (row === null) return null
  const { names, theirs, theirs_at, combined, combined_here } = stored.body
  const mine = stored.body.mine ?? fieldsOf(row)
  return {
    ...about,
    kind: 'fields',
    record: stored.record_kind === 'client' ? 'client' : 'session',
    fields: names.map((name) => ({ name, mine: (mine[name] ?? null) as never, theirs: (theirs[name] ?? null) as never })),
    combined: combined.map((name) => ({
      name,
      value: (mine[name] ?? null) as never,
      ...(combined_here === undefined ? {} : { changed: combined_here.includes(name) ? 'here' : 'there' }),
    })),
    mine_at: stored.body.mine_at ?? mineAt(pending, row),
    theirs_at,
  }
}

type OfDocument = Extract<StoredConflict, { kind: 'document' }>

/**
 * This laptop's version: the current document, or the one in the conflict if the conflict was resolved or the document was
 * replaced or removed.
 */
export function mineOf(records: Repositories, { record_kind, record_id, session_id, resolved_at, body }: OfDocument): Document {
  if (record_kind !== 'note' && record_kind !== 'transcript' && record_kind !== 'template') return body.mine
  if (resolved_at !== null || isTaken(body)) return body.mine
  if (record_kind === 'template') return records.templates.find(record_id) ?? body.mine
  const documents = records[`${record_kind}s`]
  const ofNow = documents.find(record_id) ?? (session_id === null ? null : documents.ofSession(session_id))
  // If the other document has since replaced the local one, only the conflict has the local text.
  const isTheirs = ofNow?.id === body.theirs.id && record_id !== body.theirs.id
  return ofNow === null || isTheirs ? body.mine : ofNow
}

export function choicesOf(records: Repositories, stored: OfDocument): ConflictSide[] {
  if (stored.record_kind !== 'note') return ['mine', 'theirs']
  if (stored.body.mine.id !== stored.body.theirs.id)
    return choicesOfTwo(mineOf(records, stored) as Note, stored.body.theirs as Note)
  if (isTaken(stored.body)) return ['theirs']
  return isFinal(mineOf(records, stored) as Note) ? ['mine'] : ['mine', 'theirs']
}

function choicesOfTwo(mine: Note, theirs: Note): ConflictSide[] {
  if (isFinal(mine) === isFinal(theirs)) return ['mine', 'theirs']
  return isFinal(mine) ? ['mine'] : ['theirs']
}

/**
 * True if the other version of the same note is signed and was therefore applied. False if its text was altered after
 * signing.
 */
export function isTaken({ mine, theirs }: { readonly mine: Document; readonly theirs: Document }): boolean {
  const isSigned = mine.id === theirs.id && isNote(theirs) && isFinal(theirs)
  return isSigned && !(isNote(mine) && isAltered(mine, theirs))
}

const isNote = (document: Note | Transcript | OwnTemplate): document is Note => 'signature' in document
