import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createServiceClient, type ServiceClient } from '#client/client.ts'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import type { ServiceFactory } from '#core/app/open-core.ts'
import { embeddedAddress } from '#core/sync/service-connection.ts'
import { clientWithSession, type CoreKit, coreKit, createProfile, dialogue, noService, realService } from './core-kit.ts'
import { looked } from './looked.ts'

function setUp() {
  const kit = coreKit()
  const service: { client: ServiceClient | null; opened: number; closed: number } = { client: null, opened: 0, closed: 0 }
  const openService: ServiceFactory = async (options) => {
    service.opened += 1
    const real = await realService(systemClock, silentLog)(options)
    service.client = createServiceClient({ base_url: embeddedAddress, fetch: (request) => real.fetch(request) })
    const close = async (): Promise<void> => {
      service.closed += 1
      await real.close()
    }
    return { ...real, close }
  }
  onTestFinished(() => kit.remove())
  return { kit, service, open: (overrides = {}) => kit.open({ openService, ...overrides }) }
}

function loseService(kit: CoreKit): void {
  for (const end of ['', '-wal', '-shm']) rmSync(join(kit.folder, `service.db${end}`), { force: true })
}

const content = new TextEncoder().encode(dialogue)

async function held(client: ServiceClient) {
  const list = async (operation: 'listClients' | 'listSessions' | 'listConsents' | 'listTranscripts' | 'listNotes') =>
    (await client.call(operation, {})).data.data.map((record) => {
      // Kept behind a key of its own, a new store also has a new owner, who signs there; the signature itself is kept.
      const { created_at: _, updated_at: __, version: ___, signed_by: ____, ...fields } = { signed_by: null, ...record }
      return fields
    })
  return {
    clients: await list('listClients'),
    sessions: await list('listSessions'),
    consents: await list('listConsents'),
    transcripts: await list('listTranscripts'),
    notes: await list('listNotes'),
  }
}

test('a service that lost its store is told everything again, and nothing needs anybody', async () => {
  const { kit, service, open } = setUp()
  let opened = await open()
  await createProfile(opened)
  const { client, session, consent } = await clientWithSession(opened, 'Lost And Found')
  await opened.call('clients.update', { id: client.id, version: 1, patch: { pronouns: 'they/them' } })
  await opened.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content })
  await opened.call('notes.draft', { session_id: session.id, template: 'soap' })
  await opened.settled()
  const draft = (await opened.call('notes.get', { session_id: session.id })).note!
  const checked = await opened.call('notes.save', { id: draft.id, version: draft.version, ...looked(draft) })
  await opened.call('notes.sign', { id: draft.id, version: checked.version })
  await opened.call('notes.addAddendum', { id: draft.id, text: 'Later.', reason: 'Addition' })
  await opened.call('notes.addAddendum', { id: draft.id, text: 'Later still.', reason: 'Addition' })
  const current = (await opened.call('sessions.get', { id: session.id })).session
  const times = { started_at: '2024-03-04T06:01:00Z', finished_at: '2024-03-04T06:51:00Z' }
  await opened.call('sessions.update', { id: session.id, version: current.version, patch: times })
  const second = await clientWithSession(opened, 'Still A Draft')
  await opened.call('transcripts.import', { session_id: second.session.id, file_name: 'a.txt', content })
  await opened.call('notes.draft', { session_id: second.session.id, template: 'dap' })
  await opened.settled()
  await opened.call('consents.revoke', { id: consent.id })
  await opened.settled()
  expect(await opened.call('outbox.list', {})).toEqual([])
  const before = await held(service.client!)
  const notes = (await opened.call('notes.get', { session_id: session.id })).note
  await opened.core.close()

  loseService(kit)
  opened = await open()
  await opened.settled()
  expect(await opened.call('outbox.list', {})).toEqual([])
  const after = await held(service.client!)
  const byId = (one: object, other: object): number => JSON.stringify(one).localeCompare(JSON.stringify(other))
  for (const kind of ['clients', 'sessions', 'consents', 'transcripts', 'notes'] as const) {
    expect(after[kind].toSorted(byId)).toEqual(before[kind].toSorted(byId))
  }
  expect((await opened.call('notes.get', { session_id: session.id })).note).toEqual(notes)
  expect((await opened.call('recovery.reports', {})).map(({ file, cause, items }) => [file, cause, items])).toEqual([
    ['service', 'missing', []],
  ])

  // What comes after goes on top of it, and another start tells nothing twice.
  await opened.call('clients.update', { id: client.id, version: 2, patch: { phone: '5550100' } })
  await opened.settled()
  expect((await service.client!.call('getClient', { params: { id: client.id } })).data).toMatchObject({
    pronouns: 'they/them',
    phone: '5550100',
  })
  await opened.core.close()
  opened = await open({ openService: noService })
  expect(await opened.call('outbox.list', {})).toEqual([])
  await opened.core.close()
})

test('work that was under way in a store that is lost is asked for again, after what it needs', async () => {
  const { kit, open } = setUp()
  let opened = await open()
  await createProfile(opened)
  const { session } = await clientWithSession(opened, 'Under Way')
  await opened.settled()
  await opened.core.close()
  opened = await open({ openService: noService })
  await opened.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content })
  await opened.call('notes.draft', { session_id: session.id, template: 'soap' })
  await opened.core.close()
  loseService(kit)
  opened = await open()
  await opened.settled()
  expect((await opened.call('notes.get', { session_id: session.id })).note).toMatchObject({ template: 'soap' })
  expect(await opened.call('outbox.list', {})).toEqual([])
  await opened.core.close()
})

test('a start that fails after the service is open closes it again', async () => {
  const { kit, service, open } = setUp()
  let opened = await open()
  await createProfile(opened)
  await opened.core.close()
  const before = { ...service }
  const status = async () => {
    if (service.opened > before.opened) throw new AppError('disk-failed')
    return []
  }
  opened = await open({ append: { ...kit.ports.append, status } })
  expect(opened.core.state()).toMatchObject({ phase: 'trouble', trouble: 'disk-failed' })
  expect([service.opened - before.opened, service.closed - before.closed]).toEqual([1, 1])
  await opened.core.close()
})
