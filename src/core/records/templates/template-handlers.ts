import type { Handlers } from '#contract/bridge/methods.ts'
import { AppError } from '#contract/errors.ts'
import { ownTemplateDraftSchema, type OwnTemplate } from '#contract/model/template.ts'
import type { Clock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { MakeChange } from '#core/records/change.ts'
import { sectionsOfExample } from './from-example.ts'
import type { TemplateRepository } from './template-repository.ts'

interface Parts {
  readonly templates: TemplateRepository
  readonly change: MakeChange
  readonly clock: Clock
}

type Names = 'templates.list' | 'templates.save' | 'templates.remove' | 'templates.fromExample'

/** A form reaches the service together with the first note that is drafted in it (sync/send-work). */
export function templateHandlers({ templates, change, clock }: Parts): Handlers<Names> {
  return {
    'templates.list': () => templates.list(),
    'templates.save': ({ id, version, ...fields }) =>
      change(['templates'], ({ at, audit }) => {
        const before = id === null ? null : templates.find(id)
        if (id !== null && before === null && version !== null) throw new AppError('not-found')
        if ((before?.version ?? null) !== version) throw new AppError('stale-version')
        const body = ownTemplateDraftSchema.omit({ id: true }).parse(fields)
        const template: OwnTemplate = {
          ...body,
          id: id ?? newId(clock),
          created_at: before?.created_at ?? at,
          updated_at: at,
          version: (before?.version ?? 0) + 1,
        }
        templates.put(template)
        audit({ action: before === null ? 'template.created' : 'template.changed', subject_id: template.id })
        return template
      }),
    'templates.remove': ({ id }) =>
      change(['templates'], ({ at, audit }) => {
        if (templates.find(id) === null) throw new AppError('not-found')
        templates.remove(id, at)
        audit({ action: 'template.removed', subject_id: id })
        return {}
      }),
    'templates.fromExample': ({ text }) => sectionsOfExample(text),
  }
}
