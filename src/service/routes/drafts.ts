import { newId } from '#base/ids.ts'
import { AppError } from '#contract/errors.ts'
import { requireConsent } from '../consent.ts'
import { agentOf } from '../guards/audit.ts'
import type { HandlersOf, Services } from '../handler.ts'
import type { DraftTask } from '../jobs/draft.ts'
import { checkDataDraft } from '../language/check/check-data-draft.ts'
import { draftClient, draftSession, storeDraft } from '../jobs/draft.ts'
import { getClient } from '../store/clients.ts'
import { inPractice } from '../store/in-practice.ts'
import { insertOperation } from '../store/operations.ts'
import { getSession } from '../store/sessions.ts'
import { ownTemplateOf } from '../store/templates.ts'
import { getTranscript } from '../store/transcripts.ts'

type FromTranscript = 'generateNote'
type FromData = 'generateNoteFromData'

export function draftHandlers(services: Services): HandlersOf<FromTranscript | FromData> {
  return { ...fromTranscript(services), ...fromData(services) }
}

function fromTranscript({ clock, consentPolicy }: Services): HandlersOf<FromTranscript> {
  return {
    generateNote: (call) => async (write) => {
      const { body, practice, now } = call
      const session = await getSession(write, practice, body.session_id)
      await getClient(write, practice, body.client_id)
      refuseOther(session.client_id !== body.client_id, '/client_id', 'not the client of this session')
      if (body.transcript_id !== undefined) {
        const transcript = await getTranscript(write, practice, body.transcript_id)
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
        transcript: body.transcript ?? null,
        without_ai: body.without_ai ?? false,
      }
      const operation = newId(clock)
      const agent = JSON.stringify({
        agent: agentOf(call.caller),
        source: call.caller.source,
        request_id: call.requestId,
        consent,
      })
      const asked = {
        practice_id: practice,
        kind: 'generate-note',
        route: 'generateNote',
        payload: JSON.stringify(task),
        agent,
      } as const
      await insertOperation(write, { id: operation, ...asked }, now)
      return { operation, consent, touched: [operation, session.id, body.client_id] }
    },
  }
}

function fromData({ db, clock, language }: Services): HandlersOf<FromData> {
  return {
    generateNoteFromData: async ({ body, practice }) => {
      const { session, clientId, client, own } = await inPractice(db, practice, async (read) => {
        const about = body.session_id === undefined ? null : await getSession(read, practice, body.session_id)
        const id = body.client_id ?? about?.client_id ?? null
        const whose = id === null ? null : await getClient(read, practice, id)
        const form = await ownTemplateOf(read, practice, body.template)
        return { session: about, clientId: id, client: whose, own: form }
      })
      refuseOther(session !== null && session.client_id !== clientId, '/client_id', 'not the client of this session')
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
      const draft = checkDataDraft(await language.rules.draftFromData(fields), fields)
      return async (write) => {
        const note = await storeDraft(write, practice, newId(clock), clock.now(), draft, session?.id ?? null, clientId)
        const touched = [note.id, session?.id, clientId].filter((id) => typeof id === 'string')
        return { status: 201, data: note, record: { kind: 'note', id: note.id, version: 1 }, touched }
      }
    },
  }
}

function refuseOther(isOther: boolean, pointer: string, message: string): void {
  if (isOther) throw new AppError('validation-failed', undefined, [{ pointer, code: 'mismatch', message }])
}
