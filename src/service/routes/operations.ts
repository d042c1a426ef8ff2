import { operationOf } from '../answer.ts'
import type { HandlersOf, Services } from '../handler.ts'
import { dropContent } from '../store/uploads.ts'
import { endOperation, getOperation, isOver } from '../store/operations.ts'

export function operationHandlers({ jobs }: Services): HandlersOf<'getOperation' | 'cancelOperation'> {
  return {
    getOperation:
      ({ practice, params }) =>
      async (db) => ({
        status: 200,
        data: await operationOf(db, await getOperation(db, practice, params.id)),
        touched: [params.id],
      }),
    /** What is over stays as it ended. */
    cancelOperation:
      ({ practice, params, now }) =>
      async (db) => {
        const row = await getOperation(db, practice, params.id)
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
