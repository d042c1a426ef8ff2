import type { Client } from '#contract/model/client.ts'
import type { Session } from '#contract/model/session.ts'
import type { Audit } from '#core/audit/audit.ts'
import type { StoredIntent } from '#core/outbox/intents.ts'
import type { Common } from './common.ts'
import type { ConflictRepository } from './conflict-repository.ts'
import { type Mergeable, picked } from './mergeable.ts'
import { maybeSent, type PendingIntents } from './pending.ts'
import { beforeEdits, isOutdated, rebase, type Update, updatesOf } from './rebase.ts'
import { type Fields, fieldsOf, isSame, type Merged, threeWay } from '#core/outbox/three-way.ts'

export interface FieldParts {
  readonly common: Common
  readonly conflicts: ConflictRepository
  readonly pending: PendingIntents
  readonly audit: Audit
}

/** How a record came here; without either it was told of or asked for. */
export interface Arrival {
  /** It answers this intent, which carried these fields. */
  readonly answered?: { readonly intent: StoredIntent; readonly fields: Fields }
  /** An intent was refused because of it: what waits is put on top of it, also where this version is known already. */
  readonly isRefusal?: boolean
}

export type OnChanged<Kept> = (before: Kept, after: Kept) => void

/** Three ways, by field, into the record, what waits to be told, and what has to be asked; within a transaction. */
export function takeFields<Kept extends Client | Session>(
  parts: FieldParts,
  of: Mergeable<Kept>,
  arrived: Kept,
  { answered, isRefusal = false }: Arrival,
  onChanged: OnChanged<Kept>,
): void {
  const { common, conflicts, pending } = parts
  const theirs = of.normal(arrived)
  const { id, version } = theirs
  const known = common.of(of.kind, id)
  if (known === 'gone') return
  const mine = of.find(id)
  if (mine === null) return insertNew(parts, of, theirs)
  if (answered !== undefined) pending.remove([answered.intent])
  const seen = of.serviceVersion(id) ?? 0
  // Kept together; where they differ, the service was put back to an earlier state.
  const agreed = known?.version === seen ? known : null
  if (version < seen && agreed === null) return
  if (agreed !== null && (version < seen || (version === seen && !answered))) {
    const open = conflicts.open(of.kind, id)
    const asked = open?.kind === 'fields' ? open.body.theirs : null
    if (isRefusal) rebase(pending, of, { record: mine, theirs: asked ?? agreed.record, isHeld: asked !== null })
    return
  }
  const updates = updatesOf(pending, id)
  const names = of.names.filter((name) => !(theirs.withheld ?? []).includes(name))
  const base = { ...(agreed?.record ?? beforeEdits(mine, updates)), ...answered?.fields }
  const merged = threeWay(names, { base, ...sides(mine, theirs), sent: sentFrom(pending, of, id, updates) })
  const after = write(parts, of, { mine, theirs, merged }, onChanged)
  const service = { ...base, ...picked(theirs, names) }
  of.keepServiceVersion(id, version)
  common.keep(of.kind, id, { version, record: picked({ ...service, ...picked(base, merged.both) }, of.names) })
  noteConflict(parts, of, { merged, theirs, service })
  const isHeld = merged.both.length > 0
  if (isHeld || isRefusal || isOutdated(updates, merged, fieldsOf(theirs)))
    rebase(pending, of, { record: after, theirs: service, isHeld })
}

const sides = (mine: object, theirs: object) => ({ mine: fieldsOf(mine), theirs: fieldsOf(theirs) })

function sentFrom<Kept extends Client | Session>(
  pending: PendingIntents,
  of: Mergeable<Kept>,
  id: string,
  updates: readonly Update[],
): Fields[] {
  return [...maybeSent(updates), ...pending.of(id, of.create).map(({ body }) => fieldsOf(body))]
}

function insertNew<Kept extends Client | Session>({ common, audit }: FieldParts, of: Mergeable<Kept>, theirs: Kept): void {
  of.insert({ ...theirs, version: 1 })
  of.keepServiceVersion(theirs.id, theirs.version)
  common.keep(of.kind, theirs.id, { version: theirs.version, record: picked(theirs, of.names) })
  audit.append({ action: `${of.kind}.received`, subject_id: theirs.id, client_id: of.about(theirs).client_id })
}

interface Merging<Kept> {
  readonly mine: Kept
  readonly theirs: Kept
  readonly merged: Merged
}

function write<Kept extends Client | Session>(
  { audit }: FieldParts,
  of: Mergeable<Kept>,
  { mine, theirs, merged }: Merging<Kept>,
  onChanged: OnChanged<Kept>,
): Kept {
  const joined = of.joined(mine, merged.record, theirs)
  if (isSame(joined, mine)) return mine
  const after = { ...joined, updated_at: theirs.updated_at, version: mine.version + 1 }
  of.write(after)
  audit.append({ action: `${of.kind}.merged`, subject_id: after.id, client_id: of.about(after).client_id })
  onChanged(mine, after)
  return after
}

function noteConflict<Kept extends Client | Session>(
  { conflicts, audit }: FieldParts,
  of: Mergeable<Kept>,
  { merged, theirs, service }: { readonly merged: Merged; readonly theirs: Kept; readonly service: Fields },
): void {
  const { client_id, session_id } = of.about(theirs)
  const open = conflicts.open(of.kind, theirs.id)
  if (merged.both.length === 0) {
    if (open?.kind !== 'fields') return
    // Both came to say the same, or the other side took its change back.
    conflicts.resolve(open.id, { kind: 'agreed' })
    audit.append({ action: 'conflict.ended', subject_id: theirs.id, client_id })
    return
  }
  const known = open?.kind === 'fields' ? open.body : null
  const combined = [...new Set([...(known?.combined ?? []), ...merged.taken, ...merged.kept])].filter(
    (name) => !merged.both.includes(name),
  )
  const isHere = (name: string): boolean =>
    merged.kept.includes(name) || (known?.combined_here?.includes(name) === true && !merged.taken.includes(name))
  const combined_here = combined.filter(isHere)
  const body = { names: merged.both, theirs: service, theirs_at: theirs.updated_at, combined, combined_here }
  conflicts.found({ kind: 'fields', record_kind: of.kind, record_id: theirs.id, client_id, session_id, body })
  if (open === null) audit.append({ action: 'conflict.found', subject_id: theirs.id, client_id })
}

/** What somebody decided, of every field that was asked about; within a transaction. */
export function resolveFields<Kept extends Client | Session>(
  { common, pending }: Pick<FieldParts, 'common' | 'pending'>,
  of: Mergeable<Kept>,
  { id, chosen, theirs, names, at }: ResolvedFields,
  onChanged: OnChanged<Kept>,
): void {
  const mine = of.find(id)
  if (mine === null) return
  const joined = of.joined(mine, picked(theirs, chosen), mine)
  const isChanged = !isSame(joined, mine)
  const after = isChanged ? { ...joined, updated_at: at, version: mine.version + 1 } : mine
  if (isChanged) {
    of.write(after)
    onChanged(mine, after)
  }
  const agreed = common.of(of.kind, id)
  if (agreed !== null && agreed !== 'gone') {
    common.keep(of.kind, id, { ...agreed, record: { ...agreed.record, ...picked(theirs, names) } })
  }
  // Of another service than the one this was asked about, nothing is known but what was told.
  const service = agreed === null || agreed === 'gone' ? beforeEdits(mine, updatesOf(pending, id)) : theirs
  rebase(pending, of, { record: after, theirs: service, isHeld: false })
}

export interface ResolvedFields {
  readonly id: string
  /** Fields that are to say what they say there. */
  readonly chosen: readonly string[]
  /** All that were asked about. */
  readonly names: readonly string[]
  readonly theirs: Fields
  readonly at: string
}
