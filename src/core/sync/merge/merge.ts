import type { Note } from '#contract/model/note.ts'
import type { Session } from '#contract/model/session.ts'
import { newId } from '#base/ids.ts'
import { errorKind } from '#base/log.ts'
import type { TakeBackWork } from '#core/records/consent/consent-service.ts'
import type { Repositories, RecordParts } from '#core/records/repositories.ts'
import type { StoredIntent } from '#core/outbox/intents.ts'
import { createWanted } from '#core/sync/pull/pull-state.ts'
import { createBookingRefused } from './booking.ts'
import { createCommon, type IncomingRecord, type MergedKind } from './common.ts'
import { createConflictRepository } from './conflict-repository.ts'
import { createFreedWork } from '../store-results.ts'
import { takeConsent } from './merge-consent.ts'
import { type OfSession, takeTemplate, takeWhole } from './merge-documents.ts'
import { type Arrival, takeFields, mergeableClients, mergeableSessions } from './merge-fields.ts'
import { createPendingIntents } from './pending.ts'
import { createRemoveRecords, createTombstones } from './tombstones.ts'
import type { Fields } from '#core/outbox/three-way.ts'
import { wholeNotes, wholeTranscripts } from './whole-documents.ts'
import type { Transcript } from '#contract/model/transcript.ts'

export interface MergeParts
  extends Repositories, Pick<RecordParts, 'db' | 'outbox' | 'audit' | 'clock' | 'log' | 'emit' | 'isRemote'> {
  readonly takeBackWork: TakeBackWork
  readonly stopUnconsented: (clientId: string) => Promise<void>
}

export type Answer = Extract<IncomingRecord, { kind: 'client' | 'session'; record: object }>

export type Merge = ReturnType<typeof createMerge>

export type HeldDocument = Pick<Note, 'version' | 'created_at'> & { readonly hash: string; readonly session_id?: string | null }

export type ResolvingParts = ReturnType<typeof resolvingParts>

export function createMerge(parts: MergeParts) {
  const { db, isRemote } = parts
  const notify = createNotifier(parts)
  const resolving = resolvingParts(parts, notify)
  const { common, conflicts, pending, clients, sessions, notes } = resolving
  const take = createTake(parts, resolving, notify)
  return {
    take: (incoming: IncomingRecord) => take(incoming, {}),
    answered(intent: StoredIntent, fields: Fields, answer: Answer): void {
      const { id, version } = answer.record
      const of = answer.kind === 'client' ? clients : sessions
      // True if the vault is behind the service, e.g. because the vault was restored from a backup.
      const isAhead = version > (of.serviceVersion(id) ?? 0) + 1
      if (isRemote() || isAhead) take(answer, { answered: { intent, fields } })
      else of.keepServiceVersion(id, version)
      const open = conflicts.open(answer.kind, id)
      if (open?.kind === 'booking') conflicts.resolve(open.id, { kind: 'agreed' })
      if (open?.kind === 'booking') notify.conflicts()
    },
    answeredNote(intent: StoredIntent, note: Note): void {
      if (!isRemote()) return notes.keepServiceVersion(note.id, note.version)
      pending.remove([intent])
      take({ kind: 'note', record: note }, { isRefusal: true })
    },
    refused(record: IncomingRecord): void {
      if (record.kind === 'template' && !isRemote()) return
      db.transaction(() => take(record, { isRefusal: true })).immediate()
    },
    keepCommon: (kind: MergedKind, id: string, { version, ...record }: HeldDocument) =>
      common.keep(kind, id, { version, record: { ...record, own: true } }),
    isAsked: conflicts.isAsked,
    isGone: (kind: MergedKind, id: string) => common.of(kind, id) === 'gone',
    bookingRefused: createBookingRefused({ ...parts, conflicts, onConflict: notify.conflicts }),
    parts: resolving,
  }
}

function resolvingParts(parts: MergeParts, notify: Notifier) {
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
    sessionChanged(before: Session, after: Session): void {
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
      if (incoming.kind === 'note') takeWhole(shared, notes, incoming.record as OfSession<Note>, isRefusal)
      else takeWhole(shared, transcripts, incoming.record as OfSession<Transcript>, isRefusal)
      changed()
    }
    if (before > 0 || conflicts.count() > 0) notify.conflicts()
  }
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
