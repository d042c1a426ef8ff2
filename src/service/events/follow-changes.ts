import { timestamp } from '#base/clock.ts'
import { routes } from '#contract/rest/routes.ts'
import type { Call, Connection } from '#service/access/call.ts'
import { changesAfter, lastChange } from '../store/changes.ts'
import { inPractice, lookInPractice } from '../store/in-practice.ts'
import type { ServerEvent } from './event-stream.ts'
import { eventStream } from './event-stream.ts'
import type { FeedPage } from './feed.ts'
import { feedPage } from './feed.ts'
import type { Following } from './stream-caller.ts'
import { streamCaller } from './stream-caller.ts'

const atOnce = 200

/** Changes as they come, each with its cursor as the event's id; `here` says where the feed stands at the beginning. */
export async function followChanges(
  { db, clock, closing, watch, take }: Following,
  call: Call<'listChanges'>,
  { request, recheck, record }: Connection,
): Promise<Response> {
  const { practice } = call
  const caller = streamCaller(call, { db, clock, route: routes.listChanges, recheck })
  /** Read beside the practice's lock. @throws AppError `cursor-expired` */
  const isNewAfter = (after: number): Promise<boolean> =>
    lookInPractice(db, practice, async (read) => (await changesAfter(read, practice, after, 1)).length > 0)
  /** As whoever reads it is let in, and reaches, at this moment. What is told is on record before it leaves. */
  const page = (after: number): Promise<FeedPage> =>
    caller.asOfNow((asked) =>
      inPractice(db, practice, async (write) => {
        const found = await feedPage(write, asked, after, atOnce, timestamp(clock))
        if (found.changes.length > 0) await record(write, 200, [...new Set(found.changes.map(({ id }) => id))])
        return found
      }),
    )
  const nothing = (last: number): FeedPage => ({ changes: [], last, more: false })
  const pageIfNew = async (after: number): Promise<FeedPage> => ((await isNewAfter(after)) ? await page(after) : nothing(after))
  const given = request.headers.get('last-event-id') ?? call.query.since
  const known = given !== undefined && /^\d{1,15}$/.test(given) ? Number(given) : null
  const begin = known ?? (await lookInPractice(db, practice, (read) => lastChange(read, practice)))
  const over = take(call.caller)
  // Too old a cursor is said before anything is streamed.
  let next = await (known === null ? Promise.resolve(nothing(begin)) : pageIfNew(begin)).catch((error: unknown) => {
    over()
    throw error
  })
  const follower = watch.follow(practice)
  const end = (): void => {
    follower.end()
    over()
  }
  return eventStream({ closing, over: end }, async function* changes(signal): AsyncGenerator<ServerEvent> {
    yield { retry: 2000, event: 'here', id: String(begin), data: { cursor: String(begin) } }
    for (;;) {
      for (const change of next.changes) yield { event: 'change', id: change.cursor, data: change }
      const { last, more } = next
      if (more || (await follower.until(({ last_change }) => last_change > last, signal))) {
        await caller.renew()
        next = await page(last)
      } else {
        await caller.renewIfChanged(follower)
        next = nothing(last)
        yield { comment: 'still here' }
      }
    }
  })
}
