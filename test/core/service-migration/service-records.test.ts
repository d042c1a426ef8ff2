import { expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import { hurried } from './cuts.ts'
import { aClient, codes, openLaptop } from './migration-kit.ts'
import { openPractice } from './practice-kit.ts'

test('working hours there are found however many pages they are on; where they cannot be asked for, that is said', async () => {
  const practice = await openPractice()
  const { key, id: clinician_id } = await practice.person('Ana', ['clinician'])
  const common = { clinician_id, time_zone: 'Europe/Berlin' }
  const off = { ...common, kind: 'time_off' as const, from: '2031-01-06T00:00:00', to: '2031-01-07T00:00:00' }
  const weekly = [{ day: 'MO' as const, from: '09:00', to: '12:00' }]
  for (const body of [off, { ...common, kind: 'hours' as const, weekly }, off])
    await practice.owner.call('putAvailability', { params: { id: newId(systemClock) }, body })
  let isAway = false
  const onePerPage = (async (request: Request) => {
    const url = new URL(request.url)
    if (!request.url.startsWith(`${practice.address}/availability`)) return fetch(request)
    if (isAway) throw new TypeError('away')
    url.searchParams.set('limit', '1')
    return fetch(new Request(url, request))
  }) as typeof fetch
  const laptop = await openLaptop({ fetch: onePerPage })
  const look = () => laptop.opened.call('moving.look', { address: practice.address, key })
  expect(codes(await look())).toEqual(['hours-kept'])
  isAway = true
  await expect(look()).rejects.toMatchObject({ code: 'service-unreachable' })
})

test('what payers approved goes along, each under its own id, also as it was changed on the way', async () => {
  const practice = await openPractice()
  const { key } = await practice.person('Ana', ['clinician'])
  const laptop = await openLaptop({ wait_for_days: hurried() })
  const { opened } = laptop
  const { client } = await aClient(opened)
  const draft = { client_id: client.id, payer_id: 'P1', number: 'A-1', visits_approved: 12, starts_on: '2024-01-01' }
  const { id, version } = await opened.call('authorisations.add', draft)
  expect(codes(await opened.call('moving.look', { address: practice.address, key }))).toEqual([])
  await opened.call('moving.send', {})
  await laptop.until(({ phase }) => phase === 'checked')
  await opened.call('authorisations.change', { id, version, patch: { visits_approved: 10 } })
  expect(await opened.call('moving.confirm', {})).toMatchObject({ phase: 'confirmed', differing: 0 })
  const { authorisations } = await opened.call('coverage.get', { client_id: client.id })
  expect(authorisations).toMatchObject([{ ...draft, id, visits_approved: 10 }])
  expect((await practice.owner.call('listAuthorisations', { query: {} })).data.data).toEqual(authorisations)
})

test('where the service keeps nothing that payers approved, or does not take it, that is said', async () => {
  const practice = await openPractice()
  const { key } = await practice.person('Ana', ['clinician'])
  const answers = { offers: false }
  const without = (async (request: Request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/v1/authorisations') && request.method === 'POST')
      return Response.json(
        { code: 'validation-failed' },
        { status: 422, headers: { 'content-type': 'application/problem+json' } },
      )
    const answer = await fetch(request)
    if (answers.offers || !/^\/v1\/?$/.test(pathname)) return answer
    const document = (await answer.json()) as { capabilities: string[] }
    return Response.json({ ...document, capabilities: document.capabilities.filter((name) => name !== 'coverage') })
  }) as typeof fetch
  const laptop = await openLaptop({ wait_for_days: hurried(), fetch: without })
  const { opened } = laptop
  const { client } = await aClient(opened)
  const draft = { client_id: client.id, payer_id: 'P1', number: 'A-1', visits_approved: 12, starts_on: '2024-01-01' }
  await opened.call('authorisations.add', draft)
  const look = () => opened.call('moving.look', { address: practice.address, key })
  expect(codes(await look())).toEqual(['authorisations-stay'])
  answers.offers = true
  expect(codes(await look())).toEqual([])
  await opened.call('moving.send', {})
  const { differences } = await laptop.until(({ phase }) => phase === 'checked')
  expect(differences).toMatchObject([
    { kind: 'authorisation', id: client.id, client_name: client.display_name, code: 'validation-failed' },
  ])
  await expect(opened.call('moving.confirm', {})).rejects.toMatchObject({ code: 'conflict' })
  expect(await opened.call('moving.confirm', { leaving: true })).toMatchObject({ phase: 'confirmed' })
})
