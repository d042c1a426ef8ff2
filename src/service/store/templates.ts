import { ownTemplateId, type OwnTemplate, type Template } from '#contract/model/template.ts'
import type { Page, PageQuery } from './records.ts'
import { changesOf, findRecord, getRecord, pageOfRecords, rowOf } from './records.ts'
import type { Database, Write } from './tables.ts'

export const getTemplate = (db: Database, practice: string, id: string): Promise<OwnTemplate> =>
  getRecord(db, 'templates', practice, id)
export const findTemplate = (db: Database, practice: string, id: string): Promise<OwnTemplate | null> =>
  findRecord(db, 'templates', practice, id)
export const listTemplates = (db: Database, practice: string, query: PageQuery): Promise<Page<OwnTemplate>> =>
  pageOfRecords(db, 'templates', practice, query)

/**
 * The custom template a request names; null for a built-in template.
 *
 * @throws AppError `not-found`, `gone`
 */
export async function ownTemplateOf(db: Database, practice: string, template: Template): Promise<OwnTemplate | null> {
  const id = ownTemplateId(template)
  return id === null ? null : getTemplate(db, practice, id)
}

export async function insertTemplate(db: Write, practice: string, template: OwnTemplate): Promise<void> {
  await db.insertInto('templates').values(rowOf(practice, template)).execute()
}

export async function updateTemplate(db: Write, practice: string, template: OwnTemplate): Promise<void> {
  await db
    .updateTable('templates')
    .set(changesOf(template))
    .where('practice_id', '=', practice)
    .where('id', '=', template.id)
    .execute()
}
