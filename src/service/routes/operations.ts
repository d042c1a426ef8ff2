import type { Operation } from '#contract/model/operation.ts'
import { operationOf } from '../store/any-record.ts'
import { operationFor, resultSeen } from '#service/access/replays.ts'
import { type Call, foundReply, type HandlersOf } from '#service/access/call.ts'
import type { Services } from './services.ts'
import { dropContent } from '../store/uploads.ts'
import { endOperation, getOperation, isOver, type OperationRow } from '../store/operations.ts'
import type { Database } from '../store/tables.ts'
import { timestamp } from '#base/clock.ts'
import { routes } from '#contract/rest/routes.ts'
import { followChanges, followOperation, feedPage } from '../events/follow.ts'
import { streamPlaces } from '../events/stream-caller.ts'
import { checkAnswer } from '#service/kernel/answer-check.ts'
import { lastChange } from '../store/changes.ts'
import { inPractice } from '../store/in-practice.ts'

export function operationHandlers({ jobs, consentPolicy }: Services): HandlersOf<'getOperation' | 'cancelOperation'> {
  return {
    getOperation: (call) => async (db) => foundReply(await shown(db, call, await operationFor(db, call))),
    cancelOperation: (call) => async (db) => {
      const { practice, params, now } = call
      const row = await operationFor(db, call)
      const isEnding = !isOver(row.status)
      if (isEnding) {
        await endOperation(db, row, { status: 'cancelled' }, now)
        const held = row.payload === null ? null : (JSON.parse(row.payload) as { upload_id?: string })
        if (held?.upload_id !== undefined) await dropContent(db, held.upload_id)
      }
      const data = await shown(db, call, await getOperation(db, practice, params.id))
      return { status: 200, data, touched: [params.id], ...(isEnding && { afterCommit: () => jobs.abort(params.id) }) }
    },
  }

  async function shown(db: Database, call: Pick<Call, 'practice' | 'scope'>, row: OperationRow): Promise<Operation> {
    const operation = await operationOf(db, row)
    return { ...operation, result: await resultSeen(db, call, consentPolicy, row, operation.result) }
  }
}

export function eventHandlers(services: Services): HandlersOf<'followOperation' | 'listChanges'> {
  const { db, clock } = services
  const following = { ...services, take: streamPlaces() }
  return {
    followOperation: (call, connection) => followOperation(following, call, connection),
    listChanges: async (call, connection) => {
      if (connection.request.headers.get('accept')?.includes('text/event-stream'))
        return followChanges(following, call, connection)
      const { practice, query } = call
      const data = await inPractice(db, practice, async (write) => {
        const after = query.since === undefined ? await lastChange(write, practice) : Number(query.since)
        const { changes, last, more } = await feedPage(write, call, after, query.limit, timestamp(clock))
        await connection.record(write, 200, [...new Set(changes.map(({ id }) => id))])
        return { data: changes, next_cursor: String(last), more }
      })
      return Response.json(checkAnswer('listChanges', routes.listChanges, 200, data, services))
    },
  }
}
