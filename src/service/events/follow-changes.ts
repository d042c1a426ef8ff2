import { timestamp } from '#base/clock.ts'
import type { Call, Connection, Services } from '../handler.ts'
import { lastChange } from '../store/changes.ts'
import { inPractice } from '../store/in-practice.ts'
import type { ServerEvent } from './event-stream.ts'
import { eventStream } from './event-stream.ts'
import type { FeedPage } from './feed.ts'
import { feedPage } from './feed.ts'
import { pacer } from './pace.ts'

type Following = Pick<Services, 'db' | 'clock' | 'closing'>
const atOnce = 200

/** Changes as they come, each with its cursor as the event's id; `here` says where the feed stands at the beginning. */
export async function followChanges(
  { db, clock, closing }: Following,
  call: Call<'listChanges'>,
  { request, recheck }: Connection,
): Promise<Response> {
  const page = (after: number): Promise<FeedPage> =>
    inPractice(db, call.practice, (read) => feedPage(read, call, after, atOnce, timestamp(clock)))
  const given = request.headers.get('last-event-id') ?? call.query.since
  const known = given !== undefined && /^\d{1,15}$/.test(given) ? Number(given) : null
  const begin = known ?? (await inPractice(db, call.practice, (read) => lastChange(read, call.practice)))
  // Too old a cursor is said before anything is streamed.
  const first = await page(begin)
  return eventStream(closing, async function* changes(signal): AsyncGenerator<ServerEvent> {
    yield { retry: 2000, event: 'here', id: String(begin), data: { cursor: String(begin) } }
    const wait = pacer(signal)
    for (let next = first; ; next = await page(next.last)) {
      if (next.changes.length > 0) await recheck()
      for (const change of next.changes) yield { event: 'change', id: change.cursor, data: change }
      if (next.more || !(await wait())) continue
      await recheck()
      yield { comment: 'still here' }
    }
  })
}
