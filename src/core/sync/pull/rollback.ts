import type { Sqlite } from '#base/sqlite.ts'
import type { Repositories, RecordParts } from '#core/records/repositories.ts'
import type { Common, Incoming } from '#core/sync/merge/common.ts'
import { mergeableClients, mergeableSessions, picked, rebase } from '#core/sync/merge/merge-fields.ts'
import { createPendingIntents } from '#core/sync/merge/pending.ts'
import { fieldsOf } from '#core/outbox/three-way.ts'
import type { AnyIntent } from '#core/outbox/intents.ts'
import { intentsOf, missingOf } from '#core/sync/push-again.ts'
import { versionedKinds, type Arrived, type RecordName } from '#core/sync/record-kinds.ts'

type Parts = Repositories & Pick<RecordParts, 'db' | 'outbox'> & { readonly common: Common; readonly incoming: Incoming }

export type Rollback = ReturnType<typeof createRollback>

/** For a service that was restored from backup: pushes again what the service lost. */
export function createRollback(parts: Parts) {
  const { db, outbox, common, incoming, clients, sessions, transcripts, notes } = parts
  const pending = createPendingIntents(db, outbox)
  const [ofClients, ofSessions] = [mergeableClients(clients), mergeableSessions(sessions)]
  const forget = new Map<string, ReturnType<Sqlite['prepare']>>(
    versionedKinds.map(([kind, table]) => [kind, db.prepare(`update ${table} set service_version = null where id = ?`)]),
  )
  const forgetCommon = db.prepare('delete from common_versions where kind = ? and id = ?')
  const addAll = (intents: Iterable<AnyIntent>): void => [...intents].forEach((intent) => outbox.add(intent))

  const pushFields = (arrived: Arrived & { kind: 'client' | 'session' }): void => {
    const { id, version } = arrived.record
    const of = arrived.kind === 'client' ? ofClients : ofSessions
    const [mine, theirs] = [of.find(id), of.normal(arrived.record as never)]
    if (mine === null) return
    of.keepServiceVersion(id, version)
    common.keep(arrived.kind, id, { version, record: picked(theirs, of.names) })
    rebase(pending, of as typeof ofClients, { record: mine as never, theirs: fieldsOf(theirs), isHeld: false })
  }
  return {
    hasOlder(arrived: Arrived): void {
      const { id, version } = arrived.record
      if (arrived.kind === 'client' || arrived.kind === 'session') pushFields(arrived)
      else if (arrived.kind === 'consent') incoming.take(arrived)
      else if (arrived.kind === 'transcript' && transcripts.find(id) !== null) {
        transcripts.keepServiceVersion(id, version)
        addAll(intentsOf.transcript(parts, id))
      } else if (arrived.kind === 'note' && notes.find(id) !== null) {
        notes.keepServiceVersion(id, version)
        addAll(missingOf(arrived.record, intentsOf.note(parts, id)))
      }
    },
    /** For a record that may have changed since the restore. Forgets the agreed version, so differences become conflicts. */
    hasOther(arrived: Arrived): void {
      const { id } = arrived.record
      if (arrived.kind === 'client' || arrived.kind === 'session') {
        common.keep(arrived.kind, id, { version: 0, record: {} })
        ;(arrived.kind === 'client' ? ofClients : ofSessions).keepServiceVersion(id, 0)
      } else if (arrived.kind === 'transcript' || arrived.kind === 'note') {
        forget.get(arrived.kind)?.run(id)
        forgetCommon.run(arrived.kind, id)
        const intents = intentsOf[arrived.kind](parts, id)
        addAll(arrived.kind === 'note' ? missingOf(arrived.record, intents) : intents)
      }
    },
    hasLost({ kind, id }: RecordName): void {
      if (kind === 'template' || kind === 'analysis') return
      if (parts[`${kind}s`].find(id) === null) return
      forget.get(kind)?.run(id)
      forgetCommon.run(kind, id)
      pending.remove(pending.of(id, 'update-client', 'update-session', 'put-transcript', 'put-note'))
      if (!isWithoutSession(parts, { kind, id })) addAll(intentsOf[kind](parts, id))
    },
  }
}

function isWithoutSession(parts: Parts, { kind, id }: RecordName): boolean {
  if (kind !== 'transcript' && kind !== 'note') return false
  const sessionId = parts[`${kind}s`].find(id)?.session_id ?? null
  return sessionId !== null && parts.sessions.find(sessionId) === null
}
