import { z } from 'zod'
import { AppError } from '#contract/errors.ts'
import { idSchema } from '#contract/model/common.ts'
import type { OperationId } from '#contract/rest/routes.ts'
import { jsonOf } from '#client/answer.ts'
import type { ServiceClient } from '#client/client.ts'
import type { Arrival } from './intake.ts'
import { recordKinds, type PulledKind } from '#core/sync/record-kinds.ts'

export interface ListPage {
  readonly arrivals: readonly Arrival[]
  readonly next: string | null
  /** The latest change on the page, by the service's clock. */
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

/** @throws AppError as the client's `call` does */
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

/** Null if the response is not JSON. Throws what the client's `call` throws. */
export async function readOne(client: ServiceClient, operation: OperationId, id: string, signal: AbortSignal): Promise<unknown> {
  return jsonOf(await client.ask(operation as 'getClient', { params: { id }, signal }), signal)
}
