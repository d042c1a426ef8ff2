import { newId } from '#base/ids.ts'
import { AppError } from '#contract/errors.ts'
import type { Session } from '#contract/model/session.ts'
import { idsWithin, requireReach, rowsWithin } from '#service/access/reach.ts'
import { requireConsent, readableAnalysis } from '#service/access/consent.ts'
import { askedBy } from '#service/access/audit-event.ts'
import type { Call, HandlersOf } from '#service/access/call.ts'
import type { Services } from './services.ts'
import type { AnalyzeTask } from '../jobs/analyze.ts'
import { requireReadable, requireReadableBody } from '#engines/texts/most-said.ts'
import { getAnalysis, listAnalyses } from '../store/analyses.ts'
import { getClient } from '../store/clients.ts'
import { insertOperation } from '../store/operations.ts'
import { getSession, sessionBefore } from '../store/sessions.ts'
import type { Write } from '../store/tables.ts'
import { storedTranscript } from '../store/transcripts.ts'

export function analysisHandlers(services: Services): HandlersOf<'analyze' | 'listAnalyses' | 'getAnalysis'> {
  const { clock, consentPolicy } = services
  return {
    analyze: (call) => async (write) => {
      const { body, practice, now } = call
      const { session, clientId } = await aboutWhom(write, call)
      const consent = await requireConsent(write, practice, consentPolicy, session, 'analyze')
      const task: AnalyzeTask = {
        session_id: session?.id ?? null,
        client_id: clientId,
        transcript_id: body.transcript_id ?? null,
        focus: body.focus,
        goals: body.goals,
        looks_back: session === null || (await reachesBefore(write, call, session)),
      }
      const operation = newId(clock)
      const payload = JSON.stringify(task)
      const agent = askedBy(call, consent)
      const asked = { practice_id: practice, kind: 'analyze', route: 'analyze', payload, agent } as const
      await insertOperation(write, { id: operation, ...asked }, now, body.transcript ?? null)
      return { operation, consent, touched: [operation, session?.id, clientId].filter((id) => typeof id === 'string') }
    },
    listAnalyses: (call) => async (db) => {
      const page = await listAnalyses(db, call.practice, call.query, rowsWithin('analyses', call.scope))
      const data = []
      for (const found of page.data) {
        const analysis = await readableAnalysis(db, call, consentPolicy, found)
        if (analysis !== null) data.push(analysis)
      }
      return { status: 200, data: { ...page, data }, touched: data.map(({ id }) => id) }
    },
    getAnalysis: (call) => async (db) => {
      const { practice, params } = call
      await requireReach(db, call, 'analyses', params.id)
      const data = await readableAnalysis(db, call, consentPolicy, await getAnalysis(db, practice, params.id))
      if (data === null) throw new AppError('consent-missing')
      return { status: 200, data, touched: [params.id] }
    },
  }
}

type Reaching = Pick<Call, 'practice' | 'scope'>

/** Whether the session before this one, where there is one, is within reach too. */
async function reachesBefore(db: Write, { practice, scope }: Reaching, session: Session): Promise<boolean> {
  if (scope.clinicians === 'all') return true
  const before = await sessionBefore(db, practice, session)
  return before === null || (await idsWithin(db, practice, scope, 'sessions', [before.id])).has(before.id)
}

/** The session and client the call names; a transcript brings its session along. */
async function aboutWhom(write: Write, call: Call<'analyze'>) {
  const { body, practice } = call
  if (body.transcript_id !== undefined) await requireReach(write, call, 'transcripts', body.transcript_id)
  const transcript = body.transcript_id === undefined ? null : await storedTranscript(write, practice, body.transcript_id)
  if (transcript === null) requireReadable(body.transcript ?? '')
  else requireReadableBody(transcript.body)
  if (transcript === null && body.transcript?.trim() === '') throw new AppError('nothing-said')
  const known = transcript?.session_id ?? null
  refuse(known !== null && body.session_id !== undefined && body.session_id !== known, '/transcript_id', 'of another session')
  const sessionId = body.session_id ?? known
  if (sessionId !== null) await requireReach(write, call, 'sessions', sessionId)
  const session = sessionId === null ? null : await getSession(write, practice, sessionId)
  refuse(
    session !== null && body.client_id !== undefined && body.client_id !== session.client_id,
    '/client_id',
    'not the client of this session',
  )
  const clientId = body.client_id ?? session?.client_id ?? null
  if (clientId !== null && session === null) await requireReach(write, call, 'clients', clientId)
  if (clientId !== null) await getClient(write, practice, clientId)
  return { session, clientId }
}

function refuse(isOther: boolean, pointer: string, message: string): void {
  if (isOther) throw new AppError('validation-failed', undefined, [{ pointer, code: 'mismatch', message }])
}
