import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import type { StoreKind } from '../store-kit.ts'
import { openAuthorityKit } from './authority-kit.ts'
import type { AuthorityKit, Person } from './authority-kit.ts'

const noPostgres = leftOut('reassigned clients on PostgreSQL', await unmet('postgres'))

describe.each<StoreKind>(['sqlite', 'postgres'])('a client who is reassigned, on %s', (kind) => {
  if (kind === 'postgres' && noPostgres) return test.skip('is left out here', () => {})
  let kit: AuthorityKit
  let owner: Person
  let desk: Person
  let former: Person
  let next: Person
  beforeAll(async () => {
    kit = await openAuthorityKit({}, kind)
    owner = await kit.person(['owner'])
    desk = await kit.person(['front_desk'])
    former = await kit.person(['clinician'])
    next = await kit.person(['clinician'])
  })
  afterAll(() => kit.close())

  const clientOf = async (clinician: Person | null) =>
    (await owner.call('POST', '/clients', { display_name: 'Ana', clinician_id: clinician?.id ?? null })).body.id
  const reassign = async (by: Person, client: string, to: Person | null) =>
    (await by.call('PATCH', `/clients/${client}`, { clinician_id: to?.id ?? null }, { 'If-Match': '*' })).status
  const noticesOf = async (who: Person, client: string) => {
    const { body } = await who.call('GET', '/reassignments?limit=200')
    return (body.data as unknown as { client_id: string }[]).filter(({ client_id }) => client_id === client)
  }

  test('by the front desk leaves a notice to the former clinician and the owner, and to nobody else', async () => {
    const client = await clientOf(former)
    expect(await reassign(desk, client, next)).toBe(200)
    const notice = { client_id: client, from_clinician_id: former.id, to_clinician_id: next.id, by: desk.id }
    for (const told of [former, owner]) expect(await noticesOf(told, client)).toMatchObject([notice])
    expect(await noticesOf(next, client)).toEqual([])
    expect((await desk.call('GET', '/reassignments')).status).toBe(403)
    // The former clinician reaches nothing else of the client.
    expect((await former.call('GET', `/clients/${client}`)).status).toBe(404)
  })

  test('by the owner leaves one to the former clinician too', async () => {
    const client = await clientOf(former)
    expect(await reassign(owner, client, null)).toBe(200)
    expect(await noticesOf(former, client)).toMatchObject([{ to_clinician_id: null, by: owner.id }])
  })

  test('out of the owner’s own caseload leaves one to the owner', async () => {
    const client = await clientOf(null)
    expect(await reassign(desk, client, next)).toBe(200)
    expect(await noticesOf(owner, client)).toMatchObject([{ from_clinician_id: null, by: desk.id }])
  })

  test('leaves none where nothing changes hands, the change is refused, or the clinician hands over', async () => {
    const client = await clientOf(former)
    expect(await reassign(desk, client, former)).toBe(200)
    expect((await desk.call('PATCH', `/clients/${client}`, { phone: '1' }, { 'If-Match': '*' })).status).toBe(200)
    expect(await reassign(next, client, next)).toBe(404)
    const own = await clientOf(null)
    expect(await reassign(owner, own, next)).toBe(200)
    for (const id of [client, own]) expect(await noticesOf(owner, id)).toEqual([])
  })

  test('is on record with its notice', async () => {
    const client = await clientOf(former)
    await reassign(desk, client, next)
    const [notice] = (await noticesOf(owner, client)) as unknown as [{ id: string }]
    const { body } = await owner.call('GET', '/audit-events?limit=200')
    const events = body.data as unknown as { entity: { id: string }[]; operation: string }[]
    expect(
      events
        .filter(({ operation }) => operation === 'updateClient')
        .map((event) => JSON.stringify(event))
        .join(),
    ).toContain(notice.id)
  })
})
