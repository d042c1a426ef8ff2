import { AppError } from '#contract/errors.ts'
import type { Emit } from '#contract/bridge/events.ts'
import type { Note } from '#contract/model/note.ts'
import type { Session } from '#contract/model/session.ts'
import type { Clock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { errorKind } from '#base/log.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { Audit } from '#core/audit/audit.ts'
import type { TakeBackWork } from '#core/records/consent/consent-service.ts'
import type { Repositories } from '#core/records/repositories.ts'
import type { StoredIntent } from '#core/outbox/intents.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import { createWanted } from '#core/sync/pull/pull-state.ts'
import { type BookingRefused, createBookingRefused } from './booking.ts'
import { type Common, createCommon, type Incoming, type IncomingRecord, type MergedKind } from './common.ts'
import { type ConflictRepository, createConflictRepository } from './conflict-repository.ts'
import { createFreedWork, type FreedWork } from '../store-results.ts'
import { takeConsent } from './merge-consent.ts'
import { type OfSession, takeTemplate, takeWhole } from './merge-documents.ts'
import { type Arrival, takeFields } from './merge-fields.ts'
import { mergeableClients, mergeableSessions } from './mergeable.ts'
import { createPendingIntents, type PendingIntents } from './pending.ts'
import { createRemoveRecords, createTombstones, type RemoveRecords, type Tombstones } from './tombstones.ts'
import type { Fields } from '#core/outbox/three-way.ts'
import { wholeNotes, wholeTranscripts } from './whole-documents.ts'

export interface MergeParts extends Repositories {
  readonly db: Sqlite
  readonly outbox: Outbox
  readonly audit: Audit
  readonly clock: Clock
  readonly log: Log
  readonly emit: Emit
  readonly isRemote: () => boolean
  readonly takeBackWork: TakeBackWork
  readonly stopUnconsented: (clientId: string) => Promise<void>
}

export type Answer = Extract<IncomingRecord, { kind: 'client' | 'session'; record: object }>

export interface Merge extends Incoming {
  answered(intent: StoredIntent, fields: Fields, answer: Answer): void
  answeredNote(intent: StoredIntent, note: Note): void
  refused(record: IncomingRecord): void
  keepCommon(kind: MergedKind, id: string, held: HeldDocument): void
  isAsked(kind: MergedKind, id: string): boolean
  isGone(kind: MergedKind, id: string): boolean
  readonly parts: ResolvingParts
  readonly bookingRefused: BookingRefused
}

interface HeldDocument {
  readonly version: number
  readonly hash: string
  readonly created_at: string
  readonly session_id?: string | null
}

export interface ResolvingParts {
  readonly common: Common
  readonly conflicts: ConflictRepository
  readonly pending: PendingIntents
  readonly newId: () => string
  readonly withdrawn: (clientId: string) => void
  readonly remove: RemoveRecords
  readonly tombstones: Tombstones
  readonly freed: FreedWork
  readonly clients: ReturnType<typeof mergeableClients>
  readonly sessions: ReturnType<typeof mergeableSessions>
  readonly notes: ReturnType<typeof wholeNotes>
  readonly transcripts: ReturnType<typeof wholeTranscripts>
  readonly sessionChanged: (before: Session, after: Session) => void
}

export function createMerge(parts: MergeParts): Merge {
  const { db, isRemote } = parts
  const notify = createNotifier(parts)
  const resolving = resolvingParts(parts, notify)
  const { common, conflicts, pending, clients, sessions, notes } = resolving
  const take = createTake(parts, resolving, notify)
  return {
    take: (incoming) => take(incoming, {}),
    answered(intent, fields, answer) {
      const { id, version } = answer.record
      const of = answer.kind === 'client' ? clients : sessions
      // The embedded service is ahead only of a vault from a backup.
      const isAhead = version > (of.serviceVersion(id) ?? 0) + 1
      if (isRemote() || isAhead) take(answer, { answered: { intent, fields } })
      else of.keepServiceVersion(id, version)
      const open = conflicts.open(answer.kind, id)
      if (open?.kind === 'booking') conflicts.resolve(open.id, { kind: 'agreed' })
      if (open?.kind === 'booking') notify.conflicts()
    },
    answeredNote(intent, note) {
      if (!isRemote()) return notes.keepServiceVersion(note.id, note.version)
      pending.remove([intent])
      take({ kind: 'note', record: note }, { isRefusal: true })
    },
    refused(record) {
      // The embedded service has an older push of this template. Nothing else writes to it.
      if (record.kind === 'template' && !isRemote()) return
      db.transaction(() => take(record, { isRefusal: true })).immediate()
    },
    keepCommon: (kind, id, { version, ...record }) => common.keep(kind, id, { version, record: { ...record, own: true } }),
    isAsked(kind, id) {
      const open = conflicts.open(kind, id)
      return open !== null && open.kind !== 'booking'
    },
    isGone: (kind, id) => common.of(kind, id) === 'gone',
    bookingRefused: createBookingRefused({ ...parts, conflicts, onConflict: () => notify.conflicts() }),
    parts: resolving,
  }
}

function resolvingParts(parts: MergeParts, notify: Notifier): ResolvingParts {
  const { db, outbox, audit, clock, isRemote } = parts
  const pending = createPendingIntents(db, outbox)
  const shared = { common: createCommon(db, isRemote), conflicts: createConflictRepository(db, clock), pending, audit }
  const remove = createRemoveRecords(db)
  const freed = createFreedWork(parts)
  const withdrawn = (clientId: string): void => {
    parts.takeBackWork(clientId)
    notify.withdrawn(clientId)
  }
  const wanted = createWanted(db)
  const pullAgain = (id: string): void => wanted.want({ kind: 'all-of-client', id, version: 1, changed_at: null })
  return {
    ...shared,
    remove,
    freed,
    withdrawn,
    tombstones: createTombstones({ ...parts, ...shared, remove, pullAgain, freed, withdrawn }),
    clients: mergeableClients(parts.clients),
    sessions: mergeableSessions(parts.sessions),
    notes: wholeNotes({ ...parts, pending }),
    transcripts: wholeTranscripts(parts.transcripts, parts.sessions),
    sessionChanged(before, after) {
      if (after.starts_at !== before.starts_at) parts.transcripts.move(after.id, after.starts_at)
      if (after.participants !== before.participants) withdrawn(after.client_id)
    },
    newId: () => newId(clock),
  }
}

function createTake(parts: MergeParts, resolving: ResolvingParts, notify: Notifier) {
  const { conflicts, clients, sessions, notes, transcripts, tombstones, sessionChanged } = resolving
  const shared = { ...resolving, audit: parts.audit }
  return (incoming: IncomingRecord, arrival: Arrival): void => {
    const before = conflicts.count()
    const isRefusal = arrival.isRefusal ?? false
    const isAnnounced = isRefusal || arrival.answered !== undefined
    const changed = (): void => void (isAnnounced && notify.records())
    if ('gone' in incoming) tombstones.take(incoming.kind, incoming.gone)
    else if (incoming.kind === 'client') takeFields(shared, clients, incoming.record, arrival, changed)
    else if (incoming.kind === 'session') {
      takeFields(shared, sessions, incoming.record, arrival, (was, is) => {
        sessionChanged(was, is)
        changed()
      })
    } else if (incoming.kind === 'consent')
      takeConsent({ ...parts, ...shared, given: () => resolving.freed.consentGiven() }, incoming.record)
    else if (incoming.kind === 'template') takeTemplate({ ...parts, ...shared }, incoming.record)
    else if (incoming.record.session_id !== null) {
      if (incoming.kind === 'note') takeWhole(shared, notes, ofSession(incoming.record), isRefusal)
      else takeWhole(shared, transcripts, ofSession(incoming.record), isRefusal)
      changed()
    }
    if (before > 0 || conflicts.count() > 0) notify.conflicts()
  }
}

function ofSession<Kept extends { session_id: string | null; id: string; version: number; created_at: string }>(
  document: Kept,
): OfSession<Kept> {
  return document as OfSession<Kept>
}

type Notifier = ReturnType<typeof createNotifier>

function createNotifier({ emit, log, stopUnconsented }: MergeParts) {
  let isScheduled = false
  const records = (kinds: Parameters<typeof emit<'records.changed'>>[1]['kinds']): void =>
    queueMicrotask(() => emit('records.changed', { kinds }))
  return {
    records: () => records(['clients', 'sessions', 'transcripts', 'notes']),
    conflicts(): void {
      if (isScheduled) return
      isScheduled = true
      queueMicrotask(() => {
        isScheduled = false
        emit('records.changed', { kinds: ['conflicts'] })
      })
    },
    withdrawn(clientId: string): void {
      queueMicrotask(() => {
        emit('records.changed', { kinds: ['consents', 'clients', 'sessions', 'transcripts', 'notes'] })
        stopUnconsented(clientId).catch((error: unknown) => log.error('merge.not-stopped', { kind: errorKind(error) }))
      })
    },
  }
}

export function requireDecided(merge: Pick<Merge, 'isAsked'>, kind: MergedKind, id: string): void {
  if (merge.isAsked(kind, id)) throw new AppError('stale-version')
}
