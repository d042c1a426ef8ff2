import { newId } from '#base/ids.ts'
import { AppError } from '#contract/errors.ts'
import type { Analysis } from '#contract/model/analysis.ts'
import type { Client } from '#contract/model/client.ts'
import type { Session } from '#contract/model/session.ts'
import { requireConsent, isAgreed, type ConsentPolicy, agreedAnalysis } from '#service/access/consent.ts'
import { listNotes } from '#service/store/notes.ts'
import { lastTranscriptOf, storedTranscript } from '#service/store/transcripts.ts'
import type { Finish, JobServices, Work } from './run.ts'
import { insertAnalysis } from '../store/analyses.ts'
import { getClient } from '../store/clients.ts'
import { inPractice } from '../store/in-practice.ts'
import { type OperationRow, askerOf } from '../store/operations.ts'
import { newRecord } from '../store/records.ts'
import { getSession, sessionBefore } from '../store/sessions.ts'
import type { Database } from '../store/tables.ts'
import { draftClient, draftSession, saidIn } from './draft.ts'

export interface AnalyzeTask {
  readonly session_id: string | null
  readonly client_id: string | null
  readonly transcript_id: string | null
  readonly transcript?: string | null
  readonly focus: readonly string[]
  readonly goals: readonly string[]
  readonly looks_back?: boolean
}

type Ports = Pick<JobServices, 'db' | 'clock' | 'consentPolicy' | 'texts'>

export function analyzeWorker({ db, clock, consentPolicy, texts }: Ports) {
  return async (operation: OperationRow, work: Work): Promise<Finish> => {
    const task = JSON.parse(operation.payload ?? '') as AnalyzeTask
    const practice = operation.practice_id
    const requireAgreed = async (at: Database): Promise<Session | null> => {
      const session = task.session_id === null ? null : await getSession(at, practice, task.session_id)
      await requireConsent(at, practice, consentPolicy, session, 'analyze')
      return session
    }
    const { session, client, previous, said } = await inPractice(db, practice, async (read) => {
      const about = await requireAgreed(read)
      const whose = task.client_id === null ? null : await getClient(read, practice, task.client_id)
      return {
        session: about,
        client: whose,
        previous: about === null || task.looks_back === false ? null : await previousOf(read, practice, consentPolicy, about),
        said: await saidIn(read, operation, task, whose === null ? [] : namesOf(whose)),
      }
    })
    work.signal.throwIfAborted()
    const about = { session: session && draftSession(session), client: client && draftClient(client) }
    const { goals, focus } = task
    const body = await texts.analyse(practice, { kind: 'analyze', said, ...about, goals, focus, previous }, work.signal)
    return async (write) => {
      await requireAgreed(write)
      const { session_id, client_id } = task
      const record = newRecord(newId(clock), new Date(clock.now()).toISOString())
      const agreed = await agreedAnalysis(write, practice, consentPolicy, { ...body, session_id })
      if (agreed === null) throw new AppError('consent-missing')
      const analysis: Analysis = { ...agreed, session_id, client_id, ...record }
      await insertAnalysis(write, practice, analysis, askerOf(operation))
      const touched = [analysis.id, session_id, client_id].filter((id) => id !== null)
      return { kind: 'analysis', id: analysis.id, touched }
    }
  }
}

function namesOf(client: Client): string[] {
  return [client.display_name, client.given_name, client.family_name].filter((name) => name !== null)
}

async function previousOf(db: Database, practice: string, policy: ConsentPolicy, session: Session) {
  const before = await sessionBefore(db, practice, session)
  if (before === null || !(await isAgreed(db, practice, policy, before, 'analyze'))) return null
  const transcript = await lastTranscriptOf(db, practice, before.id)
  if (transcript === null) return null
  const note = (await listNotes(db, practice, { limit: 200, session_id: before.id })).data.at(-1)
  const plan = (note?.sections ?? [])
    .filter(({ key }) => /^(?:p|plan)$/i.test(key))
    .flatMap(({ statements }) => statements.map(({ text, evidence }) => ({ text, evidence })))
  const { body } = await storedTranscript(db, practice, transcript)
  const said = { kind: 'transcript', body } as const
  const { id, starts_at, time_zone } = before
  return { session_id: id, session: before, starts_at, time_zone, said, plan }
}
