import { expect, test } from 'vitest'
import type { ServiceClient } from '#client/client.ts'
import { AppError } from '#contract/errors.ts'
import type { Target } from '#core/service-migration/target.ts'
import { upload } from '#core/service-migration/upload.ts'
import { mergeVault } from '../merge/merge-vault.ts'

type Answer = (operation: string, input: { readonly body?: object }) => object

/** An upload from a vault to a target that answers each call so. */
function uploading(answer: Answer) {
  const vault = mergeVault()
  const calls: string[] = []
  const call = async (operation: string, input: { readonly body?: object }) => {
    calls.push(operation)
    return { data: answer(operation, input) }
  }
  const who = { person_id: 'there', therapist_id: 'here', is_owner: false }
  const client = { call } as unknown as ServiceClient
  const target: Target = { client, own: vault.records, who, signal: new AbortController().signal, over: false }
  const send = (kind: 'client' | 'session' | 'note', id: string) => {
    const record = { kind, id, parent_id: null, version: 1, there_version: null, sent: undefined }
    return upload({ target, record, remember: () => {} })
  }
  return { ...vault, calls, send }
}

test('an upload leaves what the app knows of its current service as it is', async () => {
  const { db, records, client, session, note, send } = uploading((_operation, { body }) => ({ ...body, version: 41 }))
  const tables = ['outbox', 'common_versions', 'conflicts', 'clients', 'sessions', 'notes']
  const all = () => tables.map((table) => db.prepare(`select * from ${table}`).all())
  const before = all()
  expect(await send('client', client.id)).toMatchObject({ version: 41, differing: [] })
  expect(await send('session', session.id)).toMatchObject({ version: 41, differing: [] })
  expect(await send('note', note.id)).toMatchObject({ version: 41, differing: [] })
  expect(records.clients.serviceVersion(client.id)).toBe(1)
  expect(all()).toEqual(before)
})

test('a session of a clinician whom the target does not know is refused, not sent in another name', async () => {
  const { session, calls, send } = uploading(() => {
    throw new AppError('validation-failed', undefined, [{ code: 'unknown_person', pointer: '/clinician_id' } as never])
  })
  await expect(send('session', session.id)).rejects.toMatchObject({ code: 'validation-failed' })
  expect(calls).toEqual(['createSession'])
})
