import { expect, test } from 'vitest'
import { AppError } from '#contract/errors.ts'
import { memoryKeychain } from '#test/support/memory-keychain.ts'
import { clientWithSession, isBehindHttp } from '../core-kit.ts'
import { hurried } from './cuts.ts'
import { aClient, codes, keptBy, openLaptop, someWork } from './migration-kit.ts'
import { openPractice } from './practice-kit.ts'

test('two clinicians of one practice move, each with their own; neither sees nor touches what is the other’s', async () => {
  const practice = await openPractice()
  const [ana, ben] = [await practice.person('Ana', ['clinician']), await practice.person('Ben', ['clinician'])]
  const moved = []
  for (const [index, { key }] of [ana, ben].entries()) {
    const laptop = await openLaptop()
    const start = Date.UTC(2024, 5, 3, 8)
    const { client, session } = await clientWithSession(laptop.opened, `Client ${index}`, start)
    await laptop.opened.settled()
    await laptop.opened.call('moving.look', { address: practice.address, key })
    await laptop.opened.call('moving.send', {})
    await laptop.opened.call('moving.confirm', {})
    moved.push({ client, session })
  }
  for (const [index, { key, id }] of [ana, ben].entries()) {
    const { listClients, listSessions } = await keptBy(practice.as(key))
    expect([...listClients.keys()]).toEqual([moved[index]!.client.id])
    expect([...listSessions.values()]).toMatchObject([{ id: moved[index]!.session.id, clinician_id: id }])
  }
  expect((await keptBy(practice.owner)).listClients.size).toBe(2)
})

/** A client that was sent there, and whose number somebody there changed since. */
async function changedThere(send: typeof fetch = fetch) {
  const practice = await openPractice()
  const { key } = await practice.person('Ana', ['clinician'])
  const laptop = await openLaptop({ wait_for_days: hurried(), fetch: send })
  const { opened } = laptop
  const { client } = await aClient(opened)
  await opened.call('moving.look', { address: practice.address, key })
  await opened.call('moving.send', {})
  await laptop.until(({ phase }) => phase === 'checked')
  const params = { id: client.id }
  const there = async () => (await practice.owner.call('getClient', { params })).data
  await practice.owner.call('updateClient', { params, body: { phone: '5559999' }, ifMatch: (await there()).version })
  return { laptop, opened, client, there }
}

test('what somebody changed there meanwhile is named, left as it is there, and asked about once that is agreed to', async () => {
  const { laptop, opened, client, there } = await changedThere()
  const here = (await opened.call('clients.get', { id: client.id })).client
  await opened.call('clients.update', {
    id: client.id,
    version: here.version,
    patch: { phone: '5550101', email: 'a@example.org' },
  })
  await laptop.until(({ differing }) => differing === 1)
  expect((await laptop.moved()).differences).toEqual([
    { kind: 'client', id: client.id, client_name: client.display_name, session_at: null, code: 'differs', fields: ['phone'] },
  ])
  expect(await there()).toMatchObject({ phone: '5559999', email: 'a@example.org' })
  await expect(opened.call('moving.confirm', {})).rejects.toMatchObject({ code: 'conflict' })

  await opened.call('moving.confirm', { leaving: true })
  // Changed on both sides: both stand side by side, and somebody chooses.
  await opened.until(async () => (await opened.call('conflicts.list', {})).length === 1)
  expect(JSON.stringify(await opened.call('conflicts.list', {}))).toMatch(/5550101.*5559999|5559999.*5550101/)
  await opened.settled()
  expect(await there()).toMatchObject({ phone: '5559999', email: 'a@example.org' })
})

test('or it is changed to what is here', async () => {
  const { laptop, opened, client, there } = await changedThere()
  const here = (await opened.call('clients.get', { id: client.id })).client
  await opened.call('clients.update', { id: client.id, version: here.version, patch: { email: 'a@example.org' } })
  await laptop.until(({ phase, differing }) => phase === 'checked' && differing === 1)
  expect(await there()).toMatchObject({ phone: '5559999', email: 'a@example.org' })
  await opened.call('moving.send', { over: true })
  expect(await laptop.until(({ phase, differing }) => phase === 'checked' && differing === 0)).toMatchObject({ differences: [] })
  expect(await there()).toMatchObject({ phone: null, email: 'a@example.org' })
})

test('asked for while records are still being compared, it is done once that has ended', async () => {
  const comparing = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  let isHeld = false
  const { laptop, opened, client, there } = await changedThere((async (request: Request) => {
    const response = await fetch(request)
    if (isHeld && request.method === 'GET' && request.url.endsWith(`/clients/${client.id}`)) {
      comparing.resolve()
      await answered.promise
    }
    return response
  }) as typeof fetch)
  isHeld = true
  const here = (await opened.call('clients.get', { id: client.id })).client
  await opened.call('clients.update', { id: client.id, version: here.version, patch: { email: 'a@example.org' } })
  await comparing.promise
  await opened.call('moving.send', { over: true })
  isHeld = false
  answered.resolve()
  await laptop.until(({ phase, differing }) => phase === 'checked' && differing === 0)
  expect(await there()).toMatchObject({ phone: null, email: 'a@example.org' })
})

test('a session that does not fit in there is named, and waits in the outbox with what hangs on it once that is agreed to', async () => {
  const practice = await openPractice()
  const { key, id } = await practice.person('Ana', ['clinician'])
  const laptop = await openLaptop({ wait_for_days: hurried() })
  const { opened } = laptop
  const start = Date.UTC(2031, 0, 6, 9)
  const other = (await practice.owner.call('createClient', { body: { display_name: 'Already There', clinician_id: id } })).data
  const taken = { client_id: other.id, session_type: 'individual' as const, duration_minutes: 50, clinician_id: id }
  await practice.owner.call('createSession', { body: { ...taken, starts_at: new Date(start).toISOString() } })
  const { session } = await clientWithSession(opened, 'Double Booked', start)
  const content = new TextEncoder().encode('Therapist: Hello.\nClient: Hello.')
  await opened.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content })
  await opened.settled()

  const looked = await opened.call('moving.look', { address: practice.address, key })
  expect(looked.look?.there).toEqual({ ours: 0, others: 0, more: false })
  await opened.call('moving.send', {})
  const { differences } = await laptop.until(({ phase }) => phase === 'checked')
  expect(differences).toMatchObject([
    { kind: 'session', id: session.id, code: 'double-booking' },
    { kind: 'transcript', code: 'parent-missing' },
  ])
  await opened.call('moving.confirm', { leaving: true })
  await opened.until(async () => (await opened.call('outbox.list', {})).some(({ error }) => error === 'double-booking'))
  expect((await opened.call('outbox.list', {})).map(({ kind }) => kind)).toEqual(['create-session', 'put-transcript'])
})

test('what stands in the way is said before anything is sent', async () => {
  const practice = await openPractice()
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  const { key: desk } = await practice.person('Front desk', ['front_desk'])
  const { key: trial } = await practice.person('Ana', ['clinician'], { mode: 'test', expires_at: soon })
  const laptop = await openLaptop()
  const look = (key: string) => laptop.opened.call('moving.look', { address: practice.address, key })
  expect(codes(await look(desk))).toEqual(['role!'])
  await expect(laptop.opened.call('moving.send', {})).rejects.toMatchObject({ code: 'conflict' })
  expect(codes(await look(trial))).toEqual(['test-key!', 'key-ends'])
  await expect(look('aw_live_nonsense')).rejects.toMatchObject({ code: 'unauthenticated' })
  const { client } = await clientWithSession(laptop.opened, 'Told Otherwise')
  const participant = { name: 'Told Otherwise', role: 'client' as const }
  const agreed = { client_id: client.id, participant, scopes: ['record' as const], method: 'spoken' as const }
  await laptop.opened.call('consents.give', { ...agreed, text_version: 'read-aloud-2026-1 laptop' })
  // An owner sees whose else is there.
  await practice.owner.call('createClient', {
    body: { display_name: 'Of Somebody', clinician_id: (await practice.person('Ben', ['clinician'])).id },
  })
  expect(codes(await look(practice.ownerKey))).toEqual(['consents-say-laptop', 'others-there'])
  expect((await keptBy(practice.owner)).listClients.size).toBe(1)
})

test('another key on the way is kept once the service says that it is the same person’s, good for all of it', async () => {
  const practice = await openPractice()
  const { key, id } = await practice.person('Ana', ['clinician'])
  const { key: bens } = await practice.person('Ben', ['clinician'])
  const keychain = memoryKeychain()
  const network: { fetch: typeof fetch } = { fetch }
  const ports = { keychain, fetch: ((request: Request) => network.fetch(request)) as typeof fetch }
  const { opened } = await openLaptop(ports)
  await aClient(opened)
  await opened.call('moving.look', { address: practice.address, key })
  await opened.call('moving.send', {})
  const kept = () => {
    const [, held] = [...keychain.accounts].find(([name]) => name.startsWith('moving-key'))!
    return (JSON.parse(Buffer.from(held).toString()) as { key: string }).key
  }
  const made = async (key: object) => {
    const body = { name: 'Another', roles: ['clinician' as const], person_id: id, ...key }
    return (await practice.owner.call('createApiKey', { body })).data.secret!
  }
  const another = await made({})
  const trial = await made({ mode: 'test' })
  for (const other of [bens, trial])
    await expect(opened.call('moving.setKey', { key: other })).rejects.toMatchObject({ code: 'conflict' })
  network.fetch = async () => Promise.reject(new TypeError('away'))
  await expect(opened.call('moving.setKey', { key: another })).rejects.toMatchObject({ code: 'service-unreachable' })
  expect(kept()).toBe(key)
  network.fetch = fetch
  await opened.call('moving.setKey', { key: another })
  expect(kept()).toBe(another)
})

test('a service that offers the ten published operations alone cannot be moved to, and says so', async () => {
  const none = (async () => Response.json({ code: 'not-found' }, { status: 404 })) as unknown as typeof fetch
  const laptop = await openLaptop({ fetch: none })
  const looked = await laptop.opened.call('moving.look', { address: 'https://plain.example', key: 'k' })
  expect(codes(looked)).toEqual(['published-only!'])
  const away = (async () => Promise.reject(new TypeError('away'))) as unknown as typeof fetch
  await laptop.reopen({ fetch: away })
  const asked = laptop.opened.call('moving.look', { address: 'https://plain.example', key: null })
  await expect(asked).rejects.toEqual(new AppError('service-unreachable'))
})

test.skipIf(isBehindHttp).each(['erased', 'kept'] as const)(
  'from the practice back to this laptop: everything is sent back to a copy that was %s',
  async (copy) => {
    const practice = await openPractice()
    const { key } = await practice.person('Ana', ['clinician'])
    const laptop = await openLaptop({ wait_for_days: hurried() })
    const { client } = await aClient(laptop.opened)
    const { therapist_id } = await laptop.opened.call('settings.get', {})
    const call: typeof laptop.opened.call = (name, input) => laptop.opened.call(name, input)
    await call('moving.look', { address: practice.address, key })
    await call('moving.send', {})
    await call('moving.confirm', {})
    if (copy === 'erased') expect(await call('moving.eraseOldStore', {})).toMatchObject({ old_store: 'erasing' })
    await laptop.reopen()
    expect(await laptop.moved()).toMatchObject({ old_store: copy })
    const at = (await call('clients.get', { id: client.id })).client
    await call('clients.update', { id: client.id, version: at.version, patch: { email: 'there@example.org' } })
    await laptop.opened.settled()

    expect(codes(await call('moving.look', { address: null, key: null }))).toEqual([])
    await call('moving.send', {})
    expect(await laptop.until(({ phase }) => phase === 'checked')).toMatchObject({ total: 3, checked: 3, differing: 0 })
    expect(await call('moving.confirm', {})).toMatchObject({ phase: 'confirmed', address: null, old_store: 'in_use' })
    expect(await call('settings.get', {})).toMatchObject({ service_address: null, therapist_id })
    const back = (await call('clients.get', { id: client.id })).client
    await call('clients.update', { id: client.id, version: back.version, patch: { email: 'here@example.org' } })
    await laptop.opened.settled()
    expect(await call('outbox.list', {})).toEqual([])
    const there = await practice.owner.call('getClient', { params: { id: client.id } })
    expect(there.data.email).toBe('there@example.org')
  },
)

test('a record that cannot be read there holds up itself alone, and is tried again', async () => {
  const practice = await openPractice()
  const { key } = await practice.person('Ana', ['clinician'])
  const hidden = { id: '' }
  const refusing = (async (request: Request) =>
    request.method === 'GET' && hidden.id !== '' && request.url === `${practice.address}/clients/${hidden.id}`
      ? Response.json({ code: 'purpose-missing' }, { status: 403, headers: { 'content-type': 'application/problem+json' } })
      : fetch(request)) as typeof fetch
  const laptop = await openLaptop({ wait_for_days: hurried(), fetch: refusing })
  const { opened } = laptop
  const { client } = await aClient(opened)
  hidden.id = client.id
  await opened.call('moving.look', { address: practice.address, key })
  await opened.call('moving.send', {})
  const { differences, waiting } = await laptop.until(({ phase }) => phase === 'checked')
  expect([waiting, differences]).toMatchObject([null, [{ kind: 'client', id: client.id, code: 'purpose-missing' }]])
  hidden.id = ''
  await opened.call('moving.send', {})
  await laptop.until(({ phase, differing }) => phase === 'checked' && differing === 0)
  expect(await opened.call('moving.confirm', {})).toMatchObject({ phase: 'confirmed' })
})

test.skipIf(isBehindHttp)(
  'a move back that is given up keeps nobody from erasing the copy, and the next one sends everything to a new one',
  async () => {
    const practice = await openPractice()
    const { key } = await practice.person('Ana', ['clinician'])
    const laptop = await openLaptop({ wait_for_days: hurried() })
    const call: typeof laptop.opened.call = (name, input) => laptop.opened.call(name, input)
    const { client } = await aClient(laptop.opened)
    await call('moving.look', { address: practice.address, key })
    await call('moving.send', {})
    await call('moving.confirm', {})
    await call('moving.look', { address: null, key: null })
    await call('moving.send', {})
    await expect(call('moving.eraseOldStore', {})).rejects.toMatchObject({ code: 'conflict' })
    await laptop.until(({ phase }) => phase === 'checked')
    await call('moving.undo', {})
    expect(await call('moving.eraseOldStore', {})).toMatchObject({ phase: 'undone', old_store: 'erasing' })
    await laptop.reopen()
    expect(await laptop.moved()).toMatchObject({ old_store: 'erased', sent: 0 })
    await call('moving.look', { address: null, key: null })
    await call('moving.send', {})
    expect(await laptop.until(({ phase }) => phase === 'checked')).toMatchObject({ total: 3, checked: 3, differing: 0 })
    expect(await call('moving.confirm', {})).toMatchObject({ phase: 'confirmed', old_store: 'in_use' })
    const { version } = (await call('clients.get', { id: client.id })).client
    await call('clients.update', { id: client.id, version, patch: { email: 'here@example.org' } })
    await laptop.opened.settled()
    expect(await call('outbox.list', {})).toEqual([])
  },
)

test('an address that is simply entered: that service is told of everything as well', async () => {
  const practice = await openPractice()
  const laptop = await openLaptop()
  const { opened } = laptop
  const { client, note_id } = await someWork(opened)
  await opened.call('settings.update', { service_address: practice.address })
  await opened.call('settings.setKey', { which: 'service', key: practice.ownerKey })
  await opened.settled()
  expect(await opened.call('outbox.list', {})).toEqual([])
  const there = await keptBy(practice.owner)
  expect([...there.listClients.keys()]).toContain(client.id)
  expect(there.listNotes.get(note_id)).toMatchObject({ status: 'amended' })
})
