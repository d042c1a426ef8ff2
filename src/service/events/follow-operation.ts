import { timestamp } from '#base/clock.ts'
import type { OperationState } from '#contract/model/change.ts'
import { routes } from '#contract/rest/routes.ts'
import { requireCurrent, StaleAuthority } from '../authority/current.ts'
import { scopeFor } from '../authority/facts.ts'
import { operationFor } from '../authority/reach-operation.ts'
import type { Call, Connection, Services } from '../handler.ts'
import { inPractice } from '../store/in-practice.ts'
import type { OperationRow } from '../store/operations.ts'
import { isOver } from '../store/operations.ts'
import type { ServerEvent } from './event-stream.ts'
import { eventStream } from './event-stream.ts'
import { pacer } from './pace.ts'
import type { TakePlace } from './places.ts'

type Following = Pick<Services, 'db' | 'clock' | 'closing'> & { readonly take: TakePlace }

/** The state itself, so that whoever comes back is told only what is new since. */
const stateOf = ({ status, progress }: OperationRow): string => `${status}-${progress}`

/** `progress` events until the one called `end`. Whoever comes back having read that is told to stay away (204). */
export async function followOperation(
  { db, clock, closing, take }: Following,
  call: Call<'followOperation'>,
  { request, recheck }: Connection,
): Promise<Response> {
  let asked = call
  const look = (): Promise<OperationRow> =>
    inPractice(db, call.practice, async (read) => {
      await requireCurrent(read, asked.caller)
      return operationFor(read, asked)
    })
  /** As they may now, where what callers may has changed since. */
  const lookAsNow = async (): Promise<OperationRow> => {
    try {
      return await look()
    } catch (error) {
      if (!(error instanceof StaleAuthority)) throw error
      const caller = await recheck()
      const scope = await scopeFor(db, caller, routes.followOperation, call.purpose, timestamp(clock))
      asked = { ...call, caller, scope }
      return look()
    }
  }
  const last = request.headers.get('last-event-id')
  const found = await look()
  if (isOver(found.status) && last === stateOf(found)) return new Response(null, { status: 204 })
  return eventStream({ closing, over: take(call.caller) }, async function* states(signal): AsyncGenerator<ServerEvent> {
    yield { retry: 1000 }
    const wait = pacer(signal)
    let shown = last
    for (let row = found; ; row = await lookAsNow()) {
      const state = stateOf(row)
      if (state !== shown) yield { event: isOver(row.status) ? 'end' : 'progress', id: state, data: shownOf(row) }
      shown = state
      if (isOver(row.status)) return
      if (!(await wait())) continue
      await recheck()
      yield { comment: 'still here' }
    }
  })
}

function shownOf({ id, kind, status, progress, created_at, updated_at }: OperationRow): OperationState {
  return { id, kind, status, progress, created_at, updated_at }
}
