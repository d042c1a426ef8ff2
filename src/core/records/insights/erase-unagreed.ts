import type { Gatekeeper } from '../consent/gatekeeper.ts'
import { agreedInsights } from './agreed-insights.ts'
import type { InsightRepository } from './insight-repository.ts'

/** Takes away what not everyone agrees to any more: insights into a client's sessions, and quotes from the one before in them; within a transaction. */
export function eraseUnagreed(
  { insights, gatekeeper }: { insights: InsightRepository; gatekeeper: Gatekeeper },
  clientId: string,
): void {
  for (const sessionId of insights.sessionsOf(clientId)) {
    if (!gatekeeper.allows(sessionId, 'analyze')) insights.erase(sessionId)
    else {
      const kept = insights.ofSession(sessionId)
      const analysis = kept && agreedInsights(gatekeeper, kept.analysis)
      if (kept && analysis && analysis !== kept.analysis) insights.put(sessionId, clientId, { ...kept, analysis })
    }
  }
}
