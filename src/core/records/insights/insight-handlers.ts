import type { Insights } from '#contract/bridge/insights.ts'
import type { Handlers } from '#contract/bridge/methods.ts'
import { AppError } from '#contract/errors.ts'
import type { Gatekeeper } from '../consent/gatekeeper.ts'
import type { MakeChange } from '#core/records/change.ts'
import type { SessionRepository } from '../sessions/session-repository.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import type { TranscriptRepository } from '../transcripts/transcript-repository.ts'
import { cancelled, failed, waiting, type WorkRepository } from '../work/work-repository.ts'
import { agreedInsights } from './agreed-insights.ts'
import type { BriefOf } from './client-brief.ts'
import type { InsightRepository } from './insight-repository.ts'

interface Parts {
  readonly sessions: SessionRepository
  readonly transcripts: TranscriptRepository
  readonly insights: InsightRepository
  readonly work: WorkRepository
  readonly outbox: Outbox
  readonly gatekeeper: Gatekeeper
  readonly change: MakeChange
  readonly briefOf: BriefOf
  /** Stops what is under way for an intent that was just taken out. */
  readonly abandon: (intentId: string, operationId: string | null) => void
}

type Names = 'insights.get' | 'insights.request' | 'insights.cancel' | 'insights.decide' | 'clients.brief'

export function insightHandlers(parts: Parts): Handlers<Names> {
  const { sessions, insights, work, outbox, change } = parts
  return {
    'insights.get': ({ session_id }) => insightsOf(parts, session_id),
    'insights.request': ({ session_id }) => request(parts, session_id),
    'insights.cancel': ({ session_id }) =>
      change(['insights'], ({ audit }) => {
        const pending = outbox.pendingWork(session_id, 'analyze')
        if (pending === null) return work.get(session_id, 'analyze')
        outbox.drop(pending.id)
        queueMicrotask(() => parts.abandon(pending.id, pending.operation_id))
        work.set(session_id, 'analyze', cancelled)
        audit({ action: 'insights.cancelled', subject_id: session_id, client_id: sessions.find(session_id)?.client_id ?? null })
        return cancelled
      }),
    'insights.decide': ({ session_id, cue_id, decision, reason }) =>
      change(['insights'], ({ at, audit }) => {
        const { analysis } = insightsOf(parts, session_id)
        if (!analysis?.risk_cues.some(({ id }) => id === cue_id)) throw new AppError('not-found')
        insights.decide(session_id, { cue_id, decision, reason, decided_at: at })
        audit({ action: 'insights.decided', subject_id: session_id, client_id: analysis.client_id })
        return insightsOf(parts, session_id)
      }),
    'clients.brief': ({ client_id }) => parts.briefOf(client_id),
  }
}

/** Without everyone's yes there is nothing to see, whatever may still be kept. */
function insightsOf({ sessions, transcripts, insights, work, gatekeeper }: Parts, sessionId: string): Insights {
  if (sessions.find(sessionId) === null) throw new AppError('not-found')
  const isAllowed = gatekeeper.allows(sessionId, 'analyze')
  const transcript = transcripts.ofSession(sessionId)
  const kept = isAllowed ? insights.ofSession(sessionId) : null
  return {
    analysis: kept && agreedInsights(gatekeeper, kept.analysis),
    work: work.get(sessionId, 'analyze'),
    is_allowed: isAllowed,
    has_transcript: transcript !== null,
    is_outdated:
      kept !== null &&
      transcript !== null &&
      (transcript.id !== kept.transcript_id || transcript.version !== kept.transcript_version),
    decisions: kept === null ? [] : insights.decisions(sessionId),
  }
}

/** Asking twice asks once; asking again after a failure tries again. */
function request({ sessions, transcripts, work, outbox, gatekeeper, change }: Parts, sessionId: string) {
  return change(['insights'], ({ audit, intend }) => {
    const session = sessions.find(sessionId)
    if (session === null) throw new AppError('not-found')
    const pending = outbox.pendingWork(sessionId, 'analyze')
    if (pending !== null && pending.state !== 'needs_you') return work.get(sessionId, 'analyze')
    if (pending !== null) outbox.drop(pending.id)
    if (!gatekeeper.allows(sessionId, 'analyze')) {
      const refused = failed('consent-missing')
      work.set(sessionId, 'analyze', refused)
      return refused
    }
    const transcript = transcripts.ofSession(sessionId)
    if (transcript === null) throw new AppError('nothing-said')
    work.set(sessionId, 'analyze', waiting)
    audit({ action: 'insights.asked', subject_id: sessionId, client_id: session.client_id })
    const base = { id: transcript.id, version: transcript.version }
    intend({ kind: 'analyze', client_id: session.client_id, session_id: sessionId, subject_id: sessionId, body: { base } })
    return waiting
  })
}
