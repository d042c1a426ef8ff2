import { type Named, named, type Migration } from '#base/migrate.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { migrations0001To0008 } from './migrations/0001-0008.ts'
import { migrations0009To0011 } from './migrations/0009-0011.ts'
import { migrations0012To0014 } from './migrations/0012-0014.ts'
import { migrations0015To0021 } from './migrations/0015-0021.ts'
import { sqliteFlavour, type StoreMigration } from './migrations/migration.ts'
import { type AuditKeys, type Head, headAtMigration } from './audit.ts'

/** Keys are the recorded names, oldest first. Append new migrations at the end. */
export const migrations: readonly Named<StoreMigration>[] = named({
  ...migrations0001To0008,
  ...migrations0009To0011,
  ...migrations0012To0014,
  ...migrations0015To0021,
})

export function migrationsOnSqlite(steps: readonly Named<StoreMigration>[], keys: AuditKeys): Named<Migration>[] {
  return steps.map(({ sql, sealsAuditHeads, ...step }) => ({
    ...step,
    up: (database) => {
      database.exec(sql(sqliteFlavour))
      if (sealsAuditHeads) sealAuditHeads(database, keys)
    },
  }))
}

function sealAuditHeads(database: Sqlite, keys: AuditKeys): void {
  const last = database.prepare('select seq, hash from audit_events where practice_id = ? order by seq desc limit 1')
  const insert = database.prepare('insert into audit_heads (practice_id, sealed) values (?, ?)')
  for (const { id } of database.prepare('select id from practices').all() as { id: string }[])
    insert.run(id, keys.sealHead(id, headAtMigration(last.get(id) as Pick<Head, 'seq' | 'hash'> | undefined)))
}
