import { newId } from '#base/ids.ts'
import { AppError } from '#contract/errors.ts'
import { requireConsent, readableAnalysis } from '#service/access/consent.ts'
import type { Session } from '#contract/model/session.ts'
import { getReached, requireReach, idsWithin, rowsWithin } from '#service/access/reach.ts'
import { type Call, foundReply, type HandlersOf, pageReply, putReply, queueOperation } from '#service/access/call.ts'
import type { Services } from './services.ts'
import { draftClient, draftSession, type DraftTask, ownTemplateOf, storeDraft } from '../jobs/draft.ts'
import { requireReadable, requireReadableBody } from '#engines/texts/text-work.ts'
import { getClient } from '../store/clients.ts'
import { readSnapshot } from '../store/in-practice.ts'
import { sessionBefore } from '../store/sessions.ts'
import type { Database, Write } from '../store/tables.ts'
import { findTemplate, getTemplate, listTemplates, putTemplate } from '../store/notes.ts'
import { storedTranscript } from '../store/transcripts.ts'
import type { OwnTemplate } from '#contract/model/template.ts'
import { invalid, requirePutVersion } from '#service/kernel/problem.ts'
import { changed, newRecord } from '../store/records.ts'
import type { AnalyzeTask } from '../jobs/analyze.ts'
import { listAnalyses } from '../store/analyses.ts'

type FromTranscript = 'generateNote'
type FromData = 'generateNoteFromData'

export function draftHandlers(services: Services): HandlersOf<FromTranscript | FromData> {
  return { ...fromTranscript(services), ...fromData(services) }
}

function fromTranscript({ clock, consentPolicy }: Services): HandlersOf<FromTranscript> {
  return {
    generateNote: (call) => async (write) => {
      const { body, practice } = call
      requireReadable(body.transcript ?? '')
      const session = await getReached(write, call, 'sessions', body.session_id)
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
        // Test keys must not call a model, which may be a cloud service.
        without_ai: call.caller.is_test || (body.without_ai ?? false),
      }
      const asked = { kind: 'generate-note', route: 'generateNote', payload: JSON.stringify(task) } as const
      const operation = await queueOperation(write, clock, call, { ...asked, consent, text: body.transcript })
      return { operation, consent, touched: [operation, session.id, body.client_id] }
    },
  }
}

function fromData({ db, clock, texts, closing }: Services): HandlersOf<FromData> {
  return {
    generateNoteFromData: async (call) => {
      const { body, practice } = call
      const { session, client, own } = await readSnapshot(db, practice, (read) => aboutWhom(read, call))
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

async function aboutWhom(db: Database, call: Call<FromData>) {
  const { body, practice } = call
  const session = body.session_id === undefined ? null : await getReached(db, call, 'sessions', body.session_id)
  const clientId = body.client_id ?? session?.client_id ?? null
  refuseOther(session !== null && session.client_id !== clientId, '/client_id', 'not the client of this session')
  const client = await (clientId === null
    ? null
    : session === null
      ? getReached(db, call, 'clients', clientId)
      : getClient(db, practice, clientId))
  return { session, client, own: await ownTemplateOf(db, practice, body.template) }
}

function refuseOther(isOther: boolean, pointer: string, message: string): void {
  if (isOther) throw invalid(pointer, 'mismatch', message)
}

export function templateHandlers(): HandlersOf<'listTemplates' | 'getTemplate' | 'putTemplate'> {
  return {
    listTemplates: (call) => async (db) => pageReply(await listTemplates(db, call.practice, call.query)),
    getTemplate: (call) => async (db) => foundReply(await getTemplate(db, call.practice, call.params.id)),
    putTemplate: (call) => async (db) => {
      const { practice, params, body, ifMatch, now } = call
      const { id: _named, ...draft } = body
      const current = await findTemplate(db, practice, params.id)
      requirePutVersion(ifMatch, current)
      const template: OwnTemplate = current ? changed({ ...current, ...draft }, now) : { ...draft, ...newRecord(params.id, now) }
      await putTemplate(db, practice, template)
      return putReply(template)
    },
  }
}

export function analysisHandlers(services: Services): HandlersOf<'analyze' | 'listAnalyses' | 'getAnalysis'> {
  const { clock, consentPolicy } = services
  return {
    analyze: (call) => async (write) => {
      const { body, practice } = call
      const { session, clientId } = await askedAbout(write, call)
      const consent = await requireConsent(write, practice, consentPolicy, session, 'analyze')
      const task: AnalyzeTask = {
        session_id: session?.id ?? null,
        client_id: clientId,
        transcript_id: body.transcript_id ?? null,
        focus: body.focus,
        goals: body.goals,
        looks_back: session === null || (await reachesBefore(write, call, session)),
      }
      const asked = { kind: 'analyze', route: 'analyze', payload: JSON.stringify(task) } as const
      const operation = await queueOperation(write, clock, call, { ...asked, consent, text: body.transcript })
      return { operation, consent, touched: [operation, session?.id, clientId].filter((id) => typeof id === 'string') }
    },
    listAnalyses: (call) => async (db) => {
      const page = await listAnalyses(db, call.practice, call.query, rowsWithin('analyses', call.scope))
      const data = []
      for (const found of page.data) {
        const analysis = await readableAnalysis(db, call, consentPolicy, found)
        if (analysis !== null) data.push(analysis)
      }
      return pageReply({ ...page, data })
    },
    getAnalysis: (call) => async (db) => {
      const stored = await getReached(db, call, 'analyses', call.params.id)
      const data = await readableAnalysis(db, call, consentPolicy, stored)
      if (data === null) throw new AppError('consent-missing')
      return foundReply(data)
    },
  }
}

type Reaching = Pick<Call, 'practice' | 'scope'>

async function reachesBefore(db: Write, { practice, scope }: Reaching, session: Session): Promise<boolean> {
  if (scope.clinicians === 'all') return true
  const before = await sessionBefore(db, practice, session)
  return before === null || (await idsWithin(db, practice, scope, 'sessions', [before.id])).has(before.id)
}

async function askedAbout(write: Write, call: Call<'analyze'>) {
  const { body, practice } = call
  if (body.transcript_id !== undefined) await requireReach(write, call, 'transcripts', body.transcript_id)
  const transcript = body.transcript_id === undefined ? null : await storedTranscript(write, practice, body.transcript_id)
  if (transcript === null) requireReadable(body.transcript ?? '')
  else requireReadableBody(transcript.body)
  if (transcript === null && body.transcript?.trim() === '') throw new AppError('nothing-said')
  const known = transcript?.session_id ?? null
  refuseOther(
    known !== null && body.session_id !== undefined && body.session_id !== known,
    '/transcript_id',
    'of another session',
  )
  const sessionId = body.session_id ?? known
  const session = sessionId === null ? null : await getReached(write, call, 'sessions', sessionId)
  refuseOther(
    session !== null && body.client_id !== undefined && body.client_id !== session.client_id,
    '/client_id',
    'not the client of this session',
  )
  const clientId = body.client_id ?? session?.client_id ?? null
  if (clientId !== null && session === null) await requireReach(write, call, 'clients', clientId)
  if (clientId !== null) await getClient(write, practice, clientId)
  return { session, clientId }
}
