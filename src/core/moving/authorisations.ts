import type { ServiceClient } from '#client/client.ts'
import type { AppError } from '#contract/errors.ts'
import { type Authorisation, authorisationDraftSchema, authorisationPatchSchema } from '#contract/model/payer.ts'
import { etag, failedWith } from '#core/outbox/sending.ts'
import { differing } from './content.ts'
import type { Target } from './content.ts'

interface Uploading {
  readonly from: ServiceClient
  /** True for the embedded service, which may be absent. */
  readonly isInside: boolean
  readonly isThere: (client_id: string) => boolean
  readonly refuse: (client_id: string, code: string) => void
}

type IsStopping = (error: unknown) => boolean

/** Migrates authorizations, which only services store, under their ids. A newer version on the target stays, unless `over` is set. */
export async function uploadAuthorizations(bringing: Uploading, target: Target, isStopping: IsStopping): Promise<void> {
  const { isThere, refuse } = bringing
  const here = (await authorisationsHere(bringing, target.signal)).filter(({ client_id }) => isThere(client_id))
  if (here.length === 0) return
  const listed = await offered(() => allAuthorisations(target.client, target.signal))
  if (listed === null) return
  const there = new Map(listed.map((one) => [one.id, one]))
  for (const one of here) {
    try {
      await uploadOne(one, there.get(one.id) ?? null, target)
    } catch (error) {
      if (isStopping(error)) throw error
      refuse(one.client_id, (error as AppError).code)
    }
  }
}

async function uploadOne(here: Authorisation, there: Authorisation | null, { client, over, signal }: Target): Promise<void> {
  const { id } = here
  const draft = authorisationDraftSchema.parse(here)
  if (there === null) {
    await client.call('createAuthorisation', { body: { ...draft, id }, signal })
    return
  }
  const body = authorisationPatchSchema.parse(draft)
  const isLater = Date.parse(here.updated_at) > Date.parse(there.updated_at)
  if (differing(there, body).length === 0 || !(over || isLater)) return
  await client.call('updateAuthorisation', { params: { id }, body, ifMatch: etag(there.version), signal })
}

export async function authorisationsHere(
  { from, isInside }: Pick<Uploading, 'from' | 'isInside'>,
  signal?: AbortSignal,
): Promise<Authorisation[]> {
  try {
    return (await offered(() => allAuthorisations(from, signal))) ?? []
  } catch (error) {
    if (failedWith(error, 'forbidden') || (isInside && failedWith(error, 'service-unreachable'))) return []
    throw error
  }
}

async function offered<Found>(ask: () => Promise<Found>): Promise<Found | null> {
  try {
    return await ask()
  } catch (error) {
    if (failedWith(error, 'not-offered', 'not-found', 'method-not-allowed')) return null
    throw error
  }
}

async function allAuthorisations(client: ServiceClient, signal?: AbortSignal): Promise<Authorisation[]> {
  const found: Authorisation[] = []
  let cursor: string | null = null
  do {
    const query = { limit: 200, ...(cursor === null ? {} : { cursor }) }
    const sent = { query, ...(signal ? { signal } : {}) }
    const page: { data: Authorisation[]; next_cursor: string | null } = (await client.call('listAuthorisations', sent)).data
    found.push(...page.data)
    cursor = page.next_cursor
  } while (cursor !== null)
  return found
}
