import { isWork } from './intents.ts'
import type { InLine, Place } from './outbox.ts'

const isSession = ({ kind }: Place): boolean => kind === 'create-session' || kind === 'update-session'

/**
 * The first of the line that may be sent while others are under way: of another client than all of them. Sessions take
 * times from each other and give them free, so they go one by one and in their order; so does long work, in any order:
 * it shares templates and engines. Null: first there has to be an answer.
 */
export function alongside(line: readonly InLine[], busy: readonly Place[]): Place | null {
  const clients = new Set(busy.map(({ client_id }) => client_id))
  const ids = new Set(busy.map(({ id }) => id))
  let mayBeSession = !busy.some(isSession)
  const mayBeWork = !busy.some(isWork)
  for (const intent of line) {
    if (ids.has(intent.id)) continue
    // What somebody has taken back is told at once.
    const isFree = !intent.held && (intent.kind === 'revoke-consent' || !clients.has(intent.client_id))
    if (isFree && (isSession(intent) ? mayBeSession : !isWork(intent) || mayBeWork)) return intent
    if (isSession(intent)) mayBeSession = false
  }
  return null
}
