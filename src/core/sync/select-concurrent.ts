import { isWork, movesSession, type StoredIntent } from '#core/outbox/intents.ts'
import type { InLine, Place } from '#core/outbox/outbox.ts'

/**
 * Chooses at most one intent per client, and one of long-running work, which shares templates and engines. A moved
 * session may free the time that the next one takes, so moves and bookings keep their order.
 */
export function selectConcurrent(line: Iterable<InLine>, busy: readonly StoredIntent[], most: number): readonly Place[] {
  const clients = new Set(busy.map(({ client_id }) => client_id))
  const ids = new Set(busy.map(({ id }) => id))
  const chosen: Place[] = []
  let hasWork = busy.some(isWork)
  let hasMove = busy.some(movesSession)
  let hasBooking = busy.some(({ kind }) => kind === 'create-session')
  for (const place of line) {
    if (busy.length + chosen.length >= most) break
    if (ids.has(place.id)) continue
    const isBooking = place.kind === 'create-session'
    // A revocation doesn't wait for its client's other intents.
    const isFree = !place.held && (place.kind === 'revoke-consent' || !clients.has(place.client_id))
    const isInOrder = place.moves ? !hasMove && !hasBooking : !isBooking || !hasMove
    if (isFree && isInOrder && !(isWork(place) && hasWork)) {
      chosen.push(place)
      clients.add(place.client_id)
      hasWork ||= isWork(place)
    }
    // Whether it was chosen or not, no later move or booking may overtake it.
    hasMove ||= place.moves
    hasBooking ||= isBooking
  }
  return chosen
}
