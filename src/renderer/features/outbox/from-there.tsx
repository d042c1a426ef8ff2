import { useCall } from '#renderer/bridge/use-bridge.ts'
import { broughtSentence, offersStrings, unlistedSentence } from '#renderer/strings/offers.ts'

/** How what others do comes to this laptop, where it does not come as it happens. */
export function FromThere() {
  const offers = useCall('service.offers', {}).data
  const sentences = offers === undefined ? [] : [broughtSentence(offers), unlistedSentence(offers)].filter((one) => one !== null)
  if (sentences.length === 0) return null
  return (
    <section className="outbox-group">
      <h2 className="ui-section-head">{offersStrings.fromThere}</h2>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </section>
  )
}
