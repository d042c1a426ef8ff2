import type { WhoChanged } from '#contract/bridge/conflicts.ts'
import type { Handlers } from '#contract/bridge/methods.ts'
import { AppError } from '#contract/errors.ts'
import { auditRoutes } from '#contract/rest/audit.ts'
import type { ServiceClient } from '#client/client.ts'
import type { ConflictRepository, StoredConflict } from './conflict-repository.ts'

interface Parts {
  readonly conflicts: Pick<ConflictRepository, 'find'>
  readonly client: () => ServiceClient
  readonly isRemote: () => boolean
}

const unknown: WhoChanged = { who: null, name: null }
const TIMEOUT_MS = 10_000
/** The service logs a change when the call ends, at most this long after it began. */
const MAX_CALL_MS = 30_000
/** Too short for another caller to be rejected, read the record and retry. */
const USUAL_CALL_MS = 1000

/** Finds the author of the other version in the service's audit log; null if not visible. */
export function whoChangedHandlers({ conflicts, client, isRemote }: Parts): Handlers<'conflicts.who'> {
  return {
    async 'conflicts.who'({ id }) {
      const stored = conflicts.find(id)
      if (stored === null) throw new AppError('not-found')
      const change = changeOf(stored)
      if (change === null || !isRemote()) return unknown
      try {
        return await found(client(), change, AbortSignal.timeout(TIMEOUT_MS))
      } catch (error) {
        if (error instanceof AppError || (error as Error).name === 'TimeoutError') return unknown
        throw error
      }
    },
  }
}

interface Change {
  readonly entity: string
  readonly at: string
}

function changeOf(stored: StoredConflict): Change | null {
  if (stored.kind === 'document') return { entity: stored.body.theirs.id, at: stored.body.theirs.updated_at }
  return stored.kind === 'fields' ? { entity: stored.record_id, at: stored.body.theirs_at } : null
}

async function found(client: ServiceClient, { entity, at }: Change, signal: AbortSignal): Promise<WhoChanged> {
  const to = new Date(Date.parse(at) + MAX_CALL_MS).toISOString()
  const { data: me } = await client.call('whoAmI', { signal })
  const { data: log } = await client.call('listAuditEvents', { query: { entity, from: at, to, limit: 50 }, signal })
  const event = log.data.findLast(({ action, outcome }) => action !== 'R' && outcome.startsWith('2'))
  if (event === undefined) return unknown
  const { person, key } = event.agent
  if (person === me.person_id) {
    // A person who sees only their own calls may find their own push after a colleague's change, and not that change.
    const seesAll = me.roles.some((role) => auditRoutes.listAuditEvents.reach[role] === 'all')
    const isOtherKey = key !== null && key !== me.key?.id
    const isAtOnce = Date.parse(event.recorded) - Date.parse(at) < USUAL_CALL_MS
    return seesAll || isOtherKey || isAtOnce ? { who: 'you', name: null } : unknown
  }
  const named = await client.call('getStaff', { params: { id: person }, signal }).catch(() => null)
  return named === null ? unknown : { who: 'colleague', name: named.data.name }
}
