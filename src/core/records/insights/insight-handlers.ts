import type { Insights, Brief, SessionGist } from '#contract/bridge/insights.ts'
import type { Handlers } from '#contract/bridge/methods.ts'
import { AppError } from '#contract/errors.ts'
import { agreedInsights } from '../consent/consent-service.ts'
import { cancelled, failed, waiting } from '../work/work-repository.ts'
import type { Analysis, CueDecision, RiskCue } from '#contract/model/analysis.ts'
import { firstStatement, planOf, safetyOf } from '#domain/note-review.ts'
import type { Note } from '#contract/model/note.ts'
import { timestamp } from '#base/clock.ts'
import type { RecordParts } from '#core/records/repositories.ts'
import { instant } from '../sessions/change-session.ts'
import { isShown } from '../sessions/session-repository.ts'
import { existing } from '#core/records/change.ts'

type Parts = RecordParts & { readonly abandon: (intentId: string, operationId: string | null) => void }

type Names =
  | 'insights.get'
  | 'insights.request'
  | 'insights.cancel'
  | 'insights.decide'
  | 'clients.brief'
  | 'clients.sessionGists'

export function insightHandlers(parts: Parts): Handlers<Names> {
  const { sessions, insights, work, outbox, change } = parts
  const briefOf = createBriefOf(parts)
  const gistsOf = createGistsOf(parts)
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
    'clients.brief': (input) => briefOf(input),
    'clients.sessionGists': ({ client_id }) => gistsOf(client_id),
  }
}

function insightsOf({ sessions, transcripts, insights, work, consentService }: Parts, sessionId: string): Insights {
  existing(sessions.find(sessionId))
  const isAllowed = consentService.allows(sessionId, 'analyze')
  const transcript = transcripts.ofSession(sessionId)
  const kept = isAllowed ? insights.ofSession(sessionId) : null
  return {
    analysis: kept && agreedInsights(consentService, kept.analysis),
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

function request({ sessions, transcripts, work, outbox, consentService, change }: Parts, sessionId: string) {
  return change(['insights'], ({ audit, intend }) => {
    const session = existing(sessions.find(sessionId))
    const pending = outbox.pendingWork(sessionId, 'analyze')
    if (pending !== null && pending.state !== 'needs_you') return work.get(sessionId, 'analyze')
    if (pending !== null) outbox.drop(pending.id)
    if (!consentService.allows(sessionId, 'analyze')) {
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

type BriefParts = Pick<RecordParts, 'db' | 'clients' | 'notes' | 'insights' | 'consentService' | 'clock'>

const MAX_QUESTIONS = 12
const MAX_SESSIONS = 30

/** A note entered in error says nothing about the client. */
const validNote = (notes: BriefParts['notes'], sessionId: string): Note | null => {
  const note = notes.ofSession(sessionId)
  return note?.status === 'entered_in_error' ? null : note
}

const documented = `
  select id, starts_at, number from (
    select id, starts_at, row_number() over (order by starts_at, id) as number from sessions where client_id = @client_id and ${isShown}
  ) as numbered
  where (@before is null or starts_at < @before) and (exists (select 1 from notes where notes.session_id = numbered.id)
    or exists (select 1 from insights where insights.session_id = numbered.id))
  order by starts_at desc, id desc limit @most`

function createBriefOf({ db, clients, notes, insights, consentService, clock }: BriefParts) {
  const latest = db.prepare(documented)
  const next = db
    .prepare(
      `select starts_at from sessions
      where client_id = @client_id and starts_at > @now and status in ('proposed', 'scheduled') and id is not @last
      order by starts_at limit 1`,
    )
    .pluck()
  const safetyIn = (sessions: readonly NonNullable<Brief['last_session']>[]): Brief['safety'] => {
    for (const { id, starts_at } of sessions) {
      const note = validNote(notes, id)
      const texts = note === null ? [] : safetyOf(note).map(({ text }) => text)
      if (texts.length > 0) return { starts_at, texts }
    }
    return null
  }
  return ({ client_id, before = null }: { readonly client_id: string; readonly before?: string | null | undefined }): Brief => {
    const client = existing(clients.find(client_id))
    const sessions = latest.all({ client_id, before: before && instant(before), most: MAX_SESSIONS })
    const [session = null, ...earlier] = sessions as NonNullable<Brief['last_session']>[]
    const note = session && validNote(notes, session.id)
    const isAllowed = session !== null && consentService.allows(session.id, 'analyze')
    const kept = session !== null && isAllowed ? insights.ofSession(session.id) : null
    const analysis = kept && agreedInsights(consentService, kept.analysis)
    const safety = session && safetyIn([session, ...earlier])
    const plan = note === null ? [] : planOf(note).map(({ text, evidence }) => ({ text, evidence }))
    return {
      client_id,
      client_name: client.display_name,
      next_session_at: (next.get({ client_id, now: timestamp(clock), last: session?.id ?? null }) as string | undefined) ?? null,
      last_session: session,
      note: note && { id: note.id, status: note.status },
      plan: plan.filter(({ text }) => safety?.texts.includes(text) !== true),
      safety,
      insights: analysis !== null ? 'present' : session === null || isAllowed ? 'not_asked' : 'not_agreed',
      ...readFrom(analysis, session === null ? [] : insights.decisions(session.id), plan),
    }
  }
}

function createGistsOf({ db, notes, insights, consentService }: BriefParts) {
  const latest = db.prepare(documented)
  return (client_id: string): SessionGist[] =>
    (latest.all({ client_id, before: null, most: MAX_SESSIONS }) as { id: string }[]).map(({ id }) => {
      const note = validNote(notes, id)
      const kept = consentService.allows(id, 'analyze') ? insights.ofSession(id) : null
      const analysis = kept && agreedInsights(consentService, kept.analysis)
      const given = analysis?.goals.filter(({ source }) => source === 'given')
      return {
        session_id: id,
        topics: analysis?.topics.map(({ name }) => name) ?? [],
        first_statement: note && firstStatement(note),
        goals: given?.map(({ text, evidence }) => ({ text, is_raised: evidence.length > 0 })) ?? null,
      }
    })
}

function readFrom(
  analysis: Analysis | null,
  decisions: readonly CueDecision[],
  plan: Brief['plan'],
): Pick<Brief, 'agreed' | 'questions' | 'cues' | 'goals' | 'changes'> {
  if (analysis === null) return { agreed: [], questions: [], cues: [], goals: [], changes: null }
  const cited = new Set(plan.flatMap(({ evidence }) => evidence.map(placeOf)))
  return {
    agreed: analysis.homework.filter(({ evidence }) => !evidence.every((each) => cited.has(placeOf(each)))),
    // Leaves out risk questions, which are shown as cues. If there is a plan, leaves out questions about this session's
    // homework, which the plan shows.
    questions: analysis.next_questions
      .filter(
        ({ kind, evidence_of }) => kind !== 'risk' && !(plan.length > 0 && kind === 'homework' && evidence_of === 'this_session'),
      )
      .slice(0, MAX_QUESTIONS),
    cues: analysis.risk_cues.flatMap((cue) => {
      const decision = decisions.find(({ cue_id }) => cue_id === cue.id) ?? null
      const isOpen = decision === null || decision.decision === 'follow_up'
      return isOpen ? [{ id: cue.id, quote: cue.quote, evidence: evidenceOf(cue), decision }] : []
    }),
    goals: analysis.goals,
    changes: analysis.changes,
  }
}

const placeOf = ({ segment_id, quote }: Brief['plan'][number]['evidence'][number]): string => `${segment_id} ${quote}`

function evidenceOf({ segment_id, start_ms, end_ms, quote, asked }: RiskCue): Brief['plan'][number]['evidence'] {
  return [...asked, { segment_id, start_ms, end_ms, quote, quote_sha256: null }]
}
