import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { generateNoteRequestSchema, notesGenerateRequestSchema } from '#contract/model/documentation-requests.ts'
import type { Route } from '#contract/rest/route.ts'
import { routes, basesOf } from '#contract/rest/routes.ts'
import { testData } from '#test/support/machine.ts'

/** The service's published list: method, path, and the second notation it is listed under. */
const published = [
  ['POST', '/ai/generate-note', '/api/ai/generate-note'],
  ['POST', '/ai/transcribe', '/api/ai/transcribe'],
  ['POST', '/ai/analyze', '/api/ai/analyze'],
  ['POST', '/ai/schedule', '/api/ai/schedule'],
  ['POST', '/ai/insurance', '/api/ai/insurance'],
  ['POST', '/notes/generate', '/api/v1/notes/generate'],
  ['POST', '/transcribe', '/api/v1/transcribe'],
  ['GET', '/clients', '/api/v1/clients'],
  ['POST', '/sessions', '/api/v1/sessions'],
  ['GET', '/analytics', '/api/v1/analytics'],
] as const

const table = Object.values(routes) as Route[]

describe('the published operations', () => {
  test.each(published)('%s %s is offered, also as %s', (method, path, alias) => {
    const route = table.find((candidate) => candidate.method === method && candidate.path === path)
    expect(route?.published).toBe(true)
    const addresses = basesOf(route!).map((base) => base + path)
    expect(addresses).toContain(`/v1${path}`)
    expect(addresses).toContain(alias)
  })

  test('no other route claims to be published', () => {
    const claimed = table.filter((route) => route.published).map((route) => `${route.method} ${route.path}`)
    expect(claimed.toSorted()).toEqual(published.map(([method, path]) => `${method} ${path}`).toSorted())
  })

  const paper = testData('service-api-as-published.md')
  test.skipIf(!existsSync(paper))('the published document lists these and no others', () => {
    const rows = readFileSync(paper, 'utf8').matchAll(/^\| (GET|POST) \| (\S+) \(listed as (\S+)\) \|/gm)
    expect([...rows].map(([, method, path, alias]) => [method, path, alias])).toEqual(published)
  })

  test('the documented bodies of the two note operations are taken as they stand', () => {
    const generate = {
      session_id: '0198a5c0-0000-7000-8000-000000000001',
      transcript: 'I slept badly.',
      template: 'SOAP',
      client_id: '0198a5c0-0000-7000-8000-000000000002',
    }
    expect(generateNoteRequestSchema.parse(generate)).toMatchObject({ transcript: 'I slept badly.', template: 'soap' })
    const fromData = {
      session_type: 'any words of a caller',
      duration_minutes: 50,
      presenting_concerns: ['sleep'],
      interventions: ['sleep diary'],
      client_response: 'agreed to try',
    }
    expect(notesGenerateRequestSchema.parse(fromData)).toMatchObject({ ...fromData, template: 'soap' })
  })

  test('paths and methods are unique, or told apart by a header', () => {
    const addresses = table.map((route) => `${route.method} ${route.path} ${route.when ?? ''}`)
    expect(new Set(addresses).size).toBe(addresses.length)
  })
})
