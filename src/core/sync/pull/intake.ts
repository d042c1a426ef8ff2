import { z } from 'zod'
import type { Analysis } from '#contract/model/analysis.ts'
import { type Client, clientDraftSchema } from '#contract/model/client.ts'
import { errorKind } from '#base/log.ts'
import { parseLeniently } from '#client/answer.ts'
import { isSame } from '#core/outbox/three-way.ts'
import { agreedInsights } from '#core/records/consent/consent-service.ts'
import type { RecordParts } from '#core/records/repositories.ts'
import type { Common, Incoming, IncomingRecord } from '#core/sync/merge/common.ts'
import {
  type Arrived,
  hasNoPlace,
  isWithheld,
  parentOf,
  type PulledKind,
  recordKinds,
  type RecordName,
} from '#core/sync/record-kinds.ts'
import type { Known, PullState, Wanted, WantedRecord } from './pull-state.ts'
import type { Rollback } from './rollback.ts'

export type Arrival =
  | { readonly kind: PulledKind; readonly raw: unknown }
  | { readonly kind: PulledKind; readonly gone: string; readonly version: number }

interface Parts extends Pick<RecordParts, 'db' | 'clock' | 'log' | 'emit'> {
  readonly incoming: Incoming
  readonly insights: TakeInsights
  readonly state: PullState
  readonly wanted: Wanted
  readonly known: Known
  readonly parse: ParseArrival
  readonly isPiece: (transcriptId: string) => boolean
  readonly putBack: Rollback
}

/** `take` emits no event within this time after the last one, because an event makes open pages reload. */
const NOTIFY_INTERVAL_MS = 1000
const namedSchema = z.object({
  id: z.uuid(),
  version: z.int().min(1).catch(1),
  updated_at: z.iso.datetime().nullable().catch(null),
})

export type Intake = ReturnType<typeof createIntake>

export function createIntake(parts: Parts) {
  const { db, clock, emit, state } = parts
  const changed = new Set<PulledKind>()
  let notifiedAt = -NOTIFY_INTERVAL_MS
  const notify = (): void => {
    if (changed.size === 0) return
    notifiedAt = clock.elapsed()
    emit('records.changed', { kinds: [...changed].map((kind) => recordKinds[kind].plural) })
    changed.clear()
  }
  const apply = createApply(parts)
  const applyAll = db.transaction((arrivals: readonly Arrival[], writeRest: () => void) => {
    const walking = new Set(state.walks().flatMap((walk) => (walk.state === 'walking' ? [walk.kind] : [])))
    for (const arrival of arrivals) if (apply(arrival, walking)) changed.add(arrival.kind)
    writeRest()
  })
  return {
    take(arrivals: readonly Arrival[], writeRest: () => void): void {
      applyAll.immediate(arrivals, writeRest)
      if (clock.elapsed() - notifiedAt >= NOTIFY_INTERVAL_MS) notify()
    },
    notify,
  }
}

function createApply(parts: Parts): (arrival: Arrival, walking: ReadonlySet<PulledKind>) => boolean {
  const { db, log, incoming, insights, state, wanted, known } = parts
  /** A savepoint per record, so that a failure does not undo the others. */
  const applyOne = db.transaction((arrival: Arrived | { kind: PulledKind; gone: string }) => {
    if (arrival.kind !== 'analysis') incoming.take(arrival as IncomingRecord)
    else if ('gone' in arrival) insights.gone(arrival.gone)
    else insights.take(arrival.record)
  })
  const putAside = (name: Named, why: 'unreadable' | 'failed', fields: object): false => {
    log.warn(`pull.${why}`, { kind: name.kind, id: name.id, ...fields })
    wanted.hold(name, why)
    return false
  }
  const holdBack = (name: Named): false => {
    wanted.hold(name, 'unreadable')
    return false
  }
  return (arrival, walking) => {
    const name = nameOf(arrival)
    if (name === null) {
      log.warn('pull.unreadable', { kind: arrival.kind, id: null })
      return false
    }
    state.listed(name)
    const parsed = 'raw' in arrival ? parts.parse(arrival.kind, arrival.raw) : null
    if ('raw' in arrival && parsed === null) return putAside(name, 'unreadable', {})
    if (parsed !== null && isWithheld(parsed)) return holdBack(name)
    if (parsed !== null && (hasNoPlace(parsed) || isOlder(parts, parsed) || waitsForParent(parts, parsed, name))) return false
    if (name.kind === 'transcript' && parts.isPiece(name.id)) return false
    const isNew = !known.has(name)
    try {
      applyOne(parsed ?? { kind: name.kind, gone: name.id })
    } catch (error) {
      if (isDiskError(error)) throw error
      return putAside(name, 'failed', { error: errorKind(error) })
    }
    wanted.done(name, name.version)
    // A client that became accessible may have older records. They need not be requested if all sessions are being listed
    // anyway, or if the client is new at the service.
    if (isNew && parsed?.kind === 'client' && !walking.has('session') && (walking.has('client') || name.version > 1))
      wanted.want({ kind: 'all-of-client', id: name.id, version: 1, changed_at: null })
    return true
  }
}

/** True if the vault has a newer version: this one was requested before a push, or the service was restored from backup. */
function isOlder({ known, wanted, state, putBack }: Parts, arrived: Arrived): boolean {
  const { kind, record } = arrived
  const version = known.version({ kind, id: record.id })
  const since = state.behindSince()
  if (version !== null && since !== null && record.updated_at > since) putBack.hasOther(arrived)
  else if (record.version < (version ?? 0)) {
    wanted.done({ kind, id: record.id }, record.version)
    if (since !== null) putBack.hasOlder(arrived)
    return true
  }
  return false
}

function waitsForParent({ known, wanted }: Parts, arrived: Arrived, name: Named): boolean {
  const parent = parentOf(arrived)
  if (parent === null || known.has(parent)) return false
  wanted.want({ ...parent, version: 1, changed_at: null })
  wanted.holdFor(name, parent)
  return true
}

type Named = WantedRecord & RecordName & { readonly kind: PulledKind }

function nameOf(arrival: Arrival): Named | null {
  if ('gone' in arrival) return { kind: arrival.kind, id: arrival.gone, version: arrival.version, changed_at: null }
  const { data } = namedSchema.safeParse(arrival.raw)
  return data === undefined ? null : { kind: arrival.kind, id: data.id, version: data.version, changed_at: data.updated_at }
}

/** True if the database failed, e.g. because the disk is full. The record is not the cause. */
function isDiskError(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && code.startsWith('SQLITE_') && !code.startsWith('SQLITE_CONSTRAINT')
}

export type ParseArrival = (kind: PulledKind, raw: unknown) => Arrived | null

const clientFields = Object.keys(clientDraftSchema.shape)

export function createParseArrival(common: Pick<Common, 'of'>): ParseArrival {
  return (kind, raw) => {
    if (kind !== 'client') {
      const { data } = recordKinds[kind].schema.safeParse(raw)
      return data === undefined ? null : ({ kind, record: data } as Arrived)
    }
    // The published API does not specify a client's fields, so parse leniently.
    const record = parseLeniently(recordKinds.client.schema, raw) as Client | null
    return record === null ? null : { kind, record: counted(common, withAbsence(record, raw as object), raw as object) }
  }
}

/** A missing field counts as withheld, so it doesn't overwrite a known value. */
function withAbsence(record: Client, raw: object): Client {
  const absent = clientFields.filter((name) => !(name in raw) && name !== 'state')
  return absent.length === 0 ? record : { ...record, withheld: [...new Set([...(record.withheld ?? []), ...absent])] }
}

/** If the service sends no versions, changed content counts as a new version. */
function counted(common: Pick<Common, 'of'>, record: Client, raw: object): Client {
  if ('version' in raw) return record
  const known = common.of('client', record.id)
  if (known === null || known === 'gone') return record
  const isOther = Object.keys(known.record).some(
    (name) => !record.withheld?.includes(name) && !isSame(known.record[name], (record as Record<string, unknown>)[name]),
  )
  return { ...record, version: isOther ? known.version + 1 : known.version }
}

export type TakeInsights = ReturnType<typeof createTakeInsights>

type InsightParts = Pick<RecordParts, 'db' | 'insights' | 'sessions' | 'transcripts' | 'consentService' | 'audit'>

export function createTakeInsights({ db, insights, sessions, transcripts, consentService, audit }: InsightParts) {
  const sessionOf = db.prepare(`select session_id from insights where json_extract(analysis, '$.id') = ?`).pluck()
  return {
    take(analysis: Analysis): void {
      const session = analysis.session_id === null ? null : sessions.find(analysis.session_id)
      // The service may not know yet that consent was revoked in this app.
      if (session === null || !consentService.allows(session.id, 'analyze')) return
      const kept = insights.ofSession(session.id)
      if (kept !== null && !isLater(analysis, kept.analysis)) return
      const { id: transcript_id = '', version: transcript_version = 0 } = transcripts.ofSession(session.id) ?? {}
      const agreed = agreedInsights(consentService, analysis)
      insights.put(session.id, session.client_id, { analysis: agreed, transcript_id, transcript_version })
      audit.append({ action: 'insights.received', subject_id: analysis.id, client_id: session.client_id })
    },
    gone(id: string): void {
      const sessionId = sessionOf.get(id) as string | undefined
      if (sessionId === undefined) return
      insights.erase(sessionId)
      audit.append({ action: 'insights.erased', subject_id: id, client_id: sessions.find(sessionId)?.client_id ?? null })
    },
  }
}

function isLater(one: Analysis, other: Analysis): boolean {
  return one.id === other.id ? one.version > other.version : one.created_at > other.created_at
}
