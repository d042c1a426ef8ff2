import type { Sqlite } from '#base/sqlite.ts'
import type { AnyIntent, Intent, IntentKind, StoredIntent } from '#core/outbox/intents.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import type { Fields } from '#core/outbox/three-way.ts'

export type Pending<Kind extends IntentKind = IntentKind> = StoredIntent & Intent<Kind>

type Column = 'session_id' | 'client_id' | 'subject_id'
type About = { readonly [Name in Column]: { readonly [Key in Name]: string } }[Column]

export type PendingIntents = ReturnType<typeof createPendingIntents>

export function createPendingIntents(db: Sqlite, outbox: Outbox) {
  const bySubject = db
    .prepare('select id from outbox where subject_id = ? and kind in (select value from json_each(?)) order by sequence')
    .pluck()
  const isKept = db.prepare('select 1 from kept_here where kind = ? and subject_id = ?')
  const by = { session_id: rowsBy(db, 'session_id'), client_id: rowsBy(db, 'client_id'), subject_id: rowsBy(db, 'subject_id') }
  const rowsAbout = (about: About) => {
    const [[name, id]] = Object.entries(about) as [[Column, string]]
    return { id, ...by[name], ids: by[name].queued.all(id) as string[] }
  }
  const of = <Kind extends IntentKind>(subjectId: string, ...kinds: readonly Kind[]): Pending<Kind>[] =>
    (bySubject.all(subjectId, JSON.stringify(kinds)) as string[]).map((id) => outbox.find(id) as Pending<Kind>)
  const remove = (intents: readonly StoredIntent[]): void => intents.forEach(({ id }) => outbox.drop(id))
  const hold = (intents: readonly StoredIntent[]): void =>
    intents.forEach(({ id, state }) => state !== 'needs_you' && outbox.needsYou(id, 'stale-version'))
  return {
    of,
    remove,
    hold,
    isUnpushed: (subjectId: string, kind: IntentKind) =>
      of(subjectId, kind).length > 0 || isKept.get(kind, subjectId) !== undefined,
    count(about: About): number {
      const { id, ids, kept } = rowsAbout(about)
      return ids.length + (kept.get(id) as number)
    },
    replace(before: readonly StoredIntent[], intent: AnyIntent | null, isHeld = false): void {
      remove(before)
      if (intent === null) return
      outbox.add(intent)
      if (isHeld) hold(of(intent.subject_id, intent.kind))
    },
    resend({ id }: StoredIntent, body: object): void {
      outbox.remember(id, body)
      outbox.renew(id)
      outbox.held(id, null)
    },
    removeAll(about: About): void {
      const { id, ids, removeKept } = rowsAbout(about)
      ids.forEach((one) => outbox.drop(one))
      removeKept.run(id)
    },
  }
}

function rowsBy(db: Sqlite, column: Column) {
  return {
    queued: db.prepare(`select id from outbox where ${column} = ?`).pluck(),
    kept: db.prepare(`select count(*) from kept_here where ${column} = ?`).pluck(),
    removeKept: db.prepare(`delete from kept_here where ${column} = ?`),
  }
}

export function maybeSent(updates: readonly Pending<'update-client' | 'update-session'>[]): Fields[] {
  return updates.filter(({ tried }) => tried > 0).map(({ body }) => body.patch as Fields)
}
