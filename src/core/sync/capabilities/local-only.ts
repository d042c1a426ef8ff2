import type { Sqlite } from '#base/sqlite.ts'
import { isWork, type AnyIntent, type IntentKind } from '#core/outbox/intents.ts'
import { createNoteRepository } from '#core/records/notes/note-repository.ts'
import { isSignedOverErased } from '#core/records/content-hash.ts'
import { intentsOf } from '#core/sync/push-again.ts'
import type { Offers } from './capabilities.ts'
import type { RecordParts } from '#core/records/repositories.ts'

/**
 * `needs`: the capability that a service must offer for the intent. `record`: the kind of record whose current state can be
 * sent instead of the intent's body.
 */
const kinds = {
  'create-client': { needs: 'clients.write', record: 'client' },
  'update-client': { needs: 'clients.write', record: null },
  'create-session': { needs: null, record: 'session' },
  'update-session': { needs: 'sessions.sync', record: null },
  'give-consent': { needs: 'consents', record: 'consent' },
  'revoke-consent': { needs: 'consents', record: null },
  'put-transcript': { needs: 'transcripts', record: 'transcript' },
  'put-note': { needs: 'notes', record: 'note' },
  'sign-note': { needs: 'notes', record: 'note' },
  'add-addendum': { needs: 'notes', record: 'note' },
  transcribe: { needs: null, record: null },
  'draft-note': { needs: null, record: null },
  analyze: { needs: null, record: null },
} as const satisfies Record<IntentKind, { readonly needs: string | null; readonly record: string | null }>

const order = Object.keys(kinds) as IntentKind[]

export const recordOf = (kind: IntentKind) => kinds[kind].record

type IntentSubject = Pick<AnyIntent, 'kind' | 'subject_id' | 'client_id' | 'session_id'>

interface Row {
  readonly kind: IntentKind
  readonly body: string
}

export type LocalOnly = ReturnType<typeof createKeptHere>

/** Intents for records that the current service cannot store. One row per record and kind of intent. */
export function createKeptHere(db: Sqlite) {
  const find = db.prepare('select body from kept_here where kind = ? and subject_id = ?').pluck()
  const put = db.prepare(`
    insert into kept_here (kind, subject_id, client_id, session_id, body) values (@kind, @subject_id, @client_id, @session_id, @body)
    on conflict (kind, subject_id) do update set body = excluded.body`)
  const every = db.prepare('select kind, subject_id, client_id, session_id, body from kept_here order by sequence')
  const drop = db.prepare('delete from kept_here where kind = ? and subject_id = ?')
  const tally = db.prepare('select kind, count(*) as count from kept_here group by kind order by kind')
  const isKept = (kind: IntentKind, id: string | null): boolean => id !== null && find.get(kind, id) !== undefined
  const notes = createNoteRepository(db)
  const isNotRepresentable = ({ kind, subject_id }: IntentSubject): boolean => {
    if (kind === 'add-addendum' && !isKept('sign-note', subject_id)) return false
    if (kind !== 'put-note' && kind !== 'sign-note' && kind !== 'add-addendum') return false
    const note = notes.find(subject_id)
    return note !== null && isSignedOverErased(note)
  }
  const isClientKept = (clientId: string): boolean => isKept('create-client', clientId)
  return {
    keep({ kind, client_id, session_id, subject_id, body }: AnyIntent): void {
      const before = find.get(kind, subject_id) as string | undefined
      const merged = before === undefined ? body : mergeBodies(JSON.parse(before) as object, body)
      put.run({ kind, client_id, session_id, subject_id, body: JSON.stringify(merged) })
    },
    all(): AnyIntent[] {
      const rows = (every.all() as Row[]).map((row) => ({ ...row, body: JSON.parse(row.body) as object }) as AnyIntent)
      return rows.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))
    },
    remove: ({ kind, subject_id }: Pick<AnyIntent, 'kind' | 'subject_id'>): void => void drop.run(kind, subject_id),
    isNotRepresentable,
    /** False for long-running work, because the senders in `sync/plain` do such work with fewer capabilities. */
    isLocalOnly(intent: IntentSubject, offers: Offers): boolean {
      const { kind, client_id, session_id } = intent
      if (isWork(intent)) return false
      if (isNotRepresentable(intent)) return true
      const { needs } = kinds[kind]
      if (needs !== null && !offers.has(needs)) return true
      if (kind === 'create-client') return false
      return isClientKept(client_id) || (kind !== 'create-session' && isKept('create-session', session_id))
    },
    holds: isKept,
    isUnknownToService: ({ client_id, session_id }: Pick<AnyIntent, 'client_id' | 'session_id'>) =>
      isClientKept(client_id) || isKept('create-session', session_id),
    counts: () => tally.all() as { kind: IntentKind; count: number }[],
  }
}

function mergeBodies(before: object, now: object): object {
  if (!('patch' in before && 'patch' in now && 'base' in before && 'base' in now)) return now
  return {
    patch: { ...(before.patch as object), ...(now.patch as object) },
    base: { ...(now.base as object), ...(before.base as object) },
  }
}

interface PushParts extends Pick<RecordParts, 'db' | 'outbox' | 'clients' | 'sessions' | 'consents' | 'transcripts' | 'notes'> {
  readonly localOnly: LocalOnly
}

export function pushLocalOnly(parts: PushParts, offers: Offers): void {
  const { db, localOnly, outbox, clients } = parts
  db.transaction(() => {
    for (const kept of localOnly.all()) {
      if (kept.kind === 'create-client' && clients.serviceVersion(kept.subject_id) !== null) localOnly.remove(kept)
      if (localOnly.isLocalOnly(kept, offers)) continue
      localOnly.remove(kept)
      for (const intent of asItStands(parts, kept)) outbox.add(intent)
    }
  }).immediate()
}

function* asItStands(parts: PushParts, kept: AnyIntent): Generator<AnyIntent> {
  const { kind, subject_id } = kept
  const record = recordOf(kind)
  if (record === null) {
    yield kept
    return
  }
  if (parts[`${record}s`].find(subject_id) === null) return
  if (kind === 'create-client') {
    if (parts.clients.serviceVersion(subject_id) !== null) return
    parts.localOnly.remove({ kind: 'update-client', subject_id })
  }
  if (kind === 'create-session') parts.localOnly.remove({ kind: 'update-session', subject_id })
  for (const intent of intentsOf[record](parts, subject_id)) if (intent.kind === kind || kind === 'create-session') yield intent
}
