import { type Migration, type Named, named } from '#base/migrate.ts'
import { records } from './migrations/0001-records.ts'
import { recordings } from './migrations/0002-recordings.ts'
import { speakerFacts, insights, templates, clientContext, keptAnswers, outboxTurns } from './migrations/0003-to-0008.ts'
import { pull } from './migrations/0009-pull.ts'
import { merge } from './migrations/0010-merge.ts'
import { moving } from './migrations/0012-moving.ts'
import {
  localOnly,
  sentToday,
  redactedNotes,
  agreedSessions,
  recoveryReports,
  checkedRecordings,
} from './migrations/0013-to-0018.ts'
import { answered, deletionReceipts, wrappedKeys, inventory, lostRecords } from './migrations/0019-to-0027.ts'
import { dictations } from './migrations/0028-dictations.ts'
import { noteVersions } from './migrations/0029-note-versions.ts'
import { noteWords } from './migrations/0025-note-words.ts'

const steps = {
  '0001-records': records,
  '0002-recordings': recordings,
  '0003-speaker-facts': speakerFacts,
  '0004-insights': insights,
  '0005-templates': templates,
  '0006-client-context': clientContext,
  '0007-kept-answers': keptAnswers,
  '0008-outbox-turns': outboxTurns,
  '0009-pull': pull,
  '0010-merge': merge,
  '0012-moving': moving,
  '0013-kept-here': localOnly,
  '0014-sent-today': sentToday,
  '0015-redacted-notes': redactedNotes,
}

/** Older releases that lack these migrations can still open the database. */
const additions = {
  '0016-agreed-sessions': agreedSessions,
  '0017-recovery-reports': recoveryReports,
  '0018-checked-recordings': checkedRecordings,
  '0019-answered': answered,
  '0020-wrapped-keys': wrappedKeys,
  '0021-inventory': inventory,
  '0022-lost-records': lostRecords,
  '0023-cancellations': 'alter table sessions add column cancellation text',
  '0024-drafted-from': 'alter table notes add column drafted_from text',
  '0025-note-words': noteWords,
  '0026-claim-details': 'alter table sessions add column billing text; alter table clients add column record_number text',
  '0027-deletion-receipts': deletionReceipts,
  '0028-dictations': dictations,
  '0029-note-versions': noteVersions,
}

const stepsOf = (sqlByName: Readonly<Record<string, string>>, minSafeVersion?: number): Record<string, Migration> =>
  Object.fromEntries(
    Object.entries(sqlByName).map(([name, sql]) => {
      const version = Number.parseInt(name, 10)
      return [name, { version, minSafeVersion: minSafeVersion ?? version, up: (database) => database.exec(sql) }]
    }),
  )

export const migrations: readonly Named<Migration>[] = named({ ...stepsOf(steps), ...stepsOf(additions, 0) })
