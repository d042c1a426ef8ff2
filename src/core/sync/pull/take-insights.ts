import type { Analysis } from '#contract/model/analysis.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { Audit } from '#core/audit/audit.ts'
import { agreedInsights } from '#core/records/insights/agreed-insights.ts'
import type { Repositories } from '#core/records/repositories.ts'

/** Analyses made elsewhere. They are never edited, so the newest one is kept. */
export interface TakeInsights {
  take(analysis: Analysis): void
  gone(id: string): void
}

interface Parts extends Pick<Repositories, 'insights' | 'sessions' | 'transcripts' | 'consentService'> {
  readonly db: Sqlite
  readonly audit: Audit
}

export function createTakeInsights({ db, insights, sessions, transcripts, consentService, audit }: Parts): TakeInsights {
  const sessionOf = db.prepare(`select session_id from insights where json_extract(analysis, '$.id') = ?`).pluck()
  return {
    take(analysis) {
      const session = analysis.session_id === null ? null : sessions.find(analysis.session_id)
      // Consent may have been revoked here, which the service doesn't know yet.
      if (session === null || !consentService.allows(session.id, 'analyze')) return
      const kept = insights.ofSession(session.id)
      if (kept !== null && !isLater(analysis, kept.analysis)) return
      const { id: transcript_id = '', version: transcript_version = 0 } = transcripts.ofSession(session.id) ?? {}
      const agreed = agreedInsights(consentService, analysis)
      insights.put(session.id, session.client_id, { analysis: agreed, transcript_id, transcript_version })
      audit.append({ action: 'insights.received', subject_id: analysis.id, client_id: session.client_id })
    },
    gone(id) {
      const sessionId = sessionOf.get(id) as string | undefined
      if (sessionId === undefined) return
      insights.erase(sessionId)
      audit.append({ action: 'insights.erased', subject_id: id, client_id: sessions.find(sessionId)?.client_id ?? null })
    },
  }
}

function isLater(one: Analysis, other: Analysis): boolean {
  return one.id === other.id ? one.version > other.version : one.created_at > other.created_at
}
