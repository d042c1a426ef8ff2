import { newId } from '#base/ids.ts'
import { AppError } from '#contract/errors.ts'
import { requireConsent } from '#service/access/consent.ts'
import { askedBy } from '#service/access/audit-event.ts'
import type { Client } from '#contract/model/client.ts'
import type { Session } from '#contract/model/session.ts'
import { getReached, requireReach } from '#service/access/reach.ts'
import type { Call, HandlersOf } from '#service/access/call.ts'
import type { Services } from './services.ts'
import type { DraftTask } from '../jobs/draft.ts'
import { draftClient, draftSession, storeDraft } from '../jobs/draft.ts'
import { requireReadable, requireReadableBody } from '#engines/texts/most-said.ts'
import { getClient } from '../store/clients.ts'
import { lookInPractice } from '../store/in-practice.ts'
import { insertOperation } from '../store/operations.ts'
import { getSession } from '../store/sessions.ts'
import type { Database } from '../store/tables.ts'
import { ownTemplateOf, findTemplate, getTemplate, insertTemplate, listTemplates, updateTemplate } from '../store/templates.ts'
import { storedTranscript } from '../store/transcripts.ts'
import type { OwnTemplate } from '#contract/model/template.ts'
import { requireVersion, Stale } from '#service/kernel/stale.ts'
import { atFreeId, changed, newRecord } from '../store/records.ts'

type FromTranscript = 'generateNote'
type FromData = 'generateNoteFromData'

export function draftHandlers(services: Services): HandlersOf<FromTranscript | FromData> {
  return { ...fromTranscript(services), ...fromData(services) }
}

function fromTranscript({ clock, consentPolicy }: Services): HandlersOf<FromTranscript> {
  return {
    generateNote: (call) => async (write) => {
      const { body, practice, now } = call
      requireReadable(body.transcript ?? '')
      await requireReach(write, call, 'sessions', body.session_id)
      const session = await getSession(write, practice, body.session_id)
      refuseOther(session.client_id !== body.client_id, '/client_id', 'not the client of this session')
      await getClient(write, practice, body.client_id)
      if (body.transcript_id !== undefined) {
        await requireReach(write, call, 'transcripts', body.transcript_id)
        const transcript = await storedTranscript(write, practice, body.transcript_id)
        requireReadableBody(transcript.body)
        refuseOther(
          transcript.session_id !== null && transcript.session_id !== session.id,
          '/transcript_id',
          'of another session',
        )
      } else if (body.transcript?.trim() === '') throw new AppError('nothing-said')
      const consent = await requireConsent(write, practice, consentPolicy, session, 'draft')
      const task: DraftTask = {
        session_id: session.id,
        client_id: body.client_id,
        template: body.template,
        transcript_id: body.transcript_id ?? null,
        // A test key reaches no model, which may be somebody's cloud.
        without_ai: call.caller.is_test || (body.without_ai ?? false),
      }
      const operation = newId(clock)
      const agent = askedBy(call, consent)
      const asked = {
        practice_id: practice,
        kind: 'generate-note',
        route: 'generateNote',
        payload: JSON.stringify(task),
        agent,
      } as const
      await insertOperation(write, { id: operation, ...asked }, now, body.transcript ?? null)
      return { operation, consent, touched: [operation, session.id, body.client_id] }
    },
  }
}

function fromData({ db, clock, texts, closing }: Services): HandlersOf<FromData> {
  return {
    generateNoteFromData: async (call) => {
      const { body, practice } = call
      const { session, client, own } = await lookInPractice(db, practice, (read) => aboutWhom(read, call))
      const { template, session_type, duration_minutes, presenting_concerns, interventions, client_response } = body
      const fields = {
        template,
        own,
        session_type,
        duration_minutes,
        presenting_concerns,
        interventions,
        client_response,
        session: session && draftSession(session),
        client: client && draftClient(client),
      }
      const draft = await texts.draftFromData(call.caller, { kind: 'draft-from-data', ...fields }, closing)
      return async (write) => {
        const of = { session: session?.id ?? null, client: client?.id ?? null, author: call.caller.person_id }
        const note = await storeDraft(write, practice, newId(clock), clock.now(), draft, of)
        const touched = [note.id, session?.id, client?.id].filter((id) => typeof id === 'string')
        return { status: 201, data: note, record: { kind: 'note', id: note.id, version: 1 }, touched }
      }
    },
  }
}

/** The session and client the call names; a session brings its client along. */
async function aboutWhom(db: Database, call: Call<FromData>) {
  const { body, practice } = call
  const session = body.session_id === undefined ? null : await getReached<Session>(db, call, 'sessions', body.session_id)
  const clientId = body.client_id ?? session?.client_id ?? null
  refuseOther(session !== null && session.client_id !== clientId, '/client_id', 'not the client of this session')
  // Whoever reaches a session reaches whom it is with.
  const client = await (clientId === null
    ? null
    : session === null
      ? getReached<Client>(db, call, 'clients', clientId)
      : getClient(db, practice, clientId))
  return { session, client, own: await ownTemplateOf(db, practice, body.template) }
}

function refuseOther(isOther: boolean, pointer: string, message: string): void {
  if (isOther) throw new AppError('validation-failed', undefined, [{ pointer, code: 'mismatch', message }])
}

export function templateHandlers(): HandlersOf<'listTemplates' | 'getTemplate' | 'putTemplate'> {
  return {
    listTemplates:
      ({ practice, query }) =>
      async (db) => {
        const data = await listTemplates(db, practice, query)
        return { status: 200, data, touched: data.data.map(({ id }) => id) }
      },
    getTemplate:
      ({ practice, params }) =>
      async (db) => ({ status: 200, data: await getTemplate(db, practice, params.id), touched: [params.id] }),
    putTemplate:
      ({ practice, params, body, ifMatch, now }) =>
      async (db) => {
        const { id: _named, ...draft } = body
        const current = await findTemplate(db, practice, params.id)
        if (current) requireVersion(ifMatch, current)
        else if (ifMatch !== null) throw new Stale(null)
        const template: OwnTemplate = current
          ? changed({ ...current, ...draft }, now)
          : { ...draft, ...newRecord(params.id, now) }
        if (current) await updateTemplate(db, practice, template)
        else await atFreeId(db, 'templates', params.id, () => insertTemplate(db, practice, template))
        return { status: current ? 200 : 201, data: template, touched: [params.id] }
      },
  }
}
