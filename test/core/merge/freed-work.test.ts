import { expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import { consentSchema } from '#contract/model/consent.ts'
import { ownTemplateSchema } from '#contract/model/template.ts'
import { failed } from '#core/records/work/work-repository.ts'
import { at, mergeVault, record } from './merge-vault.ts'

/** A draft that needs somebody for this reason, as its session's page says. */
function heldDraft(error: string, template: 'soap' | `own:${string}`) {
  const opened = mergeVault()
  const { records, outbox, client, session } = opened
  const about = { client_id: client.id, session_id: session.id, subject_id: session.id }
  outbox.add({ kind: 'draft-note', ...about, body: { template, base: null } })
  outbox.needsYou(outbox.workOf(client.id)[0]!.id, error)
  records.work.set(session.id, 'draft', failed(error))
  return { ...opened, draft: () => [outbox.workOf(client.id)[0]!.state, records.work.get(session.id, 'draft').state] }
}

test('a draft that lacked somebody’s agreement goes on, and says so, once that was given elsewhere', () => {
  const { merge, client, draft } = heldDraft('consent-missing', 'soap')
  expect(draft()).toEqual(['needs_you', 'failed'])
  const about = { ...record, id: newId(systemClock), client_id: client.id }
  const agreement = { participant: { name: 'Ana', role: 'client' }, scopes: ['draft'], text_version: '1', method: 'spoken' }
  const consent = consentSchema.parse({ ...about, ...agreement, given_at: at, revoked_at: null })
  merge.take({ kind: 'consent', record: consent })
  expect(draft()).toEqual(['waiting', 'waiting'])
})

test('a draft that waited for a form goes on once that says the same on both sides, or was erased; for another form it waits', () => {
  const [form, other] = [newId(systemClock), newId(systemClock)]
  const section = { key: 'said', title: 'Said', holds: ['said'], when_empty: 'not_stated' }
  const style = { length: 'usual', client_as: 'name' }
  const theirs = ownTemplateSchema.parse({ ...record, id: form, name: 'Form', sections: [section], style })
  for (const end of ['agreed', 'erased']) {
    const { merge, records, draft } = heldDraft('stale-version', `own:${form}`)
    merge.take({ kind: 'template', record: { ...theirs, id: other } })
    records.templates.put({ ...theirs, name: 'Mine' })
    merge.take({ kind: 'template', record: theirs })
    merge.take({ kind: 'template', record: { ...theirs, id: other, version: 2 } })
    expect(draft()).toEqual(['needs_you', 'failed'])
    merge.take(
      end === 'erased' ? { kind: 'template', gone: form } : { kind: 'template', record: { ...theirs, name: 'Mine', version: 2 } },
    )
    expect(draft()).toEqual(['waiting', 'waiting'])
  }
})
