import type { Sqlite } from '#base/sqlite.ts'
import type { AnyIntent, Intent, IntentKind, StoredIntent } from '#core/outbox/intents.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import type { Fields } from '#core/outbox/three-way.ts'

export type Pending<Kind extends IntentKind = IntentKind> = StoredIntent & Intent<Kind>

type About = { readonly session_id: string } | { readonly client_id: string } | { readonly subject_id: string }

export interface PendingIntents {
  of<Kind extends IntentKind>(subjectId: string, ...kinds: readonly Kind[]): Pending<Kind>[]
  isUnpushed(subjectId: string, kind: IntentKind): boolean
  count(about: About): number
  remove(intents: readonly StoredIntent[]): void
  replace(before: readonly StoredIntent[], intent: AnyIntent | null, isHeld: boolean): void
  hold(intents: readonly StoredIntent[]): void
  resend(intent: StoredIntent, body: object): void
  removeAll(about: About): void
}

export function createPendingIntents(db: Sqlite, outbox: Outbox): PendingIntents {
  const bySubject = db
    .prepare('select id from outbox where subject_id = ? and kind in (select value from json_each(?)) order by sequence')
    .pluck()
  const idsBy = {
    session_id: db.prepare('select id from outbox where session_id = ?').pluck(),
    client_id: db.prepare('select id from outbox where client_id = ?').pluck(),
    subject_id: db.prepare('select id from outbox where subject_id = ?').pluck(),
  }
  const isKept = db.prepare('select 1 from kept_here where kind = ? and subject_id = ?')
  const kept = {
    session_id: localOnly(db, 'session_id'),
    client_id: localOnly(db, 'client_id'),
    subject_id: localOnly(db, 'subject_id'),
  }
  const keptOf = (about: About) => {
    const [name, id] = Object.entries(about)[0] as [keyof typeof kept, string]
    return { count: kept[name].count.get(id) as number, remove: () => void kept[name].remove.run(id) }
  }
  const idsOf = (about: About): string[] => {
    const [name, id] = Object.entries(about)[0] as [keyof typeof idsBy, string]
    return idsBy[name].all(id) as string[]
  }
  const of = <Kind extends IntentKind>(subjectId: string, ...kinds: readonly Kind[]): Pending<Kind>[] =>
    (bySubject.all(subjectId, JSON.stringify(kinds)) as string[]).map((id) => outbox.find(id) as Pending<Kind>)
  const pending: PendingIntents = {
    of,
    isUnpushed: (subjectId, kind) => of(subjectId, kind).length > 0 || isKept.get(kind, subjectId) !== undefined,
    count: (about) => idsOf(about).length + keptOf(about).count,
    remove: (intents) => intents.forEach(({ id }) => outbox.drop(id)),
    replace(before, intent, isHeld) {
      pending.remove(before)
      if (intent === null) return
      outbox.add(intent)
      if (isHeld) pending.hold(of(intent.subject_id, intent.kind))
    },
    hold: (intents) => intents.forEach(({ id, state }) => state !== 'needs_you' && outbox.needsYou(id, 'stale-version')),
    resend({ id }, body) {
      outbox.remember(id, body)
      outbox.renew(id)
      outbox.held(id, null)
    },
    removeAll(about) {
      idsOf(about).forEach((id) => outbox.drop(id))
      keptOf(about).remove()
    },
  }
  return pending
}

function localOnly(db: Sqlite, column: string) {
  return {
    count: db.prepare(`select count(*) from kept_here where ${column} = ?`).pluck(),
    remove: db.prepare(`delete from kept_here where ${column} = ?`),
  }
}

export function maybeSent(updates: readonly Pending<'update-client' | 'update-session'>[]): Fields[] {
  return updates.filter(({ tried }) => tried > 0).map(({ body }) => body.patch as Fields)
}
