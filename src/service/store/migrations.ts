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

/** In the order of their numbers. */
export const migrations: readonly StoreMigration[] = [
  practice,
  voices,
  models,
  analyses,
  templates,
  staff,
  keys,
  schedule,
  coverage,
  kept,
  uploadsAndChanges,
  oneBooking,
  renewingKeys,
  authority,
  bookingLooksBackADay,
  dueOverAllPractices,
  auditHeads,
  whatStreamsWaitFor,
  practicesThatMove,
  reassignments,
  operationTexts,
]
