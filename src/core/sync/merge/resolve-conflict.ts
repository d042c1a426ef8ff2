import type { ConflictChoice } from '#contract/bridge/conflicts.ts'
import { AppError } from '#contract/errors.ts'
import type { Note } from '#contract/model/note.ts'
import type { OwnTemplate } from '#contract/model/template.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { existing, type Change } from '#core/records/change.ts'
import type { Repositories } from '#core/records/repositories.ts'
import type { AnyIntent } from '#core/outbox/intents.ts'
import { endOf, instant } from '#core/records/sessions/change-session.ts'
import type { StoredConflict } from './conflict-repository.ts'
import { choicesOf, isTaken, mineOf } from './list-conflicts.ts'
import { isLater, type OfSession, type Whole } from './merge-documents.ts'
import { resolveFields } from './merge-fields.ts'
import type { ResolvingParts } from './merge.ts'

type Stored<Kind extends StoredConflict['kind']> = Extract<StoredConflict, { kind: Kind }>
type Chosen<Kind extends StoredConflict['kind']> = Extract<ConflictChoice, { kind: Kind }>

export function applyFields(parts: ResolvingParts, at: string, stored: Stored<'fields'>, { sides }: Chosen<'fields'>): void {
  const { names, theirs } = stored.body
  if (names.some((name) => sides[name] === undefined)) throw new AppError('validation-failed', 'A choice is missing.')
  const chosen = names.filter((name) => sides[name] === 'theirs')
  const resolved = { id: stored.record_id, chosen, names, theirs, at }
  if (stored.record_kind === 'client') resolveFields(parts, parts.clients, resolved, () => {})
  else resolveFields(parts, parts.sessions, resolved, parts.sessionChanged)
}

export function applyDocument(
  records: Repositories,
  parts: ResolvingParts,
  stored: Stored<'document'>,
  { side }: Chosen<'document'>,
): void {
  if (!choicesOf(records, stored).includes(side)) throw new AppError('already-signed')
  const { theirs } = stored.body
  if (stored.record_kind === 'template') {
    const mine = mineOf(records, stored) as OwnTemplate
    if (side === 'theirs') records.templates.put({ ...(theirs as OwnTemplate), version: mine.version + 1 })
    return parts.freed.formDecided(stored.record_id)
  }
  if (isTaken(stored.body)) return parts.tombstones.seen(stored.record_kind, stored.record_id)
  const sides = { mine: mineOf(records, stored), theirs } as never
  if (stored.record_kind === 'note') choose<Note>(parts, parts.notes, side, sides, stored.id)
  else choose<Transcript>(parts, parts.transcripts, side, sides, stored.id)
}

type Sides<Kept> = Readonly<Record<'mine' | 'theirs', OfSession<Kept>>>

function choose<Kept>(
  parts: ResolvingParts,
  of: Whole<Kept>,
  side: 'mine' | 'theirs',
  { mine, theirs }: Sides<Kept>,
  conflictId: string,
): void {
  if (mine.id !== theirs.id) return chooseOfTwo(parts, of, side, { mine, theirs }, conflictId)
  const { pending, common } = parts
  const waiting = pending.of(mine.id, ...of.intents)
  const about = { client_id: of.clientOf(mine) ?? '', session_id: mine.session_id, subject_id: mine.id }
  const put = { kind: of.put, ...about, body: {} } as AnyIntent
  if (side === 'theirs') {
    const agreed = common.of(of.kind, theirs.id)
    // After a switch to another service, the chosen version must be pushed.
    const isThere = agreed !== null && agreed !== 'gone' && agreed.record['hash'] === of.hash(theirs)
    of.replace({ ...theirs, version: mine.version + 1 }, isThere ? theirs.version : of.serviceVersion(mine.id))
    return pending.replace(waiting, isThere ? null : put)
  }
  // Queue the content before the signature and addenda.
  const signing = of.signing(mine, theirs)
  const rest = signing.length > 0 ? signing : waiting.filter(({ kind }) => kind !== of.put)
  pending.replace(waiting, of.isFinal(theirs) ? null : put)
  for (const { kind, body } of rest) pending.replace([], { kind, ...about, body } as AnyIntent)
}

/** If other laptops would keep the other document, the chosen one gets a new id and is pushed. */
function chooseOfTwo<Kept>(
  { common, conflicts, pending, newId }: ResolvingParts,
  of: Whole<Kept>,
  side: 'mine' | 'theirs',
  { mine, theirs }: Sides<Kept>,
  conflictId: string,
): void {
  const waiting = pending.of(mine.id, ...of.intents)
  const version = mine.version + 1
  const agreed = common.of(of.kind, mine.id)
  if (agreed === 'gone') {
    pending.remove(waiting)
    return side === 'mine' ? undefined : of.replace({ ...theirs, version }, theirs.version)
  }
  const isKnownThere = agreed !== null
  const isMineLater = !isKnownThere || isLater(common, of.kind, mine, theirs)
  const [kept, left] = side === 'mine' ? [mine, theirs] : [theirs, mine]
  if (side === 'theirs') pending.remove(waiting)
  const isNeverSent = side === 'theirs' && !isKnownThere && waiting.every(({ tried }) => tried === 0)
  const counts = of.isFinal(kept) || isNeverSent || isMineLater === (side === 'mine')
  if (counts && side === 'mine') return
  if (counts) return of.replace({ ...theirs, version }, theirs.version)
  if (side === 'mine') pending.remove(waiting)
  const anew = { ...kept, id: newId(), version }
  of.replace(anew, null)
  conflicts.standsAs(conflictId, anew.id)
  const about = { client_id: of.clientOf(anew) ?? '', session_id: left.session_id, subject_id: anew.id }
  pending.replace([], { kind: of.put, ...about, body: {} } as AnyIntent)
}

export function applyBooking(
  { sessions, pending, sessionChanged }: ResolvingParts,
  { at, audit }: Change,
  stored: Stored<'booking'>,
  { starts_at }: Chosen<'booking'>,
): void {
  const before = existing(sessions.find(stored.record_id))
  const patch = starts_at === null ? { status: 'cancelled' as const } : { starts_at: instant(starts_at) }
  const moved = { ...before, ...patch, updated_at: at, version: before.version + 1 }
  const after = { ...moved, ends_at: endOf(moved) }
  sessions.update(after)
  sessionChanged(before, after)
  audit({ action: 'session.changed', subject_id: after.id, client_id: after.client_id })
  const refused = pending.of(after.id, 'create-session', 'update-session').filter(({ error }) => error === 'double-booking')
  for (const intent of refused) {
    const body =
      intent.kind === 'create-session'
        ? { ...intent.body, ...patch }
        : { ...intent.body, patch: { ...intent.body.patch, ...patch } }
    pending.resend(intent, body)
  }
}
