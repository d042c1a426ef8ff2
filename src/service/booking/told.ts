import type { ScheduleConflict, ScheduleProposal } from '#contract/model/schedule.ts'
import type { Assessed } from '../schedule/assess.ts'
import { messageOf } from '../schedule/found.ts'
import { isTooMuch, propose } from '../schedule/propose.ts'
import { inSteps } from '../schedule/steps.ts'
import { writeWall } from '../schedule/wall.ts'
import type { Question } from './ask.ts'
import type { Told } from './offers.ts'
import { toldOf } from './offers.ts'

/** What speaks against a time, in the contract's words, with the offers that are free of it. */
export function conflictsTold(
  { conflicts }: Pick<Assessed, 'conflicts'>,
  told: readonly Told[],
  proposals: readonly ScheduleProposal[],
): ScheduleConflict[] {
  const lines = conflicts.map(({ slot, found }) => ({
    kind: found.kind,
    severity: found.severity,
    occurrence: writeWall(slot.wall),
    with: found.with,
    message: messageOf(found),
    fix_ids: told.flatMap(({ kinds }, index) => (kinds.has(found.kind) ? [] : [proposals[index]!.id])),
  }))
  // One appointment may be in the way of several clients at once: it is told once.
  return [...new Map(lines.map((line) => [JSON.stringify(line), line])).values()]
}

/** The best times for a question; none where looking for them would take too long. */
export async function offersFor({ search, index, said }: Question, most: number): Promise<Told[]> {
  if (isTooMuch(search)) return []
  return (await inSteps(propose(search, most))).map((scored) => toldOf(search, index, scored, said))
}
