import { newId } from '#base/ids.ts'
import type { Client } from '#contract/model/client.ts'
import { requireMayWrite, fieldsSeenBy } from '#service/access/limited-fields.ts'
import { requirePeople, assignedTo, requireMayReassign } from '#service/access/people.ts'
import { getReached, rowsWithin } from '#service/access/reach.ts'
import { reachOf, type Scope, type Within } from '#service/access/authorization.ts'
import { type Call, foundReply, type HandlersOf, pageReply } from '#service/access/call.ts'
import type { Services } from './services.ts'
import { requireVersion } from '#service/kernel/problem.ts'
import { insertClient, insertConsent, listClients, listConsents, updateClient, updateConsent } from '../store/clients.ts'
import { changed, newRecord } from '../store/records.ts'
import type { Write } from '../store/tables.ts'
import type { Clock } from '#base/clock.ts'
import { reassignmentRoutes } from '#contract/rest/access.ts'
import { insertReassignment, listReassignments } from '../store/staff.ts'
import type { Consent } from '#contract/model/consent.ts'
import { isAgreed, agreedAnalysis } from '#service/access/consent.ts'
import { analysedSessions, analysesOf, eraseAnalyses, updateAnalysis } from '../store/analyses.ts'
import { expireSent, sentOfClient } from '../store/uploads.ts'
import { getSession } from '../store/sessions.ts'
import { dropKeptPieces } from '../store/transcripts.ts'
import { isHeld } from '../store/retention.ts'

export function clientHandlers({ clock }: Services): HandlersOf<'listClients' | 'getClient' | 'createClient' | 'updateClient'> {
  return {
    listClients: (call) => async (db) => {
      const { practice, query, scope } = call
      const within = query.q === undefined ? scope : namedWithin(scope)
      return pageReply(await listClients(db, practice, query, rowsWithin('clients', within)))
    },
    getClient: (call) => async (db) => foundReply(await getReached(db, call, 'clients', call.params.id)),
    createClient: (call) => async (db) => {
      const { id = newId(clock), ...draft } = call.body
      const clinician_id = assignedTo(call, draft.clinician_id, null)
      await requirePeople(db, call.caller, [{ pointer: '/clinician_id', id: draft.clinician_id }])
      const client: Client = { ...draft, clinician_id, ...newRecord(id, call.now) }
      await requireMayWrite(db, call, 'client', { id: null, clinician_id, fields: filledIn(draft) })
      await insertClient(db, call.practice, client)
      return { status: 201, data: client, record: { kind: 'client', id, version: 1 }, touched: [id] }
    },
    updateClient: (call) => async (db) => {
      const current = await getReached(db, call, 'clients', call.params.id)
      requireVersion(call.ifMatch, current)
      const client = changed({ ...current, ...named(call.body) }, call.now)
      await requireMayWrite(db, call, 'client', { ...current, fields: Object.keys(named(call.body)) })
      if (client.clinician_id !== current.clinician_id) {
        requireMayReassign(call, current.clinician_id, client.clinician_id)
        await requirePeople(db, call.caller, [{ pointer: '/clinician_id', id: client.clinician_id }])
      }
      await updateClient(db, call.practice, client)
      const isReassigned = client.clinician_id !== current.clinician_id
      const notices = isReassigned ? await noticeReassignment(db, clock, call, client, current.clinician_id) : []
      return { status: 200, data: client, touched: [client.id, ...notices] }
    },
  }
}

function namedWithin(scope: Scope): Within {
  const { limited } = scope
  return limited === null || fieldsSeenBy('client', limited.roles).includes('display_name') ? scope : limited.whole
}

const filledIn = (draft: object): string[] =>
  Object.entries(draft).flatMap(([field, value]) =>
    value === null || (Array.isArray(value) && value.length === 0) ? [] : [field],
  )

export function named<Patch extends object>(patch: Patch): { [Key in keyof Patch]: Exclude<Patch[Key], undefined> } {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Patch]: Exclude<Patch[Key], undefined>
  }
}

export function consentHandlers(services: Services): HandlersOf<'listConsents' | 'giveConsent' | 'revokeConsent'> {
  const { clock } = services
  return {
    listConsents: (call) => async (db) =>
      pageReply(await listConsents(db, call.practice, call.query, rowsWithin('consents', call.scope))),
    giveConsent: (call) => async (db) => {
      const { practice, body, now } = call
      await getReached(db, call, 'clients', body.client_id)
      const { id = newId(clock), ...draft } = body
      const consent: Consent = { ...draft, ...newRecord(id, now), revoked_at: null }
      await insertConsent(db, practice, consent)
      return { status: 201, data: consent, record: { kind: 'consent', id, version: 1 }, touched: [id, body.client_id] }
    },
    revokeConsent: (call) => async (db) => {
      const { practice, params, body, now } = call
      const current = await getReached(db, call, 'consents', params.id)
      const consent = current.revoked_at === null ? changed({ ...current, revoked_at: body.revoked_at }, now) : current
      if (consent !== current) await updateConsent(db, practice, consent)
      await dropKeptPieces(db, now)
      await eraseUnagreed(db, services, practice, consent.client_id, now)
      await eraseUnagreedSound(db, services, practice, consent.client_id, now)
      const record = { kind: 'consent', id: consent.id, version: consent.version } as const
      return { status: 200, data: consent, record, touched: [consent.id, consent.client_id] }
    },
  }
}

async function eraseUnagreedSound(db: Write, { consentPolicy }: Services, practice: string, client: string, now: string) {
  for (const { id, session_id } of await sentOfClient(db, practice, client)) {
    const session = await getSession(db, practice, session_id)
    if (!(await isAgreed(db, practice, consentPolicy, session, 'transcribe'))) await expireSent(db, practice, id, now)
  }
}

async function eraseUnagreed(db: Write, { consentPolicy }: Services, practice: string, client: string, now: string) {
  for (const id of await analysedSessions(db, practice, client)) {
    // A legal hold keeps the analysis; reads check consent and refuse it.
    if (await isHeld(db, practice, { client_id: client, session_id: id })) continue
    for (const analysis of await analysesOf(db, practice, id)) {
      const agreed = await agreedAnalysis(db, practice, consentPolicy, analysis)
      if (agreed === null) await eraseAnalyses(db, practice, id, now)
      else if (agreed !== analysis) await updateAnalysis(db, practice, changed(agreed, now))
    }
  }
}

export function reassignmentHandlers(): HandlersOf<'listReassignments'> {
  return {
    listReassignments: (call) => async (db) => {
      const { practice, query, caller } = call
      const isAll = reachOf(caller, reassignmentRoutes.listReassignments) === 'all'
      const from_clinician_id = isAll ? undefined : caller.person_id
      const data = await listReassignments(db, practice, { ...query, from_clinician_id })
      return { status: 200, data, touched: data.data.flatMap(({ id, client_id }) => [id, client_id]) }
    },
  }
}

async function noticeReassignment(
  db: Write,
  clock: Clock,
  { practice, caller, now }: Pick<Call, 'practice' | 'caller' | 'now'>,
  client: Pick<Client, 'id' | 'clinician_id'>,
  from_clinician_id: string | null,
): Promise<string[]> {
  const isOwn = from_clinician_id === null ? caller.roles.includes('owner') : from_clinician_id === caller.person_id
  if (isOwn) return []
  const id = newId(clock)
  const hands = { client_id: client.id, from_clinician_id, to_clinician_id: client.clinician_id }
  await insertReassignment(db, practice, { ...hands, by: caller.person_id, ...newRecord(id, now) })
  return [id]
}
