import { isDeepStrictEqual } from 'node:util'
import type { RecordParts, Repositories } from '#core/records/repositories.ts'
import type { Incoming, IncomingRecord } from '#core/sync/merge/common.ts'
import type { PendingIntents } from '#core/sync/merge/pending.ts'
import { isFinal } from '#core/sync/merge/whole-documents.ts'
import type { Known, Wanted } from '#core/sync/pull/pull-state.ts'
import type { Arrived, PulledKind, RecordName } from '#core/sync/record-kinds.ts'
import type { Rollback } from '#core/sync/pull/rollback.ts'
import { createIsLacking, createIsOnItsWay, type Held } from './lacking.ts'
import { currentCause, inPart, lostItem, type RecoveryItem, reportRecovery } from '#core/vault/recovery-report.ts'

interface Parts extends Repositories, Pick<RecordParts, 'db' | 'clock' | 'emit'> {
  readonly merge: Incoming
  readonly known: Known
  readonly wanted: Wanted
  readonly putBack: Rollback
  readonly isPaused: () => boolean
  readonly pending: Pick<PendingIntents, 'of' | 'remove'>
}

export function createRestoring(parts: Parts) {
  const { db, wanted, isPaused, emit } = parts
  let hasNews = false
  const report = createReporting(parts)
  const onRestored: OnRestored = (file, record) => {
    report(file, record)
    hasNews = true
  }
  const original = createOriginals(parts, onRestored)
  const isLacking = createIsLacking(db, parts)
  const isOnItsWay = createIsOnItsWay(db, parts)
  const later = new Map<string, Held>()
  return {
    incoming: {
      take(incoming) {
        // Records that the service erased stay in the vault.
        if ('gone' in incoming) return
        if (original.isFor(incoming)) return original.restore(incoming)
        if (!isLacking(incoming)) return
        if (isPaused() || !isOnItsWay(incoming)) return restore(parts, incoming, onRestored)
        const { kind, record } = incoming
        later.set(keyOf({ kind, id: record.id }), incoming)
        if (kind === 'note' && isFinal(record) && !isSignedHere(parts, record.session_id))
          onRestored('vault', { kind, ...record })
      },
    } satisfies Incoming,
    wanted: { ...wanted, done: doneUnless((record) => later.has(keyOf(record)), wanted) },
    putBack: reporting(parts.putBack, original, onRestored),
    begin() {
      later.clear()
      wanted.releaseAll()
    },
    isWaiting: () => later.size > 0,
    isDue: () => later.size > 0 && ![...later.values()].some((held) => isOnItsWay(held)),
    notify() {
      if (hasNews) emit('records.changed', { kinds: ['recovery'] })
      hasNews = false
    },
  }
}

const keyOf = ({ kind, id }: RecordName): string => `${kind} ${id}`

/** Postponed records stay in the list of records to fetch, so that a crash does not lose them. */
const doneUnless =
  (isLater: (record: RecordName) => boolean, wanted: Wanted): Wanted['done'] =>
  (record, version) => {
    if (!isLater(record)) return wanted.done(record, version)
    const name = { ...record, version, changed_at: null }
    wanted.want(name)
    wanted.hold(name, 'unreadable')
  }

type Originals = ReturnType<typeof createOriginals>

/** A restored service.db may have the original of a client or session that recovery recreated. */
function createOriginals(parts: Parts, onRestored: OnRestored) {
  const { db } = parts
  const isRecreated = db.prepare('select 1 from recovery_items where subject_id = ? and kind = ? and is_recovered = 0')
  const forgetAgreed = db.prepare('delete from common_versions where kind = ? and id = ?')
  const forgetVersion = {
    client: db.prepare('update clients set service_version = null where id = ?'),
    session: db.prepare('update sessions set service_version = null where id = ?'),
  }
  const isFor = (held: Arrived): held is Held & { kind: 'client' | 'session' } => {
    if (held.kind !== 'client' && held.kind !== 'session') return false
    const { id, created_at } = held.record
    const mine = parts[`${held.kind}s`].find(id)
    return mine !== null && created_at < mine.created_at && isRecreated.get(inPart(id), held.kind) !== undefined
  }
  return {
    isFor,
    restore(held: Held & { kind: 'client' | 'session' }): void {
      forgetAgreed.run(held.kind, held.record.id)
      forgetVersion[held.kind].run(held.record.id)
      restore(parts, held, () => {})
      onRestored('vault', { kind: held.kind, id: held.record.id })
    },
  }
}

const reporting = (putBack: Rollback, original: Originals, onRestored: OnRestored): Rollback => ({
  ...putBack,
  hasOlder(arrived) {
    if (original.isFor(arrived)) return original.restore(arrived)
    putBack.hasOlder(arrived)
    onRestored('service', { kind: arrived.kind, id: arrived.record.id })
  },
  hasLost(record) {
    putBack.hasLost(record)
    onRestored('service', record)
  },
})

type Restored = RecordName & { readonly session_id?: string | null }
type OnRestored = (file: 'vault' | 'service', record: Restored) => void

const placeOf: Readonly<Partial<Record<PulledKind, string>>> = {
  client: 'select id as client_id, null as session_id, created_at as date from clients where id = ?',
  consent: 'select client_id, null as session_id, given_at as date from consents where id = ?',
  session: 'select client_id, id as session_id, starts_at as date from sessions where id = ?',
  transcript: 'select null as client_id, session_id, created_at as date from transcripts where id = ?',
  note: 'select client_id, session_id, created_at as date from notes where id = ?',
  template: 'select null as client_id, null as session_id, created_at as date from templates where id = ?',
}

const createReporting =
  ({ db, clock }: Parts): OnRestored =>
  (file, { kind, id, session_id = null }) => {
    const query = placeOf[kind]
    if (query === undefined || kind === 'analysis') return
    const place = db.prepare(query).get(id) as Pick<RecoveryItem, 'client_id' | 'session_id' | 'date'> | undefined
    const item = { ...lostItem(kind, id, place ?? { session_id }), is_recovered: true }
    reportRecovery(db, clock, currentCause(db, file), [item])
  }

function isSignedHere({ notes }: Parts, sessionId: string | null): boolean {
  const note = sessionId === null ? null : notes.ofSession(sessionId)
  return note !== null && isFinal(note)
}

function restore(parts: Parts, held: Held, onRestored: OnRestored): void {
  const before = contentHere(parts, held)
  parts.merge.take(held as IncomingRecord)
  parts.pending.remove(parts.pending.of(held.record.id, 'create-client', 'create-session', 'give-consent'))
  if (isDeepStrictEqual(contentHere(parts, held), before)) return
  onRestored('vault', { kind: held.kind, id: held.record.id })
}

function contentHere(parts: Parts, { kind, record }: Held): object | null {
  const ofSession = (of: 'notes' | 'transcripts', id: string | null) => (id === null ? null : parts[of].ofSession(id))
  const kept =
    kind === 'note' || kind === 'transcript' ? ofSession(`${kind}s`, record.session_id) : parts[`${kind}s`].find(record.id)
  if (kept === null) return null
  return Object.fromEntries(Object.entries(kept).filter(([name]) => !addedThere.has(name)))
}

const addedThere: ReadonlySet<string> = new Set([
  'version',
  'created_at',
  'updated_at',
  'clinician_id',
  'recurrence',
  'series_id',
  'occurrence_start',
  'ends_at',
])
