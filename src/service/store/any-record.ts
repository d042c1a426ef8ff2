import { AppError, isErrorCode } from '#contract/errors.ts'
import type { Operation } from '#contract/model/operation.ts'
import { problemOf } from '#service/kernel/problem.ts'
import { countedOne } from './coverages.ts'
import { findApiKey } from './api-keys.ts'
import type { RecordKind } from './idempotency.ts'
import { findModel, installedModelOf } from './models.ts'
import { findNote } from './notes.ts'
import { findRecord } from './records.ts'
import { bookedAnswer } from './schedule.ts'
import type { Database } from './tables.ts'
import { findUpload } from './uploads.ts'
import type { OperationRow, ResultKind } from './operations.ts'

export const recordTables = {
  client: 'clients',
  session: 'sessions',
  consent: 'consents',
  transcript: 'transcripts',
  analysis: 'analyses',
  staff: 'staff',
  'break-glass': 'break_glass',
  'legal-hold': 'legal_holds',
  erasure: 'erasures',
  coverage: 'coverages',
} as const

export async function loadRecord(db: Database, practice: string, kind: RecordKind, id: string): Promise<unknown> {
  if (kind === 'upload') {
    const upload = await findUpload(db, practice, id)
    return upload && { id, complete: true, bytes: upload.bytes }
  }
  if (kind === 'model') {
    const model = await findModel(db, id)
    return model && installedModelOf(model)
  }
  if (kind === 'api-key') {
    const key = await findApiKey(db, practice, id)
    return key && { ...key, secret: null }
  }
  if (kind === 'authorisation') {
    const kept = await findRecord(db, 'authorisations', practice, id)
    return kept && countedOne(db, practice, kept)
  }
  if (kind === 'note') return findNote(db, practice, id)
  if (kind === 'booking') return bookedAnswer(db, practice, id)
  if (kind === 'operation') throw new AppError('internal')
  return findRecord(db, recordTables[kind], practice, id)
}

export async function operationOf(db: Database, row: OperationRow): Promise<Operation> {
  const { id, kind, status, progress, created_at, updated_at } = row
  const code = isErrorCode(row.error_code) ? row.error_code : 'internal'
  const result = status === 'succeeded' ? await resultData(db, row) : null
  const problem = status === 'failed' ? problemOf(new AppError(code, row.error_detail ?? undefined), id) : null
  return { id, kind, status, progress, result, problem, created_at, updated_at }
}

export async function resultData(db: Database, row: OperationRow): Promise<unknown> {
  if (row.result_kind === null || row.result_id === null) return null
  return loadRecord(db, row.practice_id, row.result_kind as ResultKind, row.result_id)
}
