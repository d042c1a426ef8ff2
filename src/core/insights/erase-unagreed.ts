import type { Gatekeeper } from '#core/consent/gatekeeper.ts'
import type { InsightRepository } from './insight-repository.ts'

/** Takes away the insights into a client's sessions that not everyone agrees to any more; within a transaction. */
export function eraseUnagreed(
  { insights, gatekeeper }: { insights: InsightRepository; gatekeeper: Gatekeeper },
  clientId: string,
): void {
  for (const sessionId of insights.sessionsOf(clientId)) if (!gatekeeper.allows(sessionId, 'analyze')) insights.erase(sessionId)
}
