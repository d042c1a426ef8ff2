import { AppError } from '#contract/errors.ts'
import type { InstalledModel, ModelFile, RecognizerKind, SelfTestResult } from '#contract/model/speech-model.ts'
import { inPractice } from './in-practice.ts'
import type { OperationRow } from './operations.ts'
import { selectIn } from './records.ts'
import type { Database, Tables, Write } from './tables.ts'

export interface StoredFile extends ModelFile {
  readonly role: string
  readonly mtime_ms: number
}

export interface ModelRecord extends Omit<InstalledModel, 'files' | 'bytes'> {
  readonly rank: number
  readonly files: readonly StoredFile[]
}

export async function listModels(db: Database): Promise<ModelRecord[]> {
  return (await db.selectFrom('models').selectAll().orderBy('rank', 'desc').orderBy('id').execute()).map(recordOf)
}

export async function findModel(db: Database, id: string): Promise<ModelRecord | null> {
  const row = await db.selectFrom('models').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : recordOf(row)
}

export async function getModel(db: Database, id: string): Promise<ModelRecord> {
  const found = await findModel(db, id)
  if (found === null) throw new AppError('not-found')
  return found
}

export async function putModel(db: Write, record: Omit<ModelRecord, 'chosen'>): Promise<void> {
  const before = await findModel(db, record.id)
  await db.deleteFrom('models').where('id', '=', record.id).execute()
  const others = await db.selectFrom('models').select('id').where('task', '=', record.task).where('chosen', '=', 1).execute()
  const chosen = before?.chosen === true || others.length === 0
  const row = rowOf({ ...record, chosen })
  await db.insertInto('models').values(row).execute()
}

export async function chooseModel(db: Write, { id, task }: Pick<ModelRecord, 'id' | 'task'>): Promise<void> {
  await db.updateTable('models').set({ chosen: 0 }).where('task', '=', task).execute()
  await db.updateTable('models').set({ chosen: 1 }).where('id', '=', id).execute()
}

export async function deleteModel(db: Write, { id, task, chosen }: ModelRecord): Promise<void> {
  await db.deleteFrom('models').where('id', '=', id).execute()
  if (!chosen) return
  const others = db.selectFrom('models').select('id').where('task', '=', task)
  const next = await others.orderBy('rank', 'desc').orderBy('id').executeTakeFirst()
  if (next !== undefined) await chooseModel(db, { id: next.id, task })
}

export async function setSelfTest(db: Database, id: string, result: SelfTestResult | null, problem: string | null) {
  const self_test = result === null ? null : JSON.stringify(result)
  await db.updateTable('models').set({ self_test, self_test_problem: problem }).where('id', '=', id).execute()
}

export async function setFiles(db: Database, id: string, files: readonly StoredFile[]): Promise<void> {
  const change = { files: JSON.stringify(files) }
  await db.updateTable('models').set(change).where('id', '=', id).execute()
}

export function installedModelOf({ rank: _, files, ...record }: ModelRecord): InstalledModel {
  const shown = files.map(({ name, bytes, sha256, checksum_from }) => ({ name, bytes, sha256, checksum_from }))
  return { ...record, bytes: shown.reduce((sum, { bytes }) => sum + bytes, 0), files: shown }
}

export async function recordInstall(db: Write, operation_id: string, model_id: string): Promise<void> {
  await forgetInstalls(db, model_id)
  await db.insertInto('model_installs').values({ operation_id, model_id }).execute()
}

export function lastInstalls(db: Database, practice: string): Promise<ReadonlyMap<string, OperationRow>> {
  return inPractice(db, practice, async (read) => {
    const rows = await selectIn(read, 'operations', practice)
      .innerJoin('model_installs', 'operations.id', 'model_installs.operation_id')
      .select('model_installs.model_id')
      .selectAll('operations')
      .orderBy('operations.created_at')
      .orderBy('operations.id')
      .execute()
    return new Map(rows.map(({ model_id, ...row }) => [model_id, row]))
  })
}

export async function forgetInstalls(db: Write, model_id: string): Promise<void> {
  await db.deleteFrom('model_installs').where('model_id', '=', model_id).execute()
}

export async function resetDownloadCount(db: Database, operation: string): Promise<void> {
  await db.updateTable('operations').set({ attempts: 0 }).where('id', '=', operation).execute()
}

function recordOf({ languages, files, chosen, self_test, kind, ...row }: Tables['models']): ModelRecord {
  return {
    ...row,
    kind: kind as RecognizerKind | null,
    languages: JSON.parse(languages) as string[],
    files: JSON.parse(files) as StoredFile[],
    chosen: chosen === 1,
    self_test: self_test === null ? null : (JSON.parse(self_test) as SelfTestResult),
  }
}

function rowOf({ languages, files, chosen, self_test, ...record }: ModelRecord): Tables['models'] {
  return {
    ...record,
    languages: JSON.stringify(languages),
    files: JSON.stringify(files),
    chosen: chosen ? 1 : 0,
    self_test: self_test === null ? null : JSON.stringify(self_test),
  }
}
