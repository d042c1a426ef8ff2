import { setImmediate } from 'node:timers/promises'
import type { AppError } from '#contract/errors.ts'
import type { ServiceClient } from '#client/client.ts'
import { failedWith } from '#core/outbox/sending.ts'
import type { Intake } from './intake.ts'
import type { PullState, Walk } from './pull-state.ts'
import { type ListPage, type ListQuery, readPage } from './read-page.ts'
import { isRefusedAlone } from './refused-alone.ts'

interface Parts {
  readonly state: PullState
  readonly intake: Intake
  readonly client: ServiceClient
  readonly signal: AbortSignal
}

/** A role may not read a kind, or the service does not have the list. */
const notOffered = ['not-offered', 'forbidden', 'purpose-missing', 'not-found', 'method-not-allowed'] as const

/**
 * All lists that are being walked, parents first, from the page where the last time ended. What keeps one of them from
 * coming keeps no other; it is returned.
 */
export async function walkLists(parts: Parts, isComplete: boolean): Promise<AppError | null> {
  let left: AppError | null = null
  for (const walk of parts.state.walks()) {
    if (walk.state !== 'walking') continue
    try {
      await walkOne(parts, walk, isComplete)
    } catch (error) {
      if (failedWith(error, ...notOffered)) parts.state.refuse(walk.kind)
      // Its cursor is of another service, or of another version of it.
      else if (walk.cursor !== null && failedWith(error, 'validation-failed')) parts.state.beginWalk(walk.kind, walk.since)
      // Or its calls count, and the day's are used up.
      else if (isRefusedAlone(error) || failedWith(error, 'quota-exceeded')) left = error
      else throw error
    }
    parts.intake.tell()
  }
  return left
}

/** @param isComplete the list takes `updated_since`, and so comes in the order of change and with what was erased */
async function walkOne({ state, intake, client, signal }: Parts, walk: Walk, isComplete: boolean): Promise<void> {
  const query = isComplete ? { updated_since: walk.since } : {}
  const first = walk.cursor === null ? query : { ...query, cursor: walk.cursor }
  for await (const { arrivals, next, newest } of pagesOf(first, (asked) => readPage(client, walk.kind, asked, signal)))
    intake.take(arrivals, () => state.walked(walk.kind, next, newest))
}

/** Each page is asked for while the one before is taken. What a window or a recording asks of the core comes in between. */
async function* pagesOf(first: ListQuery, read: (query: ListQuery) => Promise<ListPage>): AsyncGenerator<ListPage> {
  let coming: Promise<ListPage> | null = read(first)
  while (coming !== null) {
    const page: ListPage = await coming
    coming = page.next === null ? null : read({ ...first, cursor: page.next })
    // Heard of at the next turn, or by nobody where taking this page failed.
    coming?.catch(() => {})
    yield page
    await setImmediate()
  }
}
