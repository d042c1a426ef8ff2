import type { Client } from '#contract/model/client.ts'
import type { Consent } from '#contract/model/consent.ts'
import type { Note } from '#contract/model/note.ts'
import type { Session } from '#contract/model/session.ts'
import type { OwnTemplate } from '#contract/model/template.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { Fields } from '#core/outbox/three-way.ts'

/** The last version both sides agreed on. `record`: e.g. the fields of a client, or the hash of a document. */
export interface CommonVersion {
  readonly version: number
  readonly record: Fields
}

export type Common = ReturnType<typeof createCommon>

/** Agreed versions are used only with a practice's service. The embedded service has no other writer. */
export function createCommon(db: Sqlite, isRemote: () => boolean) {
  const find = db.prepare('select version, record from common_versions where kind = ? and id = ?')
  const keep = db.prepare('insert or replace into common_versions (kind, id, version, record) values (?, ?, ?, ?)')
  // Rows of older builds have no session_id and may belong to any session.
  const forget = db.prepare(`
    delete from common_versions where kind = @kind and record is not null and id is not @than
      and coalesce(json_extract(record, '$.session_id'), @session_id) = @session_id
      and (@than is null or json_extract(record, '$.created_at') >= coalesce(
        (select json_extract(record, '$.created_at') from common_versions where kind = @kind and id = @than), ''))`)
  return {
    /** `gone`: the record was deleted at the service. A later version doesn't bring it back. */
    of(kind: MergedKind, id: string): CommonVersion | 'gone' | null {
      if (!isRemote()) return null
      const row = find.get(kind, id) as { version: number; record: string | null } | undefined
      if (row === undefined) return null
      return row.record === null ? 'gone' : { version: row.version, record: JSON.parse(row.record) as Fields }
    },
    keep(kind: MergedKind, id: string, { version, record }: CommonVersion): void {
      if (isRemote()) keep.run(kind, id, version, JSON.stringify(record))
    },
    gone: (kind: MergedKind, id: string): void => void keep.run(kind, id, 0, null),
    forget: (kind: 'transcript' | 'note', session_id: string, than: string | null): void =>
      void forget.run({ kind, session_id, than }),
  }
}

export const forgetCommon = (db: Sqlite): void => void db.exec('delete from common_versions')

export type MergedKind = 'client' | 'session' | 'consent' | 'transcript' | 'note' | 'template'

export type IncomingRecord =
  | { readonly kind: 'client'; readonly record: Client }
  | { readonly kind: 'session'; readonly record: Session }
  | { readonly kind: 'consent'; readonly record: Consent }
  | { readonly kind: 'transcript'; readonly record: Transcript }
  | { readonly kind: 'note'; readonly record: Note }
  | { readonly kind: 'template'; readonly record: OwnTemplate }
  | { readonly kind: MergedKind; readonly gone: string }

export interface Incoming {
  take(incoming: IncomingRecord): void
}
