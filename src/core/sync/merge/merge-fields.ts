import type { Client } from '#contract/model/client.ts'
import type { Session } from '#contract/model/session.ts'
import type { ClientRepository } from '#core/records/clients/client-repository.ts'
import { endOf, instant } from '#core/records/sessions/change-session.ts'
import type { SessionRepository } from '#core/records/sessions/session-repository.ts'
import type { AnyIntent, StoredIntent } from '#core/outbox/intents.ts'
import { type Fields, fieldsOf, isSame, type Merged, threeWay } from '#core/outbox/three-way.ts'
import { maybeSent, type Pending, type PendingIntents } from './pending.ts'
import type { ResolvingParts } from './merge.ts'
import type { RecordParts } from '#core/records/repositories.ts'

export interface Mergeable<Kept extends Client | Session> {
  readonly kind: 'client' | 'session'
  readonly updateIntent: 'update-client' | 'update-session'
  readonly createIntent: 'create-client' | 'create-session'
  readonly names: readonly string[]
  find(id: string): Kept | null
  insert(record: Kept): void
  update(record: Kept): void
  serviceVersion(id: string): number | null
  keepServiceVersion(id: string, version: number): void
  /** Converts timestamps to this laptop's format, so that equal times compare as equal. */
  normal(record: Kept): Kept
  joined(mine: Kept, merged: Fields, theirs: Kept): Kept
  about(record: Kept): Pick<AnyIntent, 'client_id' | 'session_id' | 'subject_id'>
}

const clientNames = [
  'display_name',
  'given_name',
  'family_name',
  'pronouns',
  'date_of_birth',
  'email',
  'phone',
  'status',
  'clinician_id',
  'diagnoses',
  'insurance',
  'goals',
  'vocabulary',
] as const satisfies readonly (keyof Client)[]

const sessionNames = [
  'session_type',
  'starts_at',
  'duration_minutes',
  'modality',
  'status',
  'participants',
  'time_zone',
  'room_id',
  'cpt_code',
  'presenting_concerns',
  'started_at',
  'finished_at',
] as const satisfies readonly (keyof Session)[]

export const mergeableClients = (clients: ClientRepository): Mergeable<Client> => ({
  ...clients,
  kind: 'client',
  updateIntent: 'update-client',
  createIntent: 'create-client',
  names: clientNames,
  normal: (client) => client,
  joined: (mine, merged) => ({ ...mine, ...merged }),
  about: ({ id }) => ({ client_id: id, session_id: null, subject_id: id }),
})

export function mergeableSessions(sessions: SessionRepository): Mergeable<Session> {
  return {
    ...sessions,
    kind: 'session',
    updateIntent: 'update-session',
    createIntent: 'create-session',
    names: sessionNames,
    normal: (session) => ({
      ...session,
      starts_at: instant(session.starts_at),
      ends_at: instant(session.ends_at),
      started_at: session.started_at && instant(session.started_at),
      finished_at: session.finished_at && instant(session.finished_at),
    }),
    joined(mine, merged, theirs) {
      const { clinician_id, recurrence, series_id, occurrence_start } = theirs
      const after: Session = {
        ...mine,
        clinician_id: clinician_id ?? mine.clinician_id,
        // The service may not know a series that was booked in this app.
        recurrence: recurrence ?? mine.recurrence,
        series_id: series_id ?? mine.series_id,
        occurrence_start: occurrence_start ?? mine.occurrence_start,
        ...merged,
      }
      return { ...after, ends_at: endOf(after) }
    },
    about: ({ id, client_id }) => ({ client_id, session_id: id, subject_id: id }),
  }
}

export const picked = (record: object, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, (record as Fields)[name] ?? null]))

export type FieldParts = Pick<ResolvingParts, 'common' | 'conflicts' | 'pending'> & Pick<RecordParts, 'audit'>

export interface Arrival {
  readonly answered?: { readonly intent: StoredIntent; readonly fields: Fields }
  /** Merge this version even if it is known, e.g. because the service rejected an intent. */
  readonly isRefusal?: boolean
}

export type OnChanged<Kept> = (before: Kept, after: Kept) => void

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
  const merged = threeWay(names, {
    base,
    mine: fieldsOf(mine),
    theirs: fieldsOf(theirs),
    sent: sentFrom(pending, of, id, updates),
  })
  const after = write(parts, of, { mine, theirs, merged }, onChanged)
  const service = { ...base, ...picked(theirs, names) }
  of.keepServiceVersion(id, version)
  common.keep(of.kind, id, { version, record: picked({ ...service, ...picked(base, merged.both) }, of.names) })
  recordConflict(parts, of, { merged, theirs, service })
  const isHeld = merged.both.length > 0
  if (isHeld || isRefusal || isOutdated(updates, merged, fieldsOf(theirs)))
    rebase(pending, of, { record: after, theirs: service, isHeld })
}

function sentFrom<Kept extends Client | Session>(
  pending: PendingIntents,
  of: Mergeable<Kept>,
  id: string,
  updates: readonly Update[],
): Fields[] {
  return [...maybeSent(updates), ...pending.of(id, of.createIntent).map(({ body }) => fieldsOf(body))]
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
  of.update(after)
  audit.append({ action: `${of.kind}.merged`, subject_id: after.id, client_id: of.about(after).client_id })
  onChanged(mine, after)
  return after
}

function recordConflict<Kept extends Client | Session>(
  { conflicts, audit }: FieldParts,
  of: Mergeable<Kept>,
  { merged, theirs, service }: { readonly merged: Merged; readonly theirs: Kept; readonly service: Fields },
): void {
  const { client_id, session_id } = of.about(theirs)
  const open = conflicts.open(of.kind, theirs.id)
  if (merged.both.length === 0) {
    if (open?.kind !== 'fields') return
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
    of.update(after)
    onChanged(mine, after)
  }
  const agreed = common.of(of.kind, id)
  if (agreed !== null && agreed !== 'gone') {
    common.keep(of.kind, id, { ...agreed, record: { ...agreed.record, ...picked(theirs, names) } })
  }
  // Without an agreed version, as after a switch to another service, `theirs` is not what this service has. Only the base of
  // the local edits is known.
  const service = agreed === null || agreed === 'gone' ? beforeEdits(mine, updatesOf(pending, id)) : theirs
  rebase(pending, of, { record: after, theirs: service, isHeld: false })
}

export interface ResolvedFields {
  readonly id: string
  readonly chosen: readonly string[]
  readonly names: readonly string[]
  readonly theirs: Fields
  readonly at: string
}

type Update = Pending<'update-client' | 'update-session'>

const updatesOf = (pending: PendingIntents, id: string): Update[] => pending.of(id, 'update-client', 'update-session')

/** Replaces the queued updates with at most one, based on the service's values. */
export function rebase<Kept extends Client | Session>(
  pending: PendingIntents,
  of: Mergeable<Kept>,
  { record, theirs, isHeld }: { readonly record: Kept; readonly theirs: Fields; readonly isHeld: boolean },
): void {
  const updates = updatesOf(pending, record.id)
  const mine = fieldsOf(record)
  const differing = of.names.filter((name) => !isSame(mine[name], theirs[name]))
  const patch = { ...unmerged(of.names, updates), ...picked(record, differing) }
  const names = Object.keys(patch)
  const body = { patch, base: picked(theirs, names) }
  const intent = { kind: of.updateIntent, ...of.about(record), body } as AnyIntent
  pending.replace(updates, names.length === 0 ? null : intent, isHeld)
}

function isOutdated(updates: readonly Update[], { record, kept }: Merged, theirs: Fields): boolean {
  const queued = Object.assign({}, ...updates.map(({ body }) => body.patch)) as Fields
  const isHeld = updates.some(({ state, error }) => state === 'needs_you' && error === 'stale-version')
  const isWrong = Object.keys(queued).some(
    (name) => name in record && (!isSame(queued[name], record[name]) || isSame(record[name], theirs[name])),
  )
  return isHeld || isWrong || kept.some((name) => !(name in queued))
}

function beforeEdits(mine: object, updates: readonly Update[]): Fields {
  return Object.assign({}, mine, ...updates.toReversed().map(({ body }) => body.base)) as Fields
}

function unmerged(names: readonly string[], updates: readonly Update[]): Fields {
  const queued = Object.assign({}, ...updates.map(({ body }) => body.patch)) as Fields
  return Object.fromEntries(Object.entries(queued).filter(([name]) => !names.includes(name)))
}
