import { isWork, movesSession, type StoredIntent } from '#core/outbox/intents.ts'
import type { InLine, Place } from '#core/outbox/outbox.ts'

/**
 * Who of the line may be sent while others are under way, up to `most` together: of another client than all of them. A
 * session that moves may give a time free that the next one takes, so it and those that take times keep their order, one
 * after the other. Long work shares templates and engines, and goes one by one.
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
    // What somebody has taken back is told at once.
    const isFree = !place.held && (place.kind === 'revoke-consent' || !clients.has(place.client_id))
    const isInOrder = place.moves ? !hasMove && !hasBooking : !isBooking || !hasMove
    if (isFree && isInOrder && !(isWork(place) && hasWork)) {
      chosen.push(place)
      clients.add(place.client_id)
      hasWork ||= isWork(place)
    }
    // Chosen or left behind, nobody overtakes it.
    hasMove ||= place.moves
    hasBooking ||= isBooking
  }
  return chosen
}
