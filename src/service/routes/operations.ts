import { operationOf } from '../answer.ts'
import { operationFor } from '../authority/reach-operation.ts'
import type { HandlersOf, Services } from '../handler.ts'
import { dropContent } from '../store/uploads.ts'
import { endOperation, getOperation, isOver } from '../store/operations.ts'

export function operationHandlers({ jobs }: Services): HandlersOf<'getOperation' | 'cancelOperation'> {
  return {
    getOperation: (call) => async (db) => ({
      status: 200,
      data: await operationOf(db, await operationFor(db, call)),
      touched: [call.params.id],
    }),
    /** What is over stays as it ended. */
    cancelOperation: (call) => async (db) => {
      const { practice, params, now } = call
      const row = await operationFor(db, call)
      if (!isOver(row.status)) {
        await endOperation(db, row, { status: 'cancelled' }, now)
        const held = row.payload === null ? null : (JSON.parse(row.payload) as { upload_id?: string })
        if (held?.upload_id !== undefined) await dropContent(db, held.upload_id)
        // The worker hears of it once this is committed, or at its end finds it over: either way it leaves no trace.
        queueMicrotask(() => jobs.abort(params.id))
      }
      return { status: 200, data: await operationOf(db, await getOperation(db, practice, params.id)), touched: [params.id] }
    },
  }
}
