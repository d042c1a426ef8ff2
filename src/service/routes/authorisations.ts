import { newId } from '#base/ids.ts'
import { AppError } from '#contract/errors.ts'
import type { Authorisation } from '#contract/model/payer.ts'
import { requireReach, rowsWithin } from '#service/access/reach.ts'
import type { HandlersOf } from '#service/access/call.ts'
import type { Services } from './services.ts'
import { completedSessions, countedOne, withVisits } from '#service/store/visits-used.ts'
import { requireVersion } from '#service/kernel/stale.ts'
import type { KeptAuthorisation } from '../store/authorisations.ts'
import { getAuthorisation, insertAuthorisation, listAuthorisations, updateAuthorisation } from '../store/authorisations.ts'
import { getClient } from '../store/clients.ts'
import { changed, newRecord } from '../store/records.ts'
import type { Write } from '../store/tables.ts'
import { named } from './clients.ts'

export function authorisationHandlers({
  clock,
}: Services): HandlersOf<'listAuthorisations' | 'getAuthorisation' | 'createAuthorisation' | 'updateAuthorisation'> {
  return {
    listAuthorisations:
      ({ practice, query, scope }) =>
      async (db) => {
        const page = await listAuthorisations(db, practice, query, rowsWithin('authorisations', scope))
        const data = await counted(db, practice, page.data)
        return { status: 200, data: { ...page, data }, touched: data.map(({ id }) => id) }
      },
    getAuthorisation: (call) => async (db) => {
      const { practice, params } = call
      await requireReach(db, call, 'authorisations', params.id)
      const data = await countedOne(db, practice, await getAuthorisation(db, practice, params.id))
      return { status: 200, data, touched: [params.id] }
    },
    createAuthorisation: (call) => async (db) => {
      const { practice, body, now, caller } = call
      await requireReach(db, call, 'clients', body.client_id)
      await getClient(db, practice, body.client_id)
      const { id = newId(clock), ...draft } = body
      const kept: KeptAuthorisation = { ...draft, ...newRecord(id, now) }
      requireDays(kept)
      await insertAuthorisation(db, practice, kept, caller.person_id)
      const data = await countedOne(db, practice, kept)
      return { status: 201, data, record: { kind: 'authorisation', id, version: 1 }, touched: [id, body.client_id] }
    },
    updateAuthorisation: (call) => async (db) => {
      const { practice, params, body, ifMatch, now } = call
      await requireReach(db, call, 'authorisations', params.id)
      const current = await getAuthorisation(db, practice, params.id)
      requireVersion(ifMatch, current)
      const kept = changed({ ...current, ...named(body) }, now)
      requireDays(kept)
      await updateAuthorisation(db, practice, kept)
      return { status: 200, data: await countedOne(db, practice, kept), touched: [params.id, kept.client_id] }
    },
  }
}

function requireDays({ starts_on, ends_on }: KeptAuthorisation): void {
  if (ends_on === null || starts_on <= ends_on) return
  throw new AppError('validation-failed', undefined, [
    { pointer: '/ends_on', code: 'invalid_value', message: 'before it begins' },
  ])
}

async function counted(db: Write, practice: string, kept: readonly KeptAuthorisation[]): Promise<Authorisation[]> {
  const completed = new Map<string, Awaited<ReturnType<typeof completedSessions>>>()
  for (const { client_id } of kept)
    if (!completed.has(client_id)) completed.set(client_id, await completedSessions(db, practice, client_id))
  return kept.map((authorisation) => withVisits(authorisation, completed.get(authorisation.client_id) ?? []))
}
