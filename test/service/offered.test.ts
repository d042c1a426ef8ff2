import { expect, test } from 'vitest'
import { capabilityOf, type OperationId, routes } from '#contract/rest/routes.ts'
import type { ServiceDocument } from '#contract/model/service-document.ts'
import { openKit } from './service-kit.ts'

const operations = Object.keys(routes) as OperationId[]

test('every operation beyond the published ones is part of a capability that the service document names', async () => {
  const kit = await openKit({ caller: 'api-keys' })
  const headers = { Authorization: `Bearer ${kit.ownerKey}` }
  const { capabilities } = (await (await kit.fetch('GET', '/v1', undefined, headers)).json()) as ServiceDocument
  await kit.close()
  const needed = new Set(operations.map((operation) => capabilityOf(operation)))
  expect([...needed].filter((name) => name !== null).toSorted()).toEqual(capabilities.toSorted())
})

test('the ten published operations and the document itself need none', () => {
  const free = operations.filter((operation) => capabilityOf(operation) === null)
  expect(free.filter((operation) => routes[operation].published)).toHaveLength(10)
  expect(free.filter((operation) => !routes[operation].published)).toEqual(['describeService'])
})
