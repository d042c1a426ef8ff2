import type { ServiceClient } from '#client/client.ts'
import type { OwnTemplate } from '#contract/model/template.ts'
import { AppError } from '#contract/errors.ts'
import type { TemplateRepository } from '#core/records/templates/template-repository.ts'
import type { Merge } from './merge/merge.ts'
import { hashTemplate } from './merge/merge-template.ts'
import { etag, failedWith } from '#core/outbox/sending.ts'

interface Parts {
  readonly templates: TemplateRepository
  readonly merge: Pick<Merge, 'refused' | 'keepCommon' | 'isAsked'>
}

/** @throws AppError `stale-version` if a conflict must be resolved first */
export async function sendTemplate(parts: Parts, sending: SendingTemplate, more = 2): Promise<void> {
  try {
    await sendOnce(parts, sending)
  } catch (error) {
    const isAsked = parts.merge.isAsked('template', sending.id)
    // The template changed at the service between reading and sending.
    if (isAsked || more === 0 || !failedWith(error, 'stale-version', 'version-required')) throw error
    await sendTemplate(parts, sending, more - 1)
  }
}

interface SendingTemplate {
  readonly client: ServiceClient
  readonly id: string
  readonly signal: AbortSignal
}

async function sendOnce({ templates, merge }: Parts, { client, id, signal }: SendingTemplate): Promise<void> {
  const stored = await client
    .call('getTemplate', { params: { id }, signal })
    .then(({ data }) => data)
    .catch((error: unknown) => {
      if (failedWith(error, 'not-found')) return null
      throw error
    })
  if (stored !== null) merge.refused({ kind: 'template', record: stored })
  if (merge.isAsked('template', id)) throw new AppError('stale-version')
  const form = templates.find(id)
  if (form === null) throw new AppError('not-found')
  if (stored !== null && hashTemplate(stored) === hashTemplate(form)) return
  const match = stored === null ? {} : { ifMatch: etag(stored.version) }
  const { data } = await client.call('putTemplate', { params: { id }, body: contentOf(form), signal, ...match })
  merge.keepCommon('template', id, { version: data.version, hash: hashTemplate(data), created_at: data.created_at })
}

const contentOf = ({ name, sections, style }: OwnTemplate) => ({ name, sections, style })
