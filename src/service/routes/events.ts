import { timestamp } from '#base/clock.ts'
import { routes } from '#contract/rest/routes.ts'
import { feedPage } from '../events/feed.ts'
import { followChanges } from '../events/follow-changes.ts'
import { followOperation } from '../events/follow-operation.ts'
import { streamPlaces } from '../events/places.ts'
import { checkAnswer } from '#service/kernel/answer-check.ts'
import type { HandlersOf } from '#service/access/call.ts'
import type { Services } from './services.ts'
import { lastChange } from '../store/changes.ts'
import { inPractice } from '../store/in-practice.ts'

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
