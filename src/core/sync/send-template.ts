import type { ServiceClient } from '#client/client.ts'
import { canonicalJson } from '#contract/model/note-canonical.ts'
import type { OwnTemplate } from '#contract/model/template.ts'
import { etag, failedWith } from './sending.ts'

/** A form travels with the first note drafted in it: the service has it as it stands here, or gets it now. */
export async function sendTemplate(client: ServiceClient, form: OwnTemplate, signal: AbortSignal): Promise<void> {
  const params = { id: form.id }
  const body = contentOf(form)
  const stored = await client
    .call('getTemplate', { params, signal })
    .then(({ data }) => data)
    .catch((error: unknown) => {
      if (failedWith(error, 'not-found')) return null
      throw error
    })
  if (stored !== null && canonicalJson(contentOf(stored)) === canonicalJson(body)) return
  await client.call('putTemplate', { params, body, signal, ...(stored === null ? {} : { ifMatch: etag(stored.version) }) })
}

const contentOf = ({ name, sections, style }: OwnTemplate) => ({ name, sections, style })
