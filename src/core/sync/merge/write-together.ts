import type { ConflictChoice } from '#contract/bridge/conflicts.ts'
import { AppError } from '#contract/errors.ts'
import { type Note, type NoteSection, type Omission, type Statement, statementSchema } from '#contract/model/note.ts'
import type { SessionNote } from '#core/records/notes/note-repository.ts'
import type { Change } from '#core/records/change.ts'
import type { Repositories } from '#core/records/repositories.ts'
import type { AnyIntent } from '#core/outbox/intents.ts'
import type { StoredConflict } from './conflict-repository.ts'
import { choicesOf, mineOf } from './list-conflicts.ts'
import type { ResolvingParts } from './merge.ts'
import { isSame } from '#core/outbox/three-way.ts'
import { isFinal } from './whole-documents.ts'

type Records = Pick<Repositories, 'clients' | 'sessions' | 'notes' | 'transcripts' | 'templates'>
type Stored = Extract<StoredConflict, { kind: 'document' }>
type Together = Extract<ConflictChoice, { kind: 'together' }>

/**
 * A draft that somebody wrote from both takes the place of both. Of two drafts it is told under an id of its own, so that
 * it is the later one on every laptop.
 *
 * @throws AppError `already-signed`; `validation-failed` where a sentence says of itself what neither of the two says
 */
export function applyTogether(
  records: Records,
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
  pending.replace(waiting, { kind: notes.put, ...about, body: {} } as AnyIntent, false)
  audit({ action: 'note.changed', subject_id: id, client_id: about.client_id })
}

/** Nobody's sentence is passed off as said in the session: what bears it out stands in one of the two versions. */
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

/** What was said and not written, and somebody decided about on either side, is not asked again. */
function decidedInEither(base: readonly Omission[], other: readonly Omission[], sections: readonly NoteSection[]): Omission[] {
  const ids = new Set(statementsOf(sections).map(({ id }) => id))
  const elsewhere = new Map(other.map(({ id, decision }) => [id, decision]))
  return base.map((omission) => {
    const decision = elsewhere.get(omission.id)
    const isMeant = decision === 'left_out' || (decision === 'added' && ids.has(`said-${omission.id}`.slice(0, 64)))
    return omission.decision === 'open' && decision !== undefined && isMeant ? { ...omission, decision } : omission
  })
}
