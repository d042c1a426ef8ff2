import { isSample } from '#contract/bridge/sample.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { Repositories } from '#core/records/repositories.ts'
import type { IncomingRecord } from '#core/sync/merge/common.ts'
import { isFinal } from '#core/sync/merge/whole-documents.ts'
import type { Known } from '#core/sync/pull/pull-state.ts'
import { type RecordName, versionedKinds } from '#core/sync/record-kinds.ts'

export type Held = Extract<IncomingRecord, { record: object }>

type Parts = Pick<Repositories, 'notes' | 'transcripts' | 'templates'> & { readonly known: Known }
type Document = Readonly<Record<'id' | 'created_at', string>>

/**
 * In the vault, a session has at most one note and one transcript. A document that another one has replaced there does not
 * count as lacking.
 */
export function createIsLacking(db: Sqlite, { known, notes, transcripts, templates }: Parts): (held: Held) => boolean {
  const lastOf = db.prepare('select max(sequence) from audit where subject_id = ?').pluck()
  const changedHere = ({ id }: Document): number | null => lastOf.get(id) as number | null
  /** The clock may have been set back, so the audit log must confirm a later creation time, if it has entries for both. */
  const isLater = (record: Document, mine: Document): boolean => {
    if (record.created_at <= mine.created_at) return false
    const [theirs, ours] = [changedHere(record), changedHere(mine)]
    return theirs === null || ours === null || theirs > ours
  }
  return ({ kind, record }) => {
    if (kind === 'template') return templates.find(record.id) === null
    const isNewer = !known.has({ kind, id: record.id }) || record.version > (known.version({ kind, id: record.id }) ?? 0)
    if (kind === 'transcript') {
      const mine = record.session_id === null ? null : transcripts.ofSession(record.session_id)
      return mine === null || (mine.id === record.id ? isNewer : isLater(record, mine))
    }
    if (kind !== 'note') return isNewer
    const mine = record.session_id === null ? null : notes.ofSession(record.session_id)
    if (mine === null) return true
    if (mine.id === record.id) return isNewer || (isFinal(record) && !isFinal(mine))
    return isFinal(record) === isFinal(mine) ? isLater(record, mine) : isFinal(record)
  }
}

export function createUnsent(db: Sqlite): () => RecordName[] {
  const queries = versionedKinds.map(
    ([kind, table]) => `
    select '${kind}' as kind, id from ${table} where service_version is null
      and not exists (select 1 from outbox where subject_id = ${table}.id)
      and not exists (select 1 from kept_here where subject_id = ${table}.id)
      and not exists (select 1 from common_versions where kind = '${kind}' and id = ${table}.id and record is null)`,
  )
  const all = db.prepare(queries.join(' union all '))
  return () => (all.all() as RecordName[]).filter(({ id }) => !isSample(id))
}

const workOn = { transcript: 'transcribe', note: 'draft-note' } as const

/**
 * True while the outbox has an entry (other than `needs_you`) for the record, for the session's document of that kind, or for
 * work that writes such a document.
 */
export function createIsOnItsWay(db: Sqlite, { notes, transcripts }: Pick<Repositories, 'notes' | 'transcripts'>) {
  const going = db.prepare(`
    select 1 from outbox where state <> 'needs_you'
      and (subject_id in (@id, @other) or (session_id = @session_id and kind = @work)) limit 1`)
  return ({ kind, record }: Held): boolean => {
    const session_id = kind === 'note' || kind === 'transcript' ? record.session_id : null
    const other = session_id === null ? null : (kind === 'note' ? notes : transcripts).ofSession(session_id)
    const work = kind === 'note' || kind === 'transcript' ? workOn[kind] : null
    return going.get({ id: record.id, other: other?.id ?? null, session_id, work }) !== undefined
  }
}
