import type { OperationState } from '#contract/model/change.ts'
import { operationFor } from '../authority/reach-operation.ts'
import type { Call, Connection, Services } from '../handler.ts'
import { inPractice } from '../store/in-practice.ts'
import type { OperationRow } from '../store/operations.ts'
import { isOver } from '../store/operations.ts'
import type { ServerEvent } from './event-stream.ts'
import { eventStream } from './event-stream.ts'
import { pacer } from './pace.ts'
import type { TakePlace } from './places.ts'

type Following = Pick<Services, 'db' | 'closing'> & { readonly take: TakePlace }

/** The state itself, so that whoever comes back is told only what is new since. */
const stateOf = ({ status, progress }: OperationRow): string => `${status}-${progress}`

/** `progress` events until the one called `end`. Whoever comes back having read that is told to stay away (204). */
export async function followOperation(
  { db, closing, take }: Following,
  call: Call<'followOperation'>,
  { request, recheck }: Connection,
): Promise<Response> {
  const look = (): Promise<OperationRow> => inPractice(db, call.practice, (read) => operationFor(read, call))
  const last = request.headers.get('last-event-id')
  const found = await look()
  if (isOver(found.status) && last === stateOf(found)) return new Response(null, { status: 204 })
  return eventStream({ closing, over: take(call.caller) }, async function* states(signal): AsyncGenerator<ServerEvent> {
    yield { retry: 1000 }
    const wait = pacer(signal)
    let shown = last
    for (let row = found; ; row = await look()) {
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
