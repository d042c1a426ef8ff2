import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditRecord } from '#contract/model/audit-event.ts'
import type { ApiKeyWithSecret } from '#contract/model/api-key.ts'
import type { Role } from '#contract/rest/route.ts'
import { anId, openKit } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'

let kit: ServiceKit
let client: string
const clinician = anId()
const keys: Partial<Record<Role, string>> = {}

beforeAll(async () => {
  kit = await openKit({ caller: 'api-keys', plan: 'enterprise' })
  for (const role of ['clinician', 'auditor', 'biller'] as const) {
    const person_id = role === 'clinician' ? clinician : anId()
    await kit.employ([role], person_id)
    const made = await call(kit.ownerKey!, 'POST', '/v1/api-keys', { name: role, roles: [role], person_id })
    keys[role] = ((await made.json()) as ApiKeyWithSecret).secret!
  }
  client = ((await (await call(keys.clinician!, 'POST', '/v1/clients', { display_name: 'Geheim' })).json()) as { id: string }).id
  for (let time = 0; time < 5; time += 1) await call(keys.clinician!, 'GET', `/v1/clients/${client}`)
  await call(keys.biller!, 'DELETE', `/v1/api-keys/${'0'.repeat(16)}`)
})
afterAll(() => kit.close())

const call = (key: string, method: string, path: string, body?: unknown) =>
  kit.fetch(method, path, body, { Authorization: `Bearer ${key}` })

async function list(key: string, query = '') {
  const response = await call(key, 'GET', `/v1/audit-events${query}`)
  return { status: response.status, ...((await response.json()) as { data: AuditRecord[]; next_cursor: string | null }) }
}
const operations = ({ data }: { data: AuditRecord[] }) => data.map(({ operation }) => operation)

describe('the audit log', () => {
  test('is listed newest first, in pages without a gap', async () => {
    const first = await list(kit.ownerKey!, '?limit=3')
    const second = await list(kit.ownerKey!, `?limit=3&cursor=${first.next_cursor}`)
    const numbers = [...first.data, ...second.data].map(({ seq }) => seq)
    expect(numbers).toEqual(Array.from({ length: 6 }, (_, index) => numbers[0]! - index))
    expect(first.data[0]).toMatchObject({ type: 'rest', operation: 'revokeApiKey', outcome: '404 not-found' })
    expect((await list(kit.ownerKey!, '?cursor=made-up')).status).toBe(422)
  })
  test('is searched by person, operation, record and time', async () => {
    const byPerson = await list(kit.ownerKey!, `?person=${clinician}`)
    expect(operations(byPerson)).toEqual([...Array<string>(5).fill('getClient'), 'createClient'])
    expect(operations(await list(kit.ownerKey!, `?person=${clinician}&operation=createClient`))).toEqual(['createClient'])
    const byRecord = await list(kit.ownerKey!, `?entity=${client}`)
    expect(byRecord.data).toHaveLength(6)
    // An id that stands elsewhere in an event is no record that was touched.
    expect((await list(kit.ownerKey!, `?entity=${byRecord.data[0]!.request_id}`)).data).toEqual([])
    expect((await list(kit.ownerKey!, '?to=2020-01-01T00:00:00Z')).data).toEqual([])
    expect((await list(kit.ownerKey!, `?from=2020-01-01T00:00:00Z&person=${clinician}`)).data).toHaveLength(6)
    expect((await list(kit.ownerKey!, '?operation=%25')).status).toBe(422)
  })
  test('shows a clinician their own calls, and nobody else’s', async () => {
    const { data } = await list(keys.clinician!)
    expect(new Set(data.map(({ agent }) => agent.person))).toEqual(new Set([clinician]))
    expect((await list(keys.clinician!, `?person=${anId()}`)).data).toEqual([])
    expect((await call(keys.biller!, 'GET', '/v1/audit-events')).status).toBe(403)
  })
})

describe('its export', () => {
  test('is for auditors, and recorded itself', async () => {
    expect((await call(kit.ownerKey!, 'GET', '/v1/audit-events/export')).status).toBe(403)
    await (await call(keys.auditor!, 'GET', '/v1/audit-events/export')).text()
    expect(operations(await list(kit.ownerKey!, '?operation=exportAuditEvents'))).toHaveLength(2)
  })
  test('as JSON lines has every event, oldest first', async () => {
    const before = (await list(kit.ownerKey!, '?limit=1')).data[0]!.seq
    const response = await call(keys.auditor!, 'GET', '/v1/audit-events/export')
    expect(response.headers.get('content-type')).toBe('application/x-ndjson')
    const text = await response.text()
    const seqs = text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as AuditRecord).seq)
    expect(seqs.slice(0, before)).toEqual(Array.from({ length: before }, (_, index) => index + 1))
    expect(text).not.toContain('Geheim')
  })
  test('as CSV has one line for each, under its headings', async () => {
    const response = await call(
      keys.auditor!,
      'GET',
      `/v1/audit-events/export?format=csv&person=${clinician}&operation=getClient`,
    )
    const lines = (await response.text()).split('\r\n')
    expect(lines[0]).toBe(
      'seq,recorded,operation,action,outcome,person,key,roles,source,entities,consent,purpose,request_id,previous_hash,hash',
    )
    expect(lines).toHaveLength(7)
    expect(lines[1]).toMatch(new RegExp(`^\\d+,[^,]+,getClient,R,200,${clinician},[0-9A-Za-z]{16},clinician,http,${client},`))
  })
})
