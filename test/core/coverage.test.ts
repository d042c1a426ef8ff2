import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { coreKit, createProfile, realService } from './core-kit.ts'

type Answering = 'as it is' | 'offline' | 'published operations alone'

async function openCore() {
  const kit = coreKit()
  const service: { answering: Answering } = { answering: 'as it is' }
  const open = await kit.open({
    openService: async (options) => {
      const real = await realService(systemClock, silentLog)(options)
      return {
        ...real,
        fetch: (request) => {
          const path = new URL(request.url).pathname
          if (service.answering === 'offline') return Promise.reject(new TypeError('offline'))
          const isPublished = path.startsWith('/v1/ai/') || path === '/v1/clients'
          if (service.answering === 'published operations alone' && !isPublished)
            return Promise.resolve(new Response(null, { status: 404 }))
          return real.fetch(request)
        },
      }
    },
  })
  onTestFinished(async () => {
    await open.core.close()
    kit.remove()
  })
  await createProfile(open)
  const insurance = (member_id: string) => ({
    payer_id: 'AWSANDBOX',
    payer_name: 'Sandbox payer',
    member_id,
    group_number: null,
    relationship: 'self' as const,
  })
  const sample = async (member_id: string) => {
    const person = { display_name: 'Sam Sample', given_name: 'Sam', family_name: 'Sample', date_of_birth: '1990-01-31' }
    const { id } = await open.call('clients.create', { ...person, insurance: insurance(member_id) })
    await open.settled()
    return id
  }
  return { open, service, sample }
}

test('what a payer said is there with the next look, its original too, and offline as it was told last', async () => {
  const { open, service, sample } = await openCore()
  const client_id = await sample('AWTEST-ACTIVE')
  expect(await open.call('coverage.get', { client_id })).toMatchObject({
    checks: [],
    authorisations: [],
    is_old: false,
    gateway: { ready: false },
  })
  const { coverage, is_still_asking } = await open.call('coverage.check', { client_id })
  expect([is_still_asking, coverage.checks]).toMatchObject([
    false,
    [{ status: 'active', source: 'sandbox', patient_estimate: { amount: '20.00' } }],
  ])
  const original = await open.call('coverage.original', { eligibility_id: coverage.checks[0]!.id })
  expect(original.text).toMatch(/^ISA\*/)
  const draft = { client_id, payer_id: 'AWSANDBOX', number: 'A-1', visits_approved: 12, starts_on: '2026-01-01' }
  const authorisation = await open.call('authorisations.add', draft)
  expect(authorisation).toMatchObject({ visits_used: 0, visits_left: 12 })
  const { id, version } = authorisation
  await open.call('authorisations.change', { id, version, patch: { visits_approved: 10 } })
  const known = await open.call('coverage.get', { client_id })
  expect(known.authorisations).toMatchObject([{ id, visits_left: 10 }])
  service.answering = 'offline'
  expect(await open.call('coverage.get', { client_id })).toEqual({ ...known, is_old: true })
  await expect(open.call('coverage.check', { client_id })).rejects.toMatchObject({ code: 'service-unreachable' })
})

test('a check that fails stands beside the last answer and hides it from nobody', async () => {
  const { open, sample } = await openCore()
  const client_id = await sample('AWTEST-DOWN')
  await expect(open.call('coverage.check', { client_id })).rejects.toMatchObject({ code: 'payer-unavailable' })
  expect((await open.call('coverage.get', { client_id })).checks).toMatchObject([{ status: 'payer_unavailable' }])
  const { id } = await open.call('clients.create', { display_name: 'No Card' })
  await expect(open.call('coverage.check', { client_id: id })).rejects.toMatchObject({ code: 'validation-failed' })
})

test('of a service with the published operations alone each answer is kept here', async () => {
  const { open, service, sample } = await openCore()
  const client_id = await sample('AWTEST-ACTIVE')
  service.answering = 'published operations alone'
  for (let check = 0; check < 2; check += 1) await open.call('coverage.check', { client_id })
  const known = await open.call('coverage.get', { client_id })
  expect(known).toMatchObject({ gateway: null, authorisations: [], checks: [{ status: 'active' }, { status: 'active' }] })
  expect(known.checks[0]!.created_at >= known.checks[1]!.created_at).toBe(true)
  service.answering = 'offline'
  expect(await open.call('coverage.get', { client_id })).toEqual({ ...known, is_old: true })
})
