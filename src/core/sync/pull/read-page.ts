import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { AppError, type ErrorCode, errorKinds } from '#contract/errors.ts'
import { idSchema } from '#contract/model/common.ts'
import type { OperationId } from '#contract/rest/routes.ts'
import { jsonOf } from '#client/answer.ts'
import type { ServiceClient } from '#client/client.ts'
import { failedWith } from '#core/outbox/sending.ts'
import { type PulledKind, recordKinds } from '#core/sync/record-kinds.ts'
import type { Arrival, Intake } from './intake.ts'
import type { PullState, Walk } from './pull-state.ts'

interface ListPage {
  readonly arrivals: readonly Arrival[]
  readonly next: string | null
  readonly newest: string | null
}

export interface ListQuery {
  readonly cursor?: string
  readonly updated_since?: string
  readonly client_id?: string
}

/** Records are parsed one by one later, so an invalid one doesn't affect the others. */
const pageSchema = z.object({
  data: z.array(z.unknown()),
  next_cursor: z.string().nullish(),
  deleted: z
    .array(
      z
        .object({ id: idSchema, updated_at: z.string().optional(), version: z.int().min(1).catch(1) })
        .nullable()
        .catch(null),
    )
    .optional(),
})
const changedSchema = z.object({ updated_at: z.iso.datetime() })

export async function readPage(
  client: ServiceClient,
  kind: PulledKind,
  query: ListQuery,
  signal: AbortSignal,
): Promise<ListPage> {
  const { list, page: limit } = recordKinds[kind]
  const response = await client.ask(list as 'listSessions', { query: { ...query, limit }, signal })
  const page = pageSchema.safeParse(await jsonOf(response, signal))
  if (!page.success) throw new AppError('service-unreachable', 'The service answers something that is not in its contract.')
  const { data, deleted = [], next_cursor = null } = page.data
  const tombstones = deleted.filter((tombstone) => tombstone !== null)
  const times = [...data, ...tombstones].flatMap((item) => changedSchema.safeParse(item).data?.updated_at ?? [])
  return {
    arrivals: [...data.map((raw) => ({ kind, raw })), ...tombstones.map(({ id, version }) => ({ kind, gone: id, version }))],
    // A service that returns the same cursor again must not cause an endless walk.
    next: next_cursor === query.cursor ? null : next_cursor,
    newest: times.toSorted().at(-1) ?? null,
  }
}

export async function readOne(client: ServiceClient, operation: OperationId, id: string, signal: AbortSignal): Promise<unknown> {
  return jsonOf(await client.ask(operation as 'getClient', { params: { id }, signal }), signal)
}

interface Parts {
  readonly state: PullState
  readonly intake: Intake
  readonly client: ServiceClient
  readonly signal: AbortSignal
}

const notOffered = ['not-offered', 'forbidden', 'purpose-missing', 'not-found', 'method-not-allowed'] as const

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

const ofAll: ReadonlySet<ErrorCode> = new Set(['unauthenticated', 'cursor-expired'])

/** True if only this request failed: it was rejected, or hit a bug of the service. Others may succeed. */
export function isRefusedAlone(error: unknown): error is AppError {
  return error instanceof AppError && !errorKinds[error.code].retryable && !ofAll.has(error.code)
}
