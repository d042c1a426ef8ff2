import type { OperationState } from '#contract/model/change.ts'
import { routes } from '#contract/rest/routes.ts'
import { requireCurrent } from '#service/access/current.ts'
import { operationFor } from '#service/access/reach-operation.ts'
import type { Call, Connection } from '#service/access/call.ts'
import { lookInPractice } from '../store/in-practice.ts'
import type { OperationRow } from '../store/operations.ts'
import { getOperation, isOver } from '../store/operations.ts'
import type { ServerEvent } from './event-stream.ts'
import { eventStream } from './event-stream.ts'
import type { Following } from './stream-caller.ts'
import { streamCaller } from './stream-caller.ts'

/** The state itself, so that whoever comes back is told only what is new since. */
const stateOf = ({ status, progress }: OperationRow): string => `${status}-${progress}`

/** `progress` events until the one called `end`. Whoever comes back having read that is told to stay away (204). */
export async function followOperation(
  { db, clock, closing, watch, take }: Following,
  call: Call<'followOperation'>,
  { request, recheck }: Connection,
): Promise<Response> {
  const { practice, params } = call
  const caller = streamCaller(call, { db, clock, route: routes.followOperation, recheck })
  /** As far as the caller reaches at this moment, read beside the practice's lock. @throws AppError `not-found` */
  const look = (): Promise<OperationRow> =>
    caller.asOfNow((asked) =>
      lookInPractice(db, practice, async (read) => {
        await requireCurrent(read, asked.caller)
        return operationFor(read, asked)
      }),
    )
  const isNew = async (shown: string | null): Promise<boolean> =>
    stateOf(await lookInPractice(db, practice, (read) => getOperation(read, practice, params.id))) !== shown
  const last = request.headers.get('last-event-id')
  const over = take(call.caller)
  const follower = watch.follow(practice)
  const end = (): void => {
    follower.end()
    over()
  }
  // What is not there, or not the caller's, is said before anything is streamed.
  const found = await look().catch((error: unknown) => {
    end()
    throw error
  })
  if (isOver(found.status) && last === stateOf(found)) {
    end()
    return new Response(null, { status: 204 })
  }
  return eventStream({ closing, over: end }, async function* states(signal): AsyncGenerator<ServerEvent> {
    yield { retry: 1000 }
    let shown = last
    let seen = follower.state()?.work_steps ?? null
    for (let row = found; ;) {
      const state = stateOf(row)
      if (state !== shown) yield { event: isOver(row.status) ? 'end' : 'progress', id: state, data: shownOf(row) }
      shown = state
      if (isOver(row.status)) return
      if (await follower.until(({ work_steps }) => work_steps !== seen, signal)) {
        seen = follower.state()?.work_steps ?? null
        if (!(await isNew(shown))) continue
        // A step of this work: whoever follows it is let in again before they hear of it.
        await caller.renew()
        row = await look()
      } else {
        await caller.renewIfChanged(follower)
        yield { comment: 'still here' }
      }
    }
  })
}

function shownOf({ id, kind, status, progress, created_at, updated_at }: OperationRow): OperationState {
  return { id, kind, status, progress, created_at, updated_at }
}
