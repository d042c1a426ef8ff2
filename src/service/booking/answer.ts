import { invalidField } from '#service/kernel/problem.ts'
import type { Clock } from '#base/clock.ts'
import type { ScheduleAnswer, ScheduleConflict, ScheduleProposal } from '#contract/model/schedule.ts'
import type { Call } from '#service/access/call.ts'
import { assess, type Assessed } from '../schedule/score.ts'
import { infeasibleCore, isTooMuch, propose, inSteps } from '../schedule/propose.ts'
import { isHard, messageOf } from '../schedule/conflicts.ts'
import { resolve } from '../schedule/resolve.ts'
import type { Write } from '../store/tables.ts'
import { type Question, slotsAt } from './ask.ts'
import { keepOffers, type Told, toldOf, toldOfMoves } from './offers.ts'
import { writeWall } from '../schedule/wall.ts'

export interface Finding {
  readonly status: ScheduleAnswer['status']
  readonly assessed: Pick<Assessed, 'conflicts'>
  readonly told: readonly Told[]
  readonly core: readonly string[]
}

const noConflicts = { conflicts: [] }

export async function check(question: Question): Promise<Finding> {
  const assessed = assessAt(question)
  const { blocked, slots } = assessed
  const told = blocked.size === 0 ? [] : await offersFor(question, 3)
  const status = blocked.size === 0 ? 'ok' : blocked.size === slots.length ? 'conflict' : 'partial'
  return { status, assessed, told, core: [] }
}

function requireLittle({ search }: Question): void {
  if (isTooMuch(search)) throw invalidField('/window', 'too much to look through at once: fewer days, clinicians or sessions')
}

export async function offer(question: Question): Promise<Finding> {
  requireLittle(question)
  const told = await offersFor(question, 6)
  const first = told[0]
  const isAtStart = first !== undefined && first.slots[0]?.start === question.asked.start
  const assessed = question.asked.start === null || isAtStart ? noConflicts : assessStart(question)
  if (first === undefined) return { status: 'infeasible', assessed, told, core: await inSteps(infeasibleCore(question.search)) }
  const offered = first.kinds.has('series_partial') ? 'partial' : 'ok'
  return { status: assessed.conflicts.length > 0 ? 'conflict' : offered, assessed, told, core: [] }
}

function assessStart(question: Question): Assessed {
  const bare = assessAt(question)
  const [room = null] = question.search.rooms
  if (bare.blocked.size > 0 || room === null) return bare
  const { clinician } = bare.place
  return assess(question.search.world, question.index, question.search.wanted, { clinician, room }, bare.slots)
}

export async function makeRoom(question: Question, maxMoves: number): Promise<Finding> {
  const { search, asked } = question
  if (asked.rule !== null) throw invalidField('/request/rrule', 'room is made for one appointment, not for a series')
  requireLittle(question)
  const clinician = search.clinicians[0]!
  const target = asked.start === null ? null : { clinician, slot: slotsAt(question, clinician)[0]! }
  const assessed =
    target === null
      ? noConflicts
      : assess(search.world, question.index, search.wanted, { clinician, room: question.room }, [target.slot])
  const told = resolve(search, target, maxMoves).map((one) => toldOfMoves(one, question.said))
  if (told.length > 0) return { status: 'ok', assessed, told, core: [] }
  const hard = assessed.conflicts.filter(({ found }) => isHard(found)).map(({ found }) => found.by)
  const core = target === null ? await inSteps(infeasibleCore(search)) : hard.slice(0, 1)
  return { status: 'infeasible', assessed, told, core }
}

export function assessAt(question: Question): Assessed {
  const { search, index, room } = question
  const clinician = search.clinicians[0]!
  return assess(search.world, index, search.wanted, { clinician, room }, slotsAt(question, clinician))
}

export async function tell(db: Write, call: Call<'schedule'>, clock: Clock, question: Question, finding: Finding) {
  const { zones } = question.search.world
  const proposals = await keepOffers(db, call, clock, zones, question.body, finding.told)
  const data: ScheduleAnswer = {
    status: finding.status,
    conflicts: conflictsTold(finding.assessed, finding.told, proposals),
    proposals,
    infeasible_core: [...finding.core],
    not_understood: [...(question.asked.text?.notUnderstood ?? [])],
    appointment: null,
  }
  return { status: 200, data, touched: question.clients.map(({ id }) => id) }
}

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
  return [...new Map(lines.map((line) => [JSON.stringify(line), line])).values()]
}

export async function offersFor({ search, index, said }: Question, most: number): Promise<Told[]> {
  if (isTooMuch(search)) return []
  return (await inSteps(propose(search, most))).map((scored) => toldOf(search, index, scored, said))
}
