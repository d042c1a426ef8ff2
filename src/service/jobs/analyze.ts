import { newId } from '#base/ids.ts'
import { AppError } from '#contract/errors.ts'
import type { Analysis, AnalysisBody } from '#contract/model/analysis.ts'
import type { Client } from '#contract/model/client.ts'
import type { Session } from '#contract/model/session.ts'
import { previousOf } from '../analysis/previous.ts'
import type { AnalysisRequest } from '../analysis/request.ts'
import { agreedAnalysis } from '../agreed-analysis.ts'
import { requireConsent } from '../consent.ts'
import type { Services } from '../handler.ts'
import { requireReadable } from '../most-said.ts'
import { insertAnalysis } from '../store/analyses.ts'
import { getClient } from '../store/clients.ts'
import { inPractice } from '../store/in-practice.ts'
import type { OperationRow } from '../store/operations.ts'
import { askerOf } from '../store/operations.ts'
import { newRecord } from '../store/records.ts'
import { getSession } from '../store/sessions.ts'
import type { Database } from '../store/tables.ts'
import { getTranscript } from '../store/transcripts.ts'
import { readTranscriptText } from '../transcript-text.ts'
import { draftClient, draftSession } from './draft.ts'
import type { Finish, Work } from './run.ts'

/** What the operation keeps until it is over. */
export interface AnalyzeTask {
  readonly session_id: string | null
  readonly client_id: string | null
  /** One of the two is set. */
  readonly transcript_id: string | null
  readonly transcript: string | null
  readonly focus: readonly string[]
  readonly goals: readonly string[]
  /** False where the session before is out of reach of who asks. */
  readonly looks_back?: boolean
}

/** What reads a session; by rules, and free to be another. */
export type Analyse = (request: AnalysisRequest, signal: AbortSignal) => AnalysisBody | Promise<AnalysisBody>

type Ports = Pick<Services, 'db' | 'clock' | 'consentPolicy'> & { readonly analyse: Analyse }

export function analyzeWorker({ db, clock, consentPolicy, analyse }: Ports) {
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
        said: await saidIn(read, practice, task, whose),
      }
    })
    // It may have been put anew since it was asked for.
    requireReadable(said)
    work.signal.throwIfAborted()
    const body = await analyse(
      {
        ...said,
        session: session && draftSession(session),
        client: client && draftClient(client),
        goals: task.goals,
        focus: task.focus,
        previous,
      },
      work.signal,
    )
    return async (write) => {
      // Taken back while it was read, or somebody joined; then what was found is dropped.
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

async function saidIn(db: Database, practice: string, task: AnalyzeTask, client: Client | null) {
  if (task.transcript_id !== null) return getTranscript(db, practice, task.transcript_id)
  const names = client ? [client.display_name, client.given_name, client.family_name].filter((name) => name !== null) : []
  return readTranscriptText(task.transcript ?? '', { client: names })
}
