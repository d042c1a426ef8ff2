import { AppError } from '#contract/errors.ts'
import type { ScheduleConflict, ScheduleProposal } from '#contract/model/schedule.ts'

/** 409 with what is in the way and with times that can be had instead. */
export class SlotLost extends AppError {
  readonly conflicts: readonly ScheduleConflict[]
  readonly proposals: readonly ScheduleProposal[]

  constructor(detail: string, conflicts: readonly ScheduleConflict[], proposals: readonly ScheduleProposal[]) {
    super(conflicts.some(({ kind }) => kind.endsWith('_double')) ? 'double-booking' : 'conflict', detail)
    this.conflicts = conflicts
    this.proposals = proposals
  }
}
