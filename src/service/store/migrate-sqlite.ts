import type { Migration, Named } from '#base/migrate.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { AuditKeys, Head } from './audit-keys.ts'
import { headAtMigration } from './audit-keys.ts'
import type { StoreMigration } from './migrations/migration.ts'
import { sqliteFlavour } from './migrations/migration.ts'

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
