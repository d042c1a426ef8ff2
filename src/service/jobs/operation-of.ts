import { AppError, isErrorCode } from '#contract/errors.ts'
import type { Operation } from '#contract/model/operation.ts'
import { problemOf } from '#service/kernel/problem.ts'
import { loadRecord } from '../store/any-record.ts'
import type { OperationRow } from '../store/operations.ts'
import type { Database } from '../store/tables.ts'

/** The result is the current record, not a stored copy. */
export async function operationOf(db: Database, row: OperationRow): Promise<Operation> {
  const code = isErrorCode(row.error_code) ? row.error_code : 'internal'
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    progress: row.progress,
    result: row.status === 'succeeded' ? await resultData(db, row) : null,
    problem: row.status === 'failed' ? problemOf(new AppError(code, row.error_detail ?? undefined), row.id) : null,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

export async function resultData(db: Database, row: OperationRow): Promise<unknown> {
  if (row.result_kind === null || row.result_id === null) return null
  return loadRecord(
    db,
    row.practice_id,
    row.result_kind as 'transcript' | 'note' | 'analysis' | 'model' | 'coverage',
    row.result_id,
  )
}
