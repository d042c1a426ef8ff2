import type { OwnTemplate } from '#contract/model/template.ts'
import type { HandlersOf } from '#service/access/call.ts'
import { requireVersion, Stale } from '#service/kernel/stale.ts'
import { atFreeId, changed, newRecord } from '../store/records.ts'
import { findTemplate, getTemplate, insertTemplate, listTemplates, updateTemplate } from '../store/templates.ts'

export function templateHandlers(): HandlersOf<'listTemplates' | 'getTemplate' | 'putTemplate'> {
  return {
    listTemplates:
      ({ practice, query }) =>
      async (db) => {
        const data = await listTemplates(db, practice, query)
        return { status: 200, data, touched: data.data.map(({ id }) => id) }
      },
    getTemplate:
      ({ practice, params }) =>
      async (db) => ({ status: 200, data: await getTemplate(db, practice, params.id), touched: [params.id] }),
    putTemplate:
      ({ practice, params, body, ifMatch, now }) =>
      async (db) => {
        const { id: _named, ...draft } = body
        const current = await findTemplate(db, practice, params.id)
        if (current) requireVersion(ifMatch, current)
        else if (ifMatch !== null) throw new Stale(null)
        const template: OwnTemplate = current
          ? changed({ ...current, ...draft }, now)
          : { ...draft, ...newRecord(params.id, now) }
        if (current) await updateTemplate(db, practice, template)
        else await atFreeId(db, 'templates', params.id, () => insertTemplate(db, practice, template))
        return { status: current ? 200 : 201, data: template, touched: [params.id] }
      },
  }
}
