import { AppError } from '#contract/errors.ts'
import type { Analysis } from '#contract/model/analysis.ts'
import { type ConsentGate, type ConsentScope, consentScopeSchema } from '#contract/model/consent.ts'
import type { Participant } from '#contract/model/session.ts'
import { agreedScopes, type ConsentForm, peoplePresent, withoutSessionBefore } from '#domain/consent.ts'
import type { StoredIntent } from '#core/outbox/intents.ts'
import type { ClientRepository } from '../clients/client-repository.ts'
import type { SessionRepository } from '../sessions/session-repository.ts'
import { failed, workKind } from '../work/work-repository.ts'
import type { ConsentRepository } from './consent-repository.ts'
import type { RecordParts } from '#core/records/repositories.ts'
import { existing } from '#core/records/change.ts'

export type ConsentService = ReturnType<typeof createConsentService>

export function createConsentService(parts: {
  clients: ClientRepository
  sessions: SessionRepository
  consents: ConsentRepository
}) {
  const gate = (sessionId: string): ConsentGate => {
    const session = existing(parts.sessions.find(sessionId))
    const client = existing(parts.clients.find(session.client_id))
    return consentGate(
      peoplePresent(session.participants, client.display_name),
      parts.consents.forms(client.id).get(client.id) ?? [],
    )
  }
  return { gate, allows: (sessionId: string, scope: ConsentScope) => gate(sessionId).granted.includes(scope) }
}

const neededScopes = ['record', 'transcribe', 'draft'] as const satisfies readonly ConsentScope[]

export function consentGate(everyone: readonly Participant[], forms: readonly ConsentForm[]): ConsentGate {
  const each = everyone.map((participant) => ({ participant, agreed: agreedScopes(participant, everyone, forms) }))
  return {
    granted: consentScopeSchema.options.filter((scope) => each.every(({ agreed }) => agreed.includes(scope))),
    missing: each
      .map(({ participant, agreed }) => ({ participant, scopes: neededScopes.filter((scope) => !agreed.includes(scope)) }))
      .filter(({ scopes }) => scopes.length > 0),
  }
}

export function agreedInsights(consentService: ConsentService, analysis: Analysis): Analysis {
  const before = analysis.changes?.session_id
  return before === undefined || isAgreed(consentService, before) ? analysis : withoutSessionBefore(analysis)
}

function isAgreed(consentService: ConsentService, sessionId: string): boolean {
  try {
    return consentService.allows(sessionId, 'analyze')
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return false
    throw error
  }
}

type TakeBackWorkParts = RecordParts & { readonly abandon: (intentId: string, operationId: string | null) => void }

export type TakeBackWork = (clientId: string) => void

export function createTakeBackWork(parts: TakeBackWorkParts): TakeBackWork {
  const { sessions, transcripts, work, outbox, consentService, abandon } = parts
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
    eraseUnagreed(parts, clientId)
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

function eraseUnagreed({ insights, consentService }: TakeBackWorkParts, clientId: string): void {
  for (const sessionId of insights.sessionsOf(clientId)) {
    if (!consentService.allows(sessionId, 'analyze')) insights.erase(sessionId)
    else {
      const kept = insights.ofSession(sessionId)
      const analysis = kept && agreedInsights(consentService, kept.analysis)
      if (kept && analysis && analysis !== kept.analysis) insights.put(sessionId, clientId, { ...kept, analysis })
    }
  }
}
