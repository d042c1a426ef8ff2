import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { openAuthorityKit } from '../access/authority-kit.ts'
import type { Answer, AuthorityKit, Person } from '../access/authority-kit.ts'
import type { StoreKind } from '../store-kit.ts'

const noPostgres = leftOut('references to people on PostgreSQL', await unmet('postgres'))
const weekly = [{ day: 'MO', from: '09:00', to: '17:00' }]

describe.each<StoreKind>(['sqlite', 'postgres'])('references to people, on %s', (kind) => {
  if (kind === 'postgres' && noPostgres) return test.skip('is left out here', () => {})
  let kit: AuthorityKit
  let owner: Person
  let client: string
  let known: string
  /** Nobody at all, and somebody of another practice. */
  let unknown: readonly string[]
  let hour = 0

  beforeAll(async () => {
    kit = await openAuthorityKit({}, kind)
    owner = await kit.person(['owner', 'clinician'])
    known = (await kit.person(['clinician'])).id
    unknown = [newId(), (await kit.person(['clinician'], { practice: kit.elsewhere })).id]
    client = (await owner.call('POST', '/clients', { display_name: 'Ana' })).body.id
  })
  afterAll(() => kit.close())

  const at = () => new Date(Date.UTC(2027, 0, 4) + (hour += 1) * 3_600_000).toISOString()
  const session = (more: object) => ({
    client_id: client,
    session_type: 'individual',
    duration_minutes: 50,
    starts_at: at(),
    ...more,
  })
  const asked = (more: object) => ({
    mode: 'check',
    request: {
      client_ids: [client],
      type: 'individual',
      duration_minutes: 50,
      tzid: 'UTC',
      start: '2028-01-04T10:00:00',
      ...more,
    },
  })
  const hours = (clinician_id: string) => ({ kind: 'hours', clinician_id, time_zone: 'UTC', weekly })
  const off = (clinician_id: string) => ({
    kind: 'time_off',
    clinician_id,
    time_zone: 'UTC',
    from: '2027-01-04T00:00',
    to: '2027-01-05T00:00',
  })
  const any = { 'If-Match': '*' }

  const references: readonly (readonly [string, string, (id: string) => Promise<Answer>])[] = [
    ['a new client', '/clinician_id', (id) => owner.call('POST', '/clients', { display_name: 'A', clinician_id: id })],
    ['a client', '/clinician_id', (id) => owner.call('PATCH', `/clients/${client}`, { clinician_id: id }, any)],
    ['a session', '/clinician_id', (id) => owner.call('POST', '/sessions', session({ clinician_id: id }))],
    ['a booking', '/request/clinician_id', (id) => owner.call('POST', '/ai/schedule', asked({ clinician_id: id }))],
    [
      'one of several',
      '/request/clinician_ids/1',
      (id) => owner.call('POST', '/ai/schedule', asked({ clinician_ids: [known, id] })),
    ],
    ['working hours', '/clinician_id', (id) => owner.call('PUT', `/availability/${newId()}`, hours(id))],
    ['time off', '/clinician_id', (id) => owner.call('PUT', `/availability/${newId()}`, off(id))],
    ['an API key', '/person_id', (id) => owner.call('POST', '/api-keys', { name: 'x', roles: ['biller'], person_id: id })],
  ]

  test.each(references)('%s names nobody who is not of this practice', async (_, pointer, ask) => {
    for (const id of unknown) {
      const { status, body, text } = await ask(id)
      expect([status, body.errors?.map((one) => one.pointer)]).toEqual([422, [pointer]])
      expect(text).not.toContain(id)
    }
    expect((await ask(known)).status).toBeLessThan(300)
    expect((await ask(owner.id)).status).toBeLessThan(300)
  })

  test('nor does a staff record: a supervisor, a client that is shared', async () => {
    const supervisor = (await kit.person(['supervisor'])).id
    const staff = (more: object) => owner.call('POST', '/staff', { name: 'New', roles: ['clinician'], ...more })
    for (const id of unknown) {
      const supervised = await staff({ supervisor_id: id })
      expect([supervised.status, supervised.body.errors?.[0]?.pointer]).toEqual([422, '/supervisor_id'])
      const shared = await staff({ shared_clients: [client, id] })
      expect([shared.status, shared.body.errors?.map((one) => one.pointer)]).toEqual([422, ['/shared_clients/1']])
    }
    const made = await staff({ supervisor_id: supervisor, shared_clients: [client] })
    expect(made.status).toBe(201)
    const change = await owner.call('PATCH', `/staff/${made.body.id}`, { shared_clients: unknown }, any)
    expect([change.status, change.body.errors?.map((one) => one.pointer)]).toEqual([
      422,
      ['/shared_clients/0', '/shared_clients/1'],
    ])
  })

  test('who has only a key so far is somebody of the practice', async () => {
    const { body } = await owner.call('GET', '/api-keys?limit=200')
    const first = (body.data as unknown as { name: string; person_id: string }[]).find(({ name }) => name === 'Owner')!
    expect((await owner.call('POST', '/clients', { display_name: 'A', clinician_id: first.person_id })).status).toBe(201)
  })
})
