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

/** The role may not read the list, or the service does not have it. */
const notOffered = ['not-offered', 'forbidden', 'purpose-missing', 'not-found', 'method-not-allowed'] as const

/** Continues all walks, parents first. An error in one list doesn't stop the others; the last error is returned. */
export async function walkLists(parts: Parts, isComplete: boolean): Promise<AppError | null> {
  let left: AppError | null = null
  for (const walk of parts.state.walks()) {
    if (walk.state !== 'walking') continue
    try {
      await walkOne(parts, walk, isComplete)
    } catch (error) {
      if (failedWith(error, ...notOffered)) parts.state.refuse(walk.kind)
      // The cursor is from another service or another version of it.
      else if (walk.cursor !== null && failedWith(error, 'validation-failed')) parts.state.beginWalk(walk.kind, walk.since)
      // Only this list failed, or the daily quota is used up.
      else if (isRefusedAlone(error) || failedWith(error, 'quota-exceeded')) left = error
      else throw error
    }
    parts.intake.notify()
  }
  return left
}

/** @param isComplete the list accepts `updated_since`, so it is in order of change and includes deletions */
async function walkOne({ state, intake, client, signal }: Parts, walk: Walk, isComplete: boolean): Promise<void> {
  const query = isComplete ? { updated_since: walk.since } : {}
  const first = walk.cursor === null ? query : { ...query, cursor: walk.cursor }
  for await (const { arrivals, next, newest } of pagesOf(first, (asked) => readPage(client, walk.kind, asked, signal)))
    intake.take(arrivals, () => state.walked(walk.kind, next, newest))
}

/** Requests a page while the one before is applied. Yields in between, so calls from a window or a recording get their turn. */
async function* pagesOf(first: ListQuery, read: (query: ListQuery) => Promise<ListPage>): AsyncGenerator<ListPage> {
  let coming: Promise<ListPage> | null = read(first)
  while (coming !== null) {
    const page: ListPage = await coming
    coming = page.next === null ? null : read({ ...first, cursor: page.next })
    // Awaited in the next turn. If applying this page fails, the promise is never awaited.
    coming?.catch(() => {})
    yield page
    await setImmediate()
  }
}
