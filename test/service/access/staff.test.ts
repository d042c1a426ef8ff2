import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { isNpi } from '#contract/model/staff.ts'
import { newId } from '#base/ids.ts'
import { callAs, openAuthorityKit } from './authority-kit.ts'
import type { AuthorityKit, Person } from './authority-kit.ts'

let kit: AuthorityKit
let owner: Person
beforeAll(async () => {
  kit = await openAuthorityKit()
  owner = await kit.person(['owner'])
})
afterAll(() => kit.close())

const changing = { 'If-Match': '*' }
const someone = { name: 'Ada Quill', roles: ['clinician'] }

describe('an NPI', () => {
  test('is ten digits with a check digit over the issuer’s prefix', () => {
    // The example of the CMS.
    expect(isNpi('1234567893')).toBe(true)
    for (const wrong of ['1234567890', '123456789', '12345678931', '9234567893', 'abcdefghij', ''])
      expect(isNpi(wrong)).toBe(false)
  })
  test('with one digit wrong, or two neighbours changed over, is none', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 8 }), (digit, at) => {
        const npi = '1234567893'
        const other = npi.slice(0, at) + String(digit) + npi.slice(at + 1)
        expect(isNpi(other)).toBe(other === npi)
      }),
    )
  })
})

describe('staff', () => {
  test('is the owner’s to write; others see names, credentials and licences, and not whose clients were shared', async () => {
    const { body: client } = await owner.call('POST', '/clients', { display_name: 'Ana' })
    const full = { ...someone, credential: 'LCSW', npi: '1234567893', licence_states: ['OR', 'WA'], shared_clients: [client.id] }
    const made = await owner.call('POST', '/staff', full)
    expect([made.status, made.body]).toEqual([201, expect.objectContaining({ ...full, status: 'active', version: 1 })])
    const path = `/staff/${made.body.id}`
    for (const role of ['clinician', 'supervisor', 'front_desk', 'biller', 'auditor'] as const) {
      const person = await kit.person([role])
      expect((await person.call('GET', path)).body).toMatchObject({
        npi: full.npi,
        shared_clients: [],
        withheld: ['shared_clients'],
      })
      expect((await person.call('PATCH', path, { name: 'X' }, changing)).status).toBe(403)
      expect((await person.call('GET', '/staff?limit=200')).text).not.toContain(full.shared_clients[0])
      expect((await person.call('GET', `/staff/${person.id}`)).body.withheld).toBeUndefined()
    }
    expect((await owner.call('POST', '/staff', { ...full, npi: '1234567890' })).body.errors).toMatchObject([{ pointer: '/npi' }])
  })
  test('another practice’s are not there', async () => {
    const { body } = await owner.call('POST', '/staff', someone)
    const stranger = await kit.person(['owner'], { practice: kit.elsewhere })
    expect((await stranger.call('GET', `/staff/${body.id}`)).status).toBe(404)
    expect((await stranger.call('PATCH', `/staff/${body.id}`, { name: 'X' }, changing)).status).toBe(404)
    expect((await stranger.call('GET', '/staff')).text).not.toContain(body.id)
  })
  test('a supervisor is somebody else who works here with that role', async () => {
    const supervisor = (await owner.call('POST', '/staff', { ...someone, roles: ['supervisor'] })).body.id as string
    const made = await owner.call('POST', '/staff', { ...someone, supervisor_id: supervisor })
    expect(made.status).toBe(201)
    for (const supervisor_id of [made.body.id, newId()]) {
      const answer = await owner.call('PATCH', `/staff/${made.body.id}`, { supervisor_id }, changing)
      expect([answer.status, answer.body.errors?.[0]?.pointer]).toEqual([422, '/supervisor_id'])
    }
  })
  test('the keys of somebody who left work no more, from the next call on', async () => {
    const clinician = await kit.person(['clinician'])
    const more = await clinician.call('POST', '/api-keys', { name: 'phone', roles: ['clinician'] })
    const phone = callAs(kit, more.body.secret as string)
    expect((await phone('GET', '/clients')).status).toBe(200)
    expect((await owner.call('PATCH', `/staff/${clinician.id}`, { status: 'left' }, changing)).status).toBe(200)
    expect([(await clinician.call('GET', '/clients')).status, (await phone('GET', '/clients')).status]).toEqual([401, 401])
    const again = await owner.call('POST', '/api-keys', { name: 'new', roles: ['clinician'], person_id: clinician.id })
    expect(again.status).toBe(409)
  })
  test('a role that is taken away is taken from their keys, and a key for it alone is revoked', async () => {
    const both = await kit.person(['clinician', 'front_desk'])
    const desk = await both.call('POST', '/api-keys', { name: 'desk', roles: ['front_desk'] })
    const atDesk = callAs(kit, desk.body['secret'] as string)
    expect((await atDesk('GET', '/clients')).status).toBe(200)
    expect((await owner.call('PATCH', `/staff/${both.id}`, { roles: ['clinician', 'biller'] }, changing)).status).toBe(200)
    expect((await atDesk('GET', '/clients')).status).toBe(401)
    expect((await both.call('PUT', `/rooms/${newId()}`, { name: 'Blue', capacity: 2 })).status).toBe(403)
    // Another role in the record lends nothing to a key that was not made for it.
    expect((await both.call('POST', '/ai/schedule', {})).status).toBe(422)
    expect((await both.call('PUT', `/payers/${newId()}`, {})).status).toBe(403)
  })
  test('the last owner does not leave', async () => {
    const only = await kit.person(['owner'], { practice: kit.elsewhere })
    const keys = (await only.call('GET', '/api-keys?limit=200')).body.data as { id: string; person_id: string; roles: string[] }[]
    for (const { id, person_id } of keys) if (person_id !== only.id) await only.call('DELETE', `/api-keys/${id}`)
    const answer = await only.call('PATCH', `/staff/${only.id}`, { status: 'left' }, changing)
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
    expect((await only.call('PATCH', `/staff/${only.id}`, { roles: ['clinician'] }, changing)).status).toBe(409)
    expect((await only.call('GET', `/staff/${only.id}`)).body.status).toBe('active')
  })
})
