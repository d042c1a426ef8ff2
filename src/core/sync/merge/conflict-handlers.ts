import type { ConflictChoice, WhoChanged } from '#contract/bridge/conflicts.ts'
import type { Handlers } from '#contract/bridge/methods.ts'
import { AppError } from '#contract/errors.ts'
import { type Note, type NoteSection, type Omission, type Statement, statementSchema } from '#contract/model/note.ts'
import { auditRoutes } from '#contract/rest/access.ts'
import type { ServiceClient } from '#client/client.ts'
import type { AnyIntent } from '#core/outbox/intents.ts'
import { isSame } from '#core/outbox/three-way.ts'
import { existing, type Change, type RecordKind } from '#core/records/change.ts'
import type { SessionNote } from '#core/records/notes/note-repository.ts'
import type { RecordParts, Repositories } from '#core/records/repositories.ts'
import type { ConflictRepository, StoredConflict } from './conflict-repository.ts'
import { asItIs, choicesOf, listConflicts, mineOf } from './list-conflicts.ts'
import type { ResolvingParts } from './merge.ts'
import { applyBooking, applyDocument, applyFields } from './resolve-conflict.ts'
import { isFinal } from './whole-documents.ts'
import { belongingTo } from './tombstones.ts'

interface Parts extends Repositories, Pick<RecordParts, 'change'> {
  readonly resolving: ResolvingParts
  readonly eraseRecording: (recordingId: string) => Promise<unknown>
}

const changes: readonly RecordKind[] = ['conflicts', 'clients', 'sessions', 'consents', 'transcripts', 'notes', 'templates']

export function conflictHandlers(parts: Parts): Handlers<'conflicts.list' | 'conflicts.resolve'> {
  const { resolving, change } = parts
  const { conflicts, tombstones } = resolving
  const openOne = (id: string, version: number): StoredConflict | null => {
    const stored = existing(conflicts.find(id))
    if (stored.resolved_at !== null) return null
    if (stored.version !== version) throw new AppError('stale-version')
    return stored
  }
  return {
    'conflicts.list': ({ decided }) => listConflicts(parts, resolving, decided),
    async 'conflicts.resolve'({ id, version, choice }) {
      const seen = openOne(id, version)
      if (seen === null) return {}
      // Delete recordings first: after a crash in between, the conflict is still open.
      if (seen.kind === 'erased' && choice.kind === 'erased' && choice.do === 'erase') {
        for (const recording of tombstones.onlyHere(seen.record_kind, seen.record_id).recordings)
          await parts.eraseRecording(recording)
      }
      change(changes, (writing) => {
        const stored = openOne(id, version)
        if (stored === null) return
        conflicts.freeze(asItIs(parts, resolving, stored))
        conflicts.resolve(id, choice)
        writing.audit({ action: 'conflict.resolved', subject_id: stored.record_id, client_id: stored.client_id })
        apply(parts, writing, stored, choice)
      })
      return {}
    },
  }
}

function apply(parts: Parts, writing: Change, stored: StoredConflict, choice: ConflictChoice): void {
  const { resolving } = parts
  if (stored.kind === 'fields' && choice.kind === 'fields') applyFields(resolving, writing.at, stored, choice)
  else if (stored.kind === 'document' && choice.kind === 'document') applyDocument(parts, resolving, stored, choice)
  else if (stored.kind === 'document' && choice.kind === 'together') applyTogether(parts, resolving, writing, stored, choice)
  else if (stored.kind === 'booking' && choice.kind === 'booking') applyBooking(resolving, writing, stored, choice)
  else if (stored.kind === 'erased' && choice.kind === 'erased') applyErased(resolving, stored, choice.do)
  else throw new AppError('validation-failed', 'This is another kind of question.')
}

function applyErased({ pending, tombstones }: ResolvingParts, stored: StoredConflict, what: 'keep' | 'erase'): void {
  const { record_kind: kind, record_id: id } = stored
  if (what === 'erase') return tombstones.erase(kind, id)
  // The service deleted the record and accepts no changes to it, so remove the queued ones.
  pending.removeAll(belongingTo(kind, id))
  tombstones.kept(kind, id)
}

type Stored = Extract<StoredConflict, { kind: 'document' }>
type Together = Extract<ConflictChoice, { kind: 'together' }>

function applyTogether(
  records: Repositories,
  { conflicts, notes, pending, newId }: ResolvingParts,
  { at, audit }: Change,
  stored: Stored,
  { from, sections }: Together,
): void {
  if (stored.record_kind !== 'note') throw new AppError('validation-failed', 'Only a note is written together.')
  const [mine, theirs] = [mineOf(records, stored) as SessionNote, stored.body.theirs as SessionNote]
  if (choicesOf(records, stored).length < 2 || isFinal(mine)) throw new AppError('already-signed')
  requireKnownSource(sections, [mine, theirs])
  const isOne = mine.id === theirs.id
  const [base, other] = from === 'mine' ? [mine, theirs] : [theirs, mine]
  const written: SessionNote = {
    ...base,
    id: isOne ? mine.id : newId(),
    sections,
    omissions: decidedInEither(base.omissions, other.omissions, sections),
    updated_at: at,
    version: mine.version + 1,
  }
  const waiting = pending.of(mine.id, ...notes.intents)
  notes.replace(written, isOne ? notes.serviceVersion(mine.id) : null)
  const { id, session_id } = written
  if (!isOne) conflicts.standsAs(stored.id, id)
  const about = { client_id: notes.clientOf(written) ?? '', session_id, subject_id: id }
  pending.replace(waiting, { kind: notes.put, ...about, body: {} } as AnyIntent)
  audit({ action: 'note.changed', subject_id: id, client_id: about.client_id })
}

/** Each statement must be from one of the versions, or be the clinician's own without new evidence. */
function requireKnownSource(sections: readonly NoteSection[], versions: readonly Note[]): void {
  const known = versions.flatMap((version) => statementsOf(version.sections).map((one) => statementSchema.parse(one)))
  const evidence = known.flatMap((one) => one.evidence)
  const isOwn = (one: Statement): boolean =>
    one.support === 'clinician_entered' &&
    one.origin === 'person' &&
    one.evidence.every((link) => evidence.some((other) => isSame(other, link)))
  const written = statementsOf(sections)
  for (const one of written)
    if (!isOwn(one) && !known.some((other) => isSame({ ...other, id: one.id }, one)))
      throw new AppError('validation-failed', 'A sentence has a source that neither version has.')
  if (new Set(written.map(({ id }) => id)).size < written.length)
    throw new AppError('validation-failed', 'Two sentences have one id.')
}

const statementsOf = (sections: readonly NoteSection[]): Statement[] => sections.flatMap(({ statements }) => statements)

function decidedInEither(base: readonly Omission[], other: readonly Omission[], sections: readonly NoteSection[]): Omission[] {
  const ids = new Set(statementsOf(sections).map(({ id }) => id))
  const elsewhere = new Map(other.map(({ id, decision }) => [id, decision]))
  return base.map((omission) => {
    const decision = elsewhere.get(omission.id)
    const isMeant = decision === 'left_out' || (decision === 'added' && ids.has(`said-${omission.id}`.slice(0, 64)))
    return omission.decision === 'open' && decision !== undefined && isMeant ? { ...omission, decision } : omission
  })
}

interface WhoChangedParts {
  readonly conflicts: Pick<ConflictRepository, 'find'>
  readonly client: () => ServiceClient
  readonly isRemote: () => boolean
}

const unknown: WhoChanged = { who: null, name: null }
const TIMEOUT_MS = 10_000
/** How long after a change to look for its audit event. */
const MAX_CALL_MS = 30_000
/** A person's own audit event within this time after a change is taken to be that change. */
const USUAL_CALL_MS = 1000

export const whoChangedHandlers = ({ conflicts, client, isRemote }: WhoChangedParts): Handlers<'conflicts.who'> => ({
  async 'conflicts.who'({ id }) {
    const stored = existing(conflicts.find(id))
    const change = changeOf(stored)
    if (change === null || !isRemote()) return unknown
    try {
      return await authorOf(client(), change, AbortSignal.timeout(TIMEOUT_MS))
    } catch (error) {
      if (error instanceof AppError || (error as Error).name === 'TimeoutError') return unknown
      throw error
    }
  },
})

type RemoteChange = Readonly<Record<'entity' | 'at', string>>

function changeOf(stored: StoredConflict): RemoteChange | null {
  if (stored.kind === 'document') return { entity: stored.body.theirs.id, at: stored.body.theirs.updated_at }
  return stored.kind === 'fields' ? { entity: stored.record_id, at: stored.body.theirs_at } : null
}

async function authorOf(client: ServiceClient, { entity, at }: RemoteChange, signal: AbortSignal): Promise<WhoChanged> {
  const to = new Date(Date.parse(at) + MAX_CALL_MS).toISOString()
  const { data: me } = await client.call('whoAmI', { signal })
  const { data: log } = await client.call('listAuditEvents', { query: { entity, from: at, to, limit: 50 }, signal })
  const event = log.data.findLast(({ action, outcome }) => action !== 'R' && outcome.startsWith('2'))
  if (event === undefined) return unknown
  const { person, key } = event.agent
  if (person === me.person_id) {
    // Without access to all audit events, a person may find their own later push instead of a colleague's change.
    const seesAll = me.roles.some((role) => auditRoutes.listAuditEvents.reach[role] === 'all')
    const isOtherKey = key !== null && key !== me.key?.id
    const isAtOnce = Date.parse(event.recorded) - Date.parse(at) < USUAL_CALL_MS
    return seesAll || isOtherKey || isAtOnce ? { who: 'you', name: null } : unknown
  }
  const named = await client.call('getStaff', { params: { id: person }, signal }).catch(() => null)
  return named === null ? unknown : { who: 'colleague', name: named.data.name }
}
