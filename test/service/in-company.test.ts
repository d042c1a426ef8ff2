import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { openKit } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'

/** What one call hears and leaves behind on PostgreSQL, whoever shares its transaction. */

describe.skipIf(leftOut('calls in company on PostgreSQL', await unmet('postgres')))('calls at the same time', () => {
  let kit: ServiceKit
  let owner: Record<string, string>
  beforeAll(async () => {
    kit = await openKit({ caller: 'api-keys', plan: 'enterprise' }, 'postgres')
    owner = { Authorization: `Bearer ${kit.ownerKey}` }
    await kit.fetch('GET', '/v1/clients', undefined, owner)
  })
  afterAll(() => kit.close())

  const made = { display_name: 'Anna' }
  const failing = () => kit.fetch('POST', '/v1/sessions', { ...booking, client_id: newId() }, owner)
  const booking = { session_type: 'individual', starts_at: '2030-01-01T10:00:00Z', duration_minutes: 50 }

  test('a call beside one that fails is done once, and a key used for it is noted as used', async () => {
    const answer = await kit.fetch('POST', '/v1/api-keys', { name: 'k', mode: 'live', roles: ['clinician'] }, owner)
    const { id, secret } = (await answer.json()) as { id: string; secret: string }
    // Calls of a while are made with care, once something failed.
    for (let count = 0; count < 10; count += 1) await kit.fetch('POST', '/v1/clients', made, owner)
    const before = await counted('clients')
    const [good, bad] = await Promise.all([
      kit.fetch('POST', '/v1/clients', made, { Authorization: `Bearer ${secret}` }),
      failing(),
    ])
    expect([good.status, bad.status]).toEqual([201, 404])
    expect(await counted('clients')).toBe(before + 1)
    // Noted by this call or by the next one within the same minute, and not forgotten for having been undone.
    await kit.fetch('GET', '/v1/clients', undefined, { Authorization: `Bearer ${secret}` })
    const [key] = await kit.ask<{ last_used_at: string | null }>(`select last_used_at from api_keys where id = '${id}'`)
    expect(key?.last_used_at).not.toBe(null)
  })

  test('the same key at the same time for the same call does it once, also beside calls that fail', async () => {
    const before = await counted('clients')
    const same = { ...owner, 'Idempotency-Key': newId() }
    const statuses = await Promise.all([
      ...Array.from({ length: 4 }, () => kit.fetch('POST', '/v1/clients', made, same)),
      failing(),
      failing(),
    ]).then((answers) => answers.map(({ status }) => status))
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(0)
    expect((await kit.fetch('POST', '/v1/clients', made, same)).headers.get('Idempotency-Replayed')).toBe('true')
    expect(await counted('clients')).toBe(before + 1)
  })

  test('a table that a newer release changed costs no reader an answer', async () => {
    const { id } = (await (await kit.fetch('POST', '/v1/clients', made, owner)).json()) as { id: string }
    const read = async (): Promise<number> => (await kit.fetch('GET', `/v1/clients/${id}`, undefined, owner)).status
    const several = (): Promise<number[]> => Promise.all(Array.from({ length: 6 }, read))
    expect(await several()).toEqual([200, 200, 200, 200, 200, 200])
    for (let count = 0; count < 4; count += 1) await read()
    await kit.ask('alter table clients alter column updated_at type varchar(60)')
    expect([await read(), await read(), ...(await several())]).toEqual(Array.from({ length: 8 }, () => 200))
  })

  async function counted(table: string): Promise<number> {
    const [row] = await kit.ask<{ count: string }>(`select count(*) as count from ${table}`)
    return Number(row?.count)
  }
})
