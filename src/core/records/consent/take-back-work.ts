import { agreedInsights } from '../insights/agreed-insights.ts'
import type { InsightRepository } from '../insights/insight-repository.ts'
import type { SessionRepository } from '../sessions/session-repository.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import type { StoredIntent } from '#core/outbox/intents.ts'
import type { TranscriptRepository } from '../transcripts/transcript-repository.ts'
import { failed, workKind, type WorkRepository } from '../work/work-repository.ts'
import type { ConsentService } from './consent-service.ts'

interface Parts {
  readonly sessions: SessionRepository
  readonly transcripts: TranscriptRepository
  readonly insights: InsightRepository
  readonly work: WorkRepository
  readonly outbox: Outbox
  readonly consentService: ConsentService
  /** Cancels work that is running for a removed intent. */
  readonly abandon: (intentId: string, operationId: string | null) => void
}

export type TakeBackWork = (clientId: string) => void

export function createTakeBackWork({
  sessions,
  transcripts,
  insights,
  work,
  outbox,
  consentService,
  abandon,
}: Parts): TakeBackWork {
  const isAllowed = (intent: StoredIntent, isTranscribing: ReadonlySet<string>): boolean => {
    const { kind, subject_id: session } = intent
    if (sessions.find(session) === null) return true
    if (kind === 'transcribe') return consentService.allows(session, 'transcribe')
    if (kind === 'analyze') return consentService.allows(session, 'analyze')
    // Without a transcript a draft uses only session fields, so it needs no `draft` consent.
    const isOfWordsSaid = transcripts.idOf(session) !== null || isTranscribing.has(session)
    return !isOfWordsSaid || consentService.allows(session, 'draft')
  }
  return (clientId) => {
    eraseUnagreed({ insights, consentService }, clientId)
    const pending = outbox.workOf(clientId)
    const transcribing = new Set(pending.filter(({ kind }) => kind === 'transcribe').map(({ subject_id }) => subject_id))
    for (const intent of pending) {
      if (isAllowed(intent, transcribing)) continue
      outbox.drop(intent.id)
      work.set(intent.subject_id, workKind(intent.kind) ?? 'draft', failed('consent-missing'))
      queueMicrotask(() => abandon(intent.id, intent.operation_id))
    }
  }
}

/** Deletes insights, and quotes of previous sessions, that lack consent. Call this in a transaction. */
function eraseUnagreed(
  { insights, consentService }: { insights: InsightRepository; consentService: ConsentService },
  clientId: string,
): void {
  for (const sessionId of insights.sessionsOf(clientId)) {
    if (!consentService.allows(sessionId, 'analyze')) insights.erase(sessionId)
    else {
      const kept = insights.ofSession(sessionId)
      const analysis = kept && agreedInsights(consentService, kept.analysis)
      if (kept && analysis && analysis !== kept.analysis) insights.put(sessionId, clientId, { ...kept, analysis })
    }
  }
}
