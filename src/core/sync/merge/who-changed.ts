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
/** Somebody is looking at both versions meanwhile, which do not need it. */
const PATIENCE_MS = 10_000
/** A change is entered into the service's log when it is done, this long after it began at most. */
const MAX_CALL_MS = 30_000
/** Too short for another to be refused, to read what stands there and to come again. */
const USUAL_CALL_MS = 1000

/**
 * Who made the other version, by the service's own log. It shows each person what they may see of it, and of nobody is said
 * more than stands there: a change that is not found is nobody's.
 */
export function whoChangedHandlers({ conflicts, client, isRemote }: Parts): Handlers<'conflicts.who'> {
  return {
    async 'conflicts.who'({ id }) {
      const stored = conflicts.find(id)
      if (stored === null) throw new AppError('not-found')
      const change = changeOf(stored)
      if (change === null || !isRemote()) return unknown
      try {
        return await found(client(), change, AbortSignal.timeout(PATIENCE_MS))
      } catch (error) {
        // Offline, or it is not for this person to know: both versions are told apart without it.
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
    // Whoever sees their own calls alone may see what this laptop sent behind a colleague's change, and not that change.
    const seesAll = me.roles.some((role) => auditRoutes.listAuditEvents.reach[role] === 'all')
    const isOtherKey = key !== null && key !== me.key?.id
    const isAtOnce = Date.parse(event.recorded) - Date.parse(at) < USUAL_CALL_MS
    return seesAll || isOtherKey || isAtOnce ? { who: 'you', name: null } : unknown
  }
  const named = await client.call('getStaff', { params: { id: person }, signal }).catch(() => null)
  return named === null ? unknown : { who: 'colleague', name: named.data.name }
}
