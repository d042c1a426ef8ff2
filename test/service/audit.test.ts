import { afterEach, beforeEach, expect, test } from 'vitest'
import { embeddedCaller } from '#service/kernel/caller.ts'
import type { AuditEvent } from '#service/store/audit.ts'
import { verifyAudit } from '#service/store/read-audit.ts'
import { inPractice } from '#service/store/in-practice.ts'
import { openStore } from '#service/store/open-store.ts'
import { aClient, agree, anId, aSession, openKit } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'

let kit: ServiceKit
beforeEach(async () => {
  kit = await openKit()
})
afterEach(() => kit.close())

const practice = embeddedCaller.practice_id

async function verify() {
  const db = await openStore(kit.store)
  try {
    return await inPractice(db, practice, (read) => verifyAudit(read, practice))
  } finally {
    await db.destroy()
  }
}

async function events(): Promise<AuditEvent[]> {
  const rows = await kit.ask<{ event: string }>('select event from audit_events order by seq')
  return rows.map(({ event }) => JSON.parse(event) as AuditEvent)
}

test('every call is recorded, whatever came of it, and the chain is whole', async () => {
  const { id } = await aClient(kit.client)
  const session = await aSession(kit.client, id)
  await agree(kit.client, id)
  const body = {
    session_id: session.id,
    client_id: id,
    template: 'soap',
    transcript: 'Ana: I slept badly and felt anxious.',
  } as const
  const note = (await kit.client.call('generateNote', { body })).data
  await kit.client.call('getClient', { params: { id } })
  const missing = anId()
  await kit.client.call('getClient', { params: { id: missing } }).catch(() => {})
  await kit.fetch('POST', '/v1/clients', 'no json')
  expect((await events()).map(({ operation, action, outcome }) => [operation, action, outcome])).toEqual([
    ['createClient', 'C', '201'],
    ['createSession', 'C', '201'],
    ['giveConsent', 'C', '201'],
    ['generateNote', 'E', '202'],
    ['generateNote', 'E', 'succeeded'],
    ['getClient', 'R', '200'],
    ['getClient', 'R', '404 not-found'],
    ['createClient', 'C', '400 bad-request'],
  ])
  expect((await events())[4]).toMatchObject({
    entities: [expect.any(String), (note as { id: string }).id, session.id, id],
    consent: 'asserted',
    source: 'embedded',
  })
  expect((await events())[6]!.entities).toEqual([missing])
  expect(await verify()).toMatchObject({ events: 8, broken_at: null })
})

test('no name, text or body stands in it', async () => {
  const { id } = await aClient(kit.client, 'Geheim')
  await kit.client.call('listClients', { query: { q: 'Geheim' } })
  await kit.fetch('GET', '/v1/clients/Geheim')
  await kit.client.call('updateClient', { params: { id }, body: { phone: 'Geheim' }, ifMatch: 1 })
  expect(JSON.stringify(await events())).not.toContain('Geheim')
})

test('it only grows: the store refuses to change or drop an entry', async () => {
  await aClient(kit.client)
  await expect(kit.ask("update audit_events set event = '{}'")).rejects.toThrow('only grows')
  await expect(kit.ask('delete from audit_events')).rejects.toThrow('only grows')
})

test('an entry that was changed, dropped or swapped all the same is found', async () => {
  for (let count = 0; count < 4; count += 1) await aClient(kit.client)
  const unlocked =
    kit.store.kind === 'sqlite'
      ? 'drop trigger if exists audit_events_never_change; drop trigger if exists audit_events_never_go'
      : 'alter table audit_events disable trigger user'
  const around = (sql: string) => kit.ask(`${unlocked}; ${sql}`)
  // With the name of the field: bare digits stand in an id now and then, and would not change back.
  const [done, other] = ['"outcome":"201"', '"outcome":"200"']
  await around(`update audit_events set event = replace(event, '${done}', '${other}') where seq = 3`)
  expect((await verify()).broken_at).toBe(3)
  await around(`update audit_events set event = replace(event, '${other}', '${done}') where seq = 3`)
  expect((await verify()).broken_at).toBe(null)
  await around('delete from audit_events where seq = 2')
  expect((await verify()).broken_at).toBe(2)
})
