import { newId } from '#base/ids.ts'
import type { Consent } from '#contract/model/consent.ts'
import { requireReach, rowsWithin } from '#service/access/reach.ts'
import { isAgreed } from '#service/access/consent.ts'
import type { HandlersOf } from '#service/access/call.ts'
import type { Services } from './services.ts'
import { agreedAnalysis } from '#service/access/agreed-analysis.ts'
import { analysedSessions, analysesOf, eraseAnalyses, updateAnalysis } from '../store/analyses.ts'
import { getClient } from '../store/clients.ts'
import { getConsent, insertConsent, listConsents, updateConsent } from '../store/consents.ts'
import { expireSent, sentOfClient } from '../store/sent-uploads.ts'
import { getSession } from '../store/sessions.ts'
import { dropKeptPieces } from '../store/pieces.ts'
import { changed, newRecord } from '../store/records.ts'
import { isHeld } from '../store/legal-holds.ts'
import type { Write } from '../store/tables.ts'

export function consentHandlers(services: Services): HandlersOf<'listConsents' | 'giveConsent' | 'revokeConsent'> {
  const { clock } = services
  return {
    listConsents:
      ({ practice, query, scope }) =>
      async (db) => {
        const data = await listConsents(db, practice, query, rowsWithin('consents', scope))
        return { status: 200, data, touched: data.data.map(({ id }) => id) }
      },
    giveConsent: (call) => async (db) => {
      const { practice, body, now } = call
      await requireReach(db, call, 'clients', body.client_id)
      await getClient(db, practice, body.client_id)
      const { id = newId(clock), ...draft } = body
      const consent: Consent = { ...draft, ...newRecord(id, now), revoked_at: null }
      await insertConsent(db, practice, consent)
      return { status: 201, data: consent, record: { kind: 'consent', id, version: 1 }, touched: [id, body.client_id] }
    },
    revokeConsent: (call) => async (db) => {
      const { practice, params, body, now } = call
      await requireReach(db, call, 'consents', params.id)
      const current = await getConsent(db, practice, params.id)
      // Said twice it stands as first said.
      const consent = current.revoked_at === null ? changed({ ...current, revoked_at: body.revoked_at }, now) : current
      if (consent !== current) await updateConsent(db, practice, consent)
      // What is still under way asks for consent itself.
      await dropKeptPieces(db, now)
      await eraseUnagreed(db, services, practice, consent.client_id, now)
      await eraseUnagreedSound(db, services, practice, consent.client_id, now)
      const record = { kind: 'consent', id: consent.id, version: consent.version } as const
      return { status: 200, data: consent, record, touched: [consent.id, consent.client_id] }
    },
  }
}

/** Sound that came up, or is coming, and that not everyone present agrees to have written down any more. */
async function eraseUnagreedSound(
  db: Write,
  { consentPolicy }: Services,
  practice: string,
  client: string,
  now: string,
): Promise<void> {
  for (const { id, session_id } of await sentOfClient(db, practice, client)) {
    const session = await getSession(db, practice, session_id)
    if (!(await isAgreed(db, practice, consentPolicy, session, 'transcribe'))) await expireSent(db, practice, id, now)
  }
}

/** Analyses that not everyone present agrees to any more, and in all others what they quote of such a session before. */
async function eraseUnagreed(
  db: Write,
  { consentPolicy }: Services,
  practice: string,
  client: string,
  now: string,
): Promise<void> {
  for (const id of await analysedSessions(db, practice, client)) {
    // Kept by law, and shown to nobody: reading asks for consent each time.
    if (await isHeld(db, practice, { client_id: client, session_id: id })) continue
    for (const analysis of await analysesOf(db, practice, id)) {
      const agreed = await agreedAnalysis(db, practice, consentPolicy, analysis)
      if (agreed === null) await eraseAnalyses(db, practice, id, now)
      else if (agreed !== analysis) await updateAnalysis(db, practice, changed(agreed, now))
    }
  }
}
