import { type Analysis, type CueDecision, analysisSchema } from '#contract/model/analysis.ts'
import type { Sqlite } from '#base/sqlite.ts'

export interface KeptInsights {
  readonly analysis: Analysis
  readonly transcript_id: string
  readonly transcript_version: number
}

export function createInsightRepository(db: Sqlite) {
  const bySession = db.prepare('select transcript_id, transcript_version, analysis from insights where session_id = ?')
  const put = db.prepare(`
    insert into insights (session_id, client_id, transcript_id, transcript_version, analysis)
    values (@session_id, @client_id, @transcript_id, @transcript_version, @analysis)
    on conflict (session_id) do update set
      transcript_id = @transcript_id, transcript_version = @transcript_version, analysis = @analysis`)
  const sessionsOf = db.prepare('select session_id from insights where client_id = ? order by session_id').pluck()
  const eraseInsights = db.prepare('delete from insights where session_id = ?')
  const eraseDecisions = db.prepare('delete from cue_decisions where session_id = ?')
  const decisions = db.prepare(
    'select cue_id, decision, reason, decided_at from cue_decisions where session_id = ? order by decided_at, cue_id',
  )
  const decide = db.prepare(`
    insert into cue_decisions (session_id, cue_id, decision, reason, decided_at)
    values (@session_id, @cue_id, @decision, @reason, @decided_at)
    on conflict (session_id, cue_id) do update set decision = @decision, reason = @reason, decided_at = @decided_at`)
  return {
    ofSession(sessionId: string): KeptInsights | null {
      const row = bySession.get(sessionId) as { transcript_id: string; transcript_version: number; analysis: string } | undefined
      // Older analyses lack fields that were added later; the schema fills in defaults.
      return row === undefined ? null : { ...row, analysis: analysisSchema.parse(JSON.parse(row.analysis)) }
    },
    put: (session_id: string, client_id: string, { analysis, ...of }: KeptInsights): void =>
      void put.run({ session_id, client_id, ...of, analysis: JSON.stringify(analysis) }),
    sessionsOf: (clientId: string) => sessionsOf.all(clientId) as string[],
    erase(sessionId: string): void {
      eraseInsights.run(sessionId)
      eraseDecisions.run(sessionId)
    },
    decisions: (sessionId: string) => decisions.all(sessionId) as CueDecision[],
    decide: (session_id: string, decision: CueDecision): void => void decide.run({ session_id, ...decision }),
  }
}
