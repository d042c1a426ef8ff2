import { timestamp } from '#base/clock.ts'
import type { Caller } from '../caller.ts'
import type { Call, Connection, Services } from '../handler.ts'
import { lastChange } from '../store/changes.ts'
import { inPractice } from '../store/in-practice.ts'
import type { Write } from '../store/tables.ts'
import type { ServerEvent } from './event-stream.ts'
import { eventStream } from './event-stream.ts'
import type { FeedPage } from './feed.ts'
import { feedPage } from './feed.ts'
import { pacer } from './pace.ts'
import type { TakePlace } from './places.ts'

type Following = Pick<Services, 'db' | 'clock' | 'closing'> & { readonly take: TakePlace }
const atOnce = 200

/** Changes as they come, each with its cursor as the event's id; `here` says where the feed stands at the beginning. */
export async function followChanges(
  { db, clock, closing, take }: Following,
  call: Call<'listChanges'>,
  { request, recheck, record }: Connection,
): Promise<Response> {
  const inStore = <Result>(ask: (write: Write) => Promise<Result>): Promise<Result> => inPractice(db, call.practice, ask)
  const lastOne = (): Promise<number> => inStore((read) => lastChange(read, call.practice))
  /** As whoever reads it is let in, and reaches, at this moment. What is told is on record before it leaves. */
  const page = (caller: Caller, after: number): Promise<FeedPage> =>
    inStore(async (write) => {
      const found = await feedPage(write, { ...call, caller }, after, atOnce, timestamp(clock))
      if (found.changes.length > 0) await record(write, 200, [...new Set(found.changes.map(({ id }) => id))])
      return found
    })
  const given = request.headers.get('last-event-id') ?? call.query.since
  const known = given !== undefined && /^\d{1,15}$/.test(given) ? Number(given) : null
  const begin = known ?? (await lastOne())
  const over = take(call.caller)
  // Too old a cursor is said before anything is streamed.
  let next = await page(call.caller, begin).catch((error: unknown) => {
    over()
    throw error
  })
  return eventStream({ closing, over }, async function* changes(signal): AsyncGenerator<ServerEvent> {
    yield { retry: 2000, event: 'here', id: String(begin), data: { cursor: String(begin) } }
    const wait = pacer(signal)
    for (;;) {
      for (const change of next.changes) yield { event: 'change', id: change.cursor, data: change }
      if (!next.more && (await wait())) {
        await recheck()
        yield { comment: 'still here' }
      }
      const isNew = next.more || (await lastOne()) > next.last
      next = isNew ? await page(await recheck(), next.last) : { ...next, changes: [] }
    }
  })
}
