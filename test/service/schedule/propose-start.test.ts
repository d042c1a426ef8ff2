import { afterAll, beforeAll, expect, test } from 'vitest'
import { aClient, anId } from '../service-kit.ts'
import { openScheduleKit, schedule, zone } from './schedule-kit.ts'
import type { ScheduleKit } from './schedule-kit.ts'

let kit: ScheduleKit
let client: string
let other: string
beforeAll(async () => {
  kit = await openScheduleKit()
  client = (await aClient(kit.owner)).id
  other = (await aClient(kit.owner, 'Ben')).id
})
afterAll(() => kit.close())

const startsOf = ({ proposals }: Awaited<ReturnType<typeof schedule>>) =>
  proposals.map(({ occurrences }) => occurrences[0]!.start)

test('a start that is free is the first proposal, also off the quarter hours and weeks ahead', async () => {
  for (const start of ['2026-11-04T10:10:00', '2027-02-03T14:00:00', '2026-11-05T20:30:00']) {
    const answer = await schedule(kit.owner, 'propose', { client_ids: [client], start })
    expect(answer).toMatchObject({ status: 'ok', conflicts: [] })
    expect(startsOf(answer)[0]).toBe(start)
  }
})

test('a start that is taken is named with what is in its way, and the nearest free times come first', async () => {
  const start = '2026-11-10T10:00:00'
  const booked = await schedule(kit.owner, 'book', { client_ids: [other], start })
  const answer = await schedule(kit.owner, 'propose', { client_ids: [client], start })
  expect(answer.status).toBe('conflict')
  expect(answer.conflicts).toContainEqual(
    expect.objectContaining({
      kind: 'clinician_double',
      severity: 'hard',
      occurrence: start,
      with: { type: 'session', id: booked.appointment!.id },
      fix_ids: answer.proposals.map(({ id }) => id),
    }),
  )
  const distances = startsOf(answer).map((at) => Math.abs(Date.parse(`${at}Z`) - Date.parse(`${start}Z`)) / 60_000)
  expect(distances[0]).toBeLessThanOrEqual(60)
  expect(distances).toEqual(distances.toSorted((left, right) => left - right))
})

test('a taken room is named where it alone is in the way', async () => {
  await kit.owner.call('putRoom', { params: { id: anId() }, body: { name: 'One', capacity: 2 } })
  const { client: ben, person } = await kit.as(['clinician'])
  const own = (await aClient(ben, 'Cleo')).id
  const start = '2026-11-17T10:00:00'
  const [room] = (await kit.owner.call('listRooms', { query: {} })).data.data
  await schedule(kit.owner, 'book', { client_ids: [own], clinician_id: person, start, room_id: room!.id })
  const answer = await schedule(kit.owner, 'propose', { client_ids: [client], start })
  expect(answer).toMatchObject({ status: 'conflict', conflicts: [{ kind: 'room_double', occurrence: start }] })
})

test('a start outside of the window is refused where it is', async () => {
  const window = { from: '2026-11-23T08:00:00', to: '2026-11-27T18:00:00' }
  const asked = schedule(kit.owner, 'propose', { client_ids: [client], start: '2026-11-30T10:00:00', tzid: zone }, { window })
  await expect(asked).rejects.toMatchObject({ code: 'validation-failed', fields: [{ pointer: '/request/start' }] })
})

test('a time in words is offered like a start: first where it is free, named where it is taken', async () => {
  const asked = (text: string) => schedule(kit.owner, 'propose', { client_ids: [client] }, { text })
  const free = await asked('next Wednesday at 3 pm')
  const [start] = startsOf(free)
  expect(start).toMatch(/T15:00:00$/)
  expect(new Date(`${start}Z`).getUTCDay()).toBe(3)
  expect(free.not_understood).toEqual([])
  await schedule(kit.owner, 'book', { client_ids: [other], start: start! })
  const taken = await asked('Wednesday at 3 pm, when it rains')
  expect(taken).toMatchObject({ status: 'conflict', not_understood: [', when it rains'] })
  expect(taken.conflicts).toContainEqual(expect.objectContaining({ kind: 'clinician_double', occurrence: start }))
})
