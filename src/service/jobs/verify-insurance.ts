import { timestamp } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import { AppError } from '#contract/errors.ts'
import type { CoverageRequest, StoredCoverage } from '#contract/model/coverage.ts'
import type { CleanUp, JobServices, Worker } from './run.ts'
import type { GatewayName, Question } from '../payer/desk.ts'
import type { EligibilityRaw } from '../payer/port.ts'
import { readCoverage, isOutage } from '../payer/reading/read-coverage.ts'
import { insertCoverage } from '../store/coverages.ts'
import { askerOf, type OperationRow } from '../store/operations.ts'
import { newRecord } from '../store/records.ts'
import type { Write } from '../store/tables.ts'

export interface VerifyTask {
  readonly gateway: GatewayName
  readonly question: Question
  readonly network: CoverageRequest['network']
  readonly client_id: string | null
  readonly question_hash: string
}

const silence: EligibilityRaw = {
  media_type: 'application/json',
  text: '',
  payer: { id: null, name: null },
  dates: [],
  references: [],
  benefits: [],
  rejections: [],
}

/** Queries the payer and stores its answer. An outage fails the operation but is also stored as a result. */
export function verifyInsurance({ clock, payer }: Pick<JobServices, 'clock' | 'payer'>): { worker: Worker; cleanUp: CleanUp } {
  const unanswered = new WeakMap<OperationRow, EligibilityRaw>()

  const worker: Worker = async (operation, { signal }) => {
    const task = taskOf(operation)
    const raw = await ask(operation, task, signal)
    return async (write) => {
      const coverage = await keep(write, operation, task, raw)
      return { kind: 'coverage', id: coverage.id, touched: [coverage.id, ...clientOf(task)] }
    }
  }

  const cleanUp: CleanUp = async (write, operation) => {
    const raw = unanswered.get(operation)
    if (raw !== undefined) await keep(write, operation, taskOf(operation), raw)
  }
  return { worker, cleanUp }

  async function ask(operation: OperationRow, task: VerifyTask, signal: AbortSignal): Promise<EligibilityRaw> {
    try {
      const inquiry = { ...task.question, trace: operation.id, asked_at: clock.now() }
      const raw = await payer.ask(operation.practice_id, task.gateway, inquiry, signal)
      if (raw.benefits.length > 0 || !isOutage(raw.rejections)) return raw
      unanswered.set(operation, raw)
    } catch (error) {
      if (error instanceof AppError && error.code === 'payer-unavailable') unanswered.set(operation, silence)
      throw error
    }
    throw new AppError('payer-unavailable')
  }

  async function keep(write: Write, operation: OperationRow, task: VerifyTask, raw: EligibilityRaw): Promise<StoredCoverage> {
    const coverage = coverageOf(newId(clock), timestamp(clock), task, raw)
    await insertCoverage(write, operation.practice_id, coverage, {
      author_id: askerOf(operation),
      question: task.question_hash,
      is_answer: coverage.errors.length === 0 && raw.benefits.length > 0,
      raw: raw.text === '' ? null : raw,
    })
    return coverage
  }
}

function coverageOf(id: string, now: string, task: VerifyTask, raw: EligibilityRaw): StoredCoverage {
  const { question, network, gateway } = task
  const { cpt_codes, place_of_service } = question
  const read = readCoverage(raw, { cpt_codes, network, place_of_service })
  return {
    ...newRecord(id, now),
    eligibility_id: id,
    checked_at: now,
    source: gateway === 'sandbox' ? 'sandbox' : 'live',
    client_id: task.client_id,
    service_date: question.service_date,
    payer: { id: question.payer.id, name: raw.payer.name ?? question.payer.name },
    ...read,
    status: raw === silence ? 'payer_unavailable' : read.status,
    raw_ref: raw.text === '' ? null : `raw_${id}`,
  }
}

const taskOf = (operation: OperationRow): VerifyTask => JSON.parse(operation.payload ?? '') as VerifyTask
const clientOf = ({ client_id }: VerifyTask): string[] => (client_id === null ? [] : [client_id])
