import { useCall } from '#renderer/bridge/use-bridge.ts'
import { keptSentence, offersSentence, offersStrings } from '#renderer/strings/offers.ts'

/** What the practice's service cannot be told: it is no failure, and nobody has to do anything about it. */
export function KeptHere() {
  const offers = useCall('service.offers', {}).data
  const kept = offers === undefined ? null : keptSentence(offers)
  if (offers === undefined || kept === null) return null
  return (
    <section className="outbox-group">
      <h2 className="ui-section-head">{offersStrings.keptHere}</h2>
      <p>{kept}</p>
      <p className="muted">{offersSentence(offers)}</p>
    </section>
  )
}
