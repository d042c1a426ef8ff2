import type { Migration } from '#base/migrate.ts'
import { records } from './migrations/0001-records.ts'
import { recordings } from './migrations/0002-recordings.ts'
import { speakerFacts } from './migrations/0003-speaker-facts.ts'
import { insights } from './migrations/0004-insights.ts'
import { templates } from './migrations/0005-templates.ts'
import { clientContext } from './migrations/0006-client-context.ts'
import { keptAnswers } from './migrations/0007-kept-answers.ts'
import { outboxTurns } from './migrations/0008-outbox-turns.ts'
import { pull } from './migrations/0009-pull.ts'
import { merge } from './migrations/0010-merge.ts'
import { moving } from './migrations/0012-moving.ts'
import { keptHere } from './migrations/0013-kept-here.ts'
import { sentToday } from './migrations/0014-sent-today.ts'
import { redactedNotes } from './migrations/0015-redacted-notes.ts'
import { agreedSessions } from './migrations/0016-agreed-sessions.ts'
import { recoveryReports } from './migrations/0017-recovery-reports.ts'
import { checkedRecordings } from './migrations/0018-checked-recordings.ts'

/** Every step of vault.db, oldest first. */
export const migrations: readonly Migration[] = [
  records,
  recordings,
  speakerFacts,
  insights,
  templates,
  clientContext,
  keptAnswers,
  outboxTurns,
  pull,
  merge,
  moving,
  keptHere,
  sentToday,
  redactedNotes,
  agreedSessions,
  recoveryReports,
  checkedRecordings,
]
