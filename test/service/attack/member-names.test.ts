import { afterAll, beforeAll, expect, test } from 'vitest'
import { roles, type Route } from '#contract/rest/route.ts'
import { routes } from '#contract/rest/routes.ts'
import { openAuthorityKit } from '../access/authority-kit.ts'
import type { AuthorityKit, Person } from '../access/authority-kit.ts'
import { jsonSchemaOf, pathsOf, put, sampleOf } from '../samples.ts'
import { anId } from '../service-kit.ts'

let kit: AuthorityKit
let person: Person
const id = anId()
beforeAll(async () => {
  kit = await openAuthorityKit()
  person = await kit.person(roles)
})
afterAll(() => kit.close())

/** What a caller might call a member by mistake. */
const name = 'Ana Lopez'
const wrongs = [true, 'x', -1, {}, ['\ud800'], '\0']
const operations = Object.entries(routes as Record<string, Route>)
const pathOf = (route: Route) => route.path.replaceAll(/\{\w+\}/g, id)
const given = (member: string): unknown => (member === 'id' || member.endsWith('_id') ? id : undefined)
const headers = { 'If-Match': '*', Prefer: 'respond-async' }

test.each(operations.filter(([, { body, stream }]) => body !== undefined && stream === undefined))(
  'what %s refuses never repeats the name of a member that the caller made up',
  async (_, route) => {
    const schema = jsonSchemaOf(route.body!)
    const sample = sampleOf(schema, given)
    for (const [index, path] of [[], ...pathsOf(schema, 0)].entries()) {
      const body = put(sample, path, { ...(path.length === 0 ? (sample as object) : {}), [name]: wrongs[index % wrongs.length] })
      const { text } = await person.call(route.method, pathOf(route), body, headers)
      expect(text, `/${path.join('/')}`).not.toContain(name)
    }
  },
)

test.each(operations.filter(([, { method, stream }]) => method === 'GET' && stream === undefined))(
  'nor does what %s says of a query',
  async (_, route) => {
    for (const value of ['x', '\0']) {
      const { text } = await person.call('GET', `${pathOf(route)}?${new URLSearchParams({ [name]: value, limit: 'x' })}`)
      expect(text).not.toContain(name)
    }
  },
)

test('weights of proposals are those the contract names', async () => {
  const request = { client_ids: [id], type: 'individual', duration_minutes: 50, tzid: 'UTC' }
  for (const wrong of ['much', -1, 101]) {
    const body = { mode: 'propose', request, preferences: { [name]: wrong, min_gaps: wrong } }
    const { status, body: problem, text } = await person.call('POST', '/ai/schedule', body)
    expect([status, problem.errors?.map(({ pointer }) => pointer)]).toEqual([422, ['/preferences/min_gaps']])
    expect(text).not.toContain(name)
  }
})
