import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import type { Role, Route } from '#contract/rest/route.ts'
import { routes } from '#contract/rest/routes.ts'
import { openAuthorityKit } from './authority-kit.ts'
import type { Answer, AuthorityKit, Person } from './authority-kit.ts'
import { recipes } from './recipes.ts'
import { canaries, insertRecords } from './records-of-a-client.ts'
import type { RecordsOfClient } from './records-of-a-client.ts'

type Canary = keyof typeof canaries
/** What stands in no answer of this role, wherever it looks. The times of a bill come from the session, its diagnoses from the client. */
const secret: Readonly<Partial<Record<Role, readonly Canary[]>>> = {
  front_desk: ['diagnosis', 'goal', 'vocabulary', 'member_id', 'concern', 'transcript', 'note', 'addendum', 'signer', 'analysis'],
  biller: ['goal', 'vocabulary', 'concern', 'transcript', 'note', 'addendum', 'signer', 'analysis'],
  auditor: Object.keys(canaries) as Canary[],
}
const limitedRoles = Object.keys(secret) as Role[]

let kit: AuthorityKit
let records: RecordsOfClient
beforeAll(async () => {
  kit = await openAuthorityKit()
  records = await kit.write(kit.practice, (write) => insertRecords(write, kit.practice, null))
})
afterAll(() => kit.close())

function expectNone(role: Role, operation: string, answer: Answer): void {
  for (const canary of secret[role]!)
    expect([operation, canary, answer.text.includes(canaries[canary])]).toEqual([operation, canary, false])
}

/** Every list and every document that names no record. */
const everyLook = (person: Person): Promise<[string, Answer]>[] =>
  Object.entries(routes as Record<string, Route>)
    .filter(([, { method, path, stream }]) => method === 'GET' && !path.includes('{') && stream === undefined)
    .map(async ([operation, { path }]): Promise<[string, Answer]> => {
      const address = path === '/' ? '' : `${path}?limit=200&from=2026-01-01&to=2026-12-31`
      return [operation, await person.call('GET', address)]
    })

describe.each(limitedRoles)('%s', (role) => {
  test('sees of no list, record, change, conflict or replay what is not theirs to see', async () => {
    const person = await kit.person([role])
    for (const look of everyLook(person)) expectNone(role, ...(await look))
    for (const [operation, recipe] of Object.entries(recipes)) {
      const route = routes[operation as keyof typeof routes] as Route
      const { params = {}, body, headers } = recipe(records, { sections: [] } as never)
      const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name]!)
      expectNone(role, operation, await person.call(route.method, path, body, headers))
      expectNone(role, `${operation}, stale`, await person.call(route.method, path, body, { ...headers, 'If-Match': '"999"' }))
    }
  })
  test('finds clients by a name only where names are seen', async () => {
    const person = await kit.person([role])
    const found = (await person.call('GET', `/clients?q=${encodeURIComponent(canaries.display_name)}`)).body.data
    expect(found).toHaveLength(role === 'auditor' ? 0 : 1)
  })
})

test('what is withheld is named, and what is shown is what it is', async () => {
  const show = async (role: Role, path: string) => (await (await kit.person([role])).call('GET', path)).body
  const desk = await show('front_desk', `/clients/${records.client}`)
  expect(desk).toMatchObject({ display_name: canaries.display_name, date_of_birth: canaries.date_of_birth })
  expect(desk.withheld?.toSorted()).toEqual(['diagnoses', 'goals', 'insurance', 'vocabulary'])
  const biller = await show('biller', `/clients/${records.client}`)
  expect(biller).toMatchObject({ insurance: { member_id: canaries.member_id }, diagnoses: [] })
  expect((await show('auditor', '/clients')).data).toContainEqual(
    expect.objectContaining({ id: records.client, display_name: records.client }),
  )
  expect(await show('biller', `/notes/${records.signed}`)).toMatchObject({
    status: 'amended',
    sections: [],
    signature: null,
    billing: {
      cpt_code: '90834',
      duration_minutes: 50,
      diagnoses: [{ code: canaries.diagnosis }],
      signed_at: '2026-01-01T00:00:00.000Z',
    },
  })
})

describe('the front desk', () => {
  const changing = { 'If-Match': '*' }
  test('writes demographics, and is told which other fields it may not', async () => {
    const desk = await kit.person(['front_desk'])
    const client = `/clients/${records.client}`
    expect((await desk.call('PATCH', client, { email: 'a@example.org' }, changing)).status).toBe(200)
    const refused = await desk.call('PATCH', client, { email: 'b@example.org', diagnoses: [], goals: ['run'] }, changing)
    expect([refused.status, refused.body.detail]).toEqual([403, 'Your role does not write these fields: diagnoses, goals.'])
    expect((await desk.call('GET', client)).body.email).toBe('a@example.org')
    const concerns = await desk.call('PATCH', `/sessions/${records.session}`, { presenting_concerns: ['x'] }, changing)
    expect([concerns.status, concerns.body.detail]).toEqual([403, expect.stringContaining('presenting_concerns')])
    const made = await desk.call('POST', '/clients', { display_name: 'New', diagnoses: [{ code: 'F1', description: 'x' }] })
    expect([made.status, made.body.detail]).toEqual([403, expect.stringContaining('diagnoses')])
  })
  test('what it changes leaves the rest as it was', async () => {
    const desk = await kit.person(['front_desk'])
    await desk.call('PATCH', `/clients/${records.client}`, { phone: canaries.phone }, changing)
    const owner = await kit.person(['owner'])
    expect((await owner.call('GET', `/clients/${records.client}`)).body).toMatchObject({
      diagnoses: [{ code: canaries.diagnosis }],
      goals: [canaries.goal],
    })
  })
  test('a replay of its booking does not show what a clinician has since written', async () => {
    const desk = await kit.person(['front_desk'])
    const owner = await kit.person(['owner'])
    const key = { 'Idempotency-Key': newId() }
    const body = {
      client_id: records.client,
      session_type: 'individual',
      starts_at: '2028-05-01T10:00:00Z',
      duration_minutes: 50,
    }
    const { id } = (await desk.call('POST', '/sessions', body, key)).body
    await owner.call('PATCH', `/sessions/${id}`, { presenting_concerns: ['written later'] }, changing)
    const replay = await desk.call('POST', '/sessions', body, key)
    expect([replay.status, replay.text.includes('written later')]).toEqual([201, false])
  })
})
