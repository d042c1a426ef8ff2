import { type Named, named, type Migration } from '#base/migrate.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { practice } from './migrations/0001-practice.ts'
import { voices } from './migrations/0002-voices.ts'
import { models } from './migrations/0003-models.ts'
import { analyses } from './migrations/0004-analyses.ts'
import { templates } from './migrations/0005-templates.ts'
import { staff } from './migrations/0006-staff.ts'
import { keys } from './migrations/0007-keys.ts'
import { schedule } from './migrations/0008-schedule.ts'
import { coverage } from './migrations/0009-coverage.ts'
import { kept } from './migrations/0010-kept.ts'
import { oneBooking } from './migrations/0012-one-booking.ts'
import { uploadsAndChanges } from './migrations/0011-uploads-and-changes.ts'
import { renewingKeys } from './migrations/0013-renewing-keys.ts'
import { authority } from './migrations/0014-authority.ts'
import { bookingLooksBackADay } from './migrations/0015-booking-looks-back-a-day.ts'
import { dueOverAllPractices } from './migrations/0016-due-over-all-practices.ts'
import { auditHeads } from './migrations/0017-audit-heads.ts'
import { whatStreamsWaitFor } from './migrations/0018-what-streams-wait-for.ts'
import { practicesThatMove } from './migrations/0019-practices-that-move.ts'
import { reassignments } from './migrations/0020-reassignments.ts'
import { operationTexts } from './migrations/0021-operation-texts.ts'
import type { StoreMigration } from './migrations/migration.ts'
import type { AuditKeys, Head } from './audit-keys.ts'
import { headAtMigration } from './audit-keys.ts'
import { sqliteFlavour } from './migrations/migration.ts'

/** Keys are the recorded names, oldest first. Append new migrations at the end. */
export const migrations: readonly Named<StoreMigration>[] = named({
  '0001-practice': practice,
  '0002-voices': voices,
  '0003-models': models,
  '0004-analyses': analyses,
  '0005-templates': templates,
  '0006-staff': staff,
  '0007-keys': keys,
  '0008-schedule': schedule,
  '0009-coverage': coverage,
  '0010-kept': kept,
  '0011-uploads-and-changes': uploadsAndChanges,
  '0012-one-booking': oneBooking,
  '0013-renewing-keys': renewingKeys,
  '0014-authority': authority,
  '0015-booking-looks-back-a-day': bookingLooksBackADay,
  '0016-due-over-all-practices': dueOverAllPractices,
  '0017-audit-heads': auditHeads,
  '0018-what-streams-wait-for': whatStreamsWaitFor,
  '0019-practices-that-move': practicesThatMove,
  '0020-reassignments': reassignments,
  '0021-operation-texts': operationTexts,
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
