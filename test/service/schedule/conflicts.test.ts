import { describe, expect, test } from 'vitest'
import { assess } from '#service/schedule/score.ts'
import { messageOf } from '#service/schedule/conflicts.ts'
import { readText, readConstraints } from '#service/schedule/read-text.ts'
import { readWall, weekdays, writeWall } from '#service/schedule/wall.ts'
import type { Authorization, Room, Wanted, World } from '#service/schedule/world.ts'
import { slotAt, indexBusy } from '#service/schedule/world.ts'
import { worldZones } from '#service/schedule/zone.ts'
import { conflictKindSchema } from '#contract/model/schedule.ts'
import { anyTime, at, busy, client, clinician, world, zone } from './engine-kit.ts'

const room: Room = { id: 'room', capacity: 2, open: [], closed: [], archived: false }
const hours = clinician.hours[0]!
const monday = '2026-11-02T10:00'

interface Case {
  readonly world?: Partial<World>
  readonly wanted?: Partial<Wanted>
  readonly room?: Room
  readonly walls?: readonly string[]
}

/** What speaks against the time: kind, severity, and what stands in the way. */
function against({ world: more = {}, wanted = {}, room: where, walls = [monday] }: Case) {
  const given = world(more)
  const wants = { ...anyTime, ...wanted }
  const slots = walls.map((wall) => slotAt(worldZones, zone, readWall(wall), wants.minutes))
  const place = { clinician: given.clinicians[0]!, room: where ?? null }
  const { conflicts } = assess(given, indexBusy(given.busy), wants, place, slots)
  return conflicts.map(({ found }) => [found.kind, found.severity, found.with && `${found.with.type}:${found.with.id}`])
}

const away = { id: 'away', start: at('2026-11-02T09:00'), end: at('2026-11-02T12:00') }
const authorization: Authorization = { id: 'auth', remaining: 1, covers: () => true }
const other = busy('other', '2026-11-02T10:30')

const cases: Record<string, [Case, unknown[]]> = {
  clinician_double: [{ world: { busy: [other] } }, ['clinician_double', 'hard', 'session:other']],
  client_double: [
    { world: { busy: [{ ...other, clinician_id: 'somebody else', client_ids: ['client'] }] } },
    ['client_double', 'hard', 'session:other'],
  ],
  room_double: [
    { world: { busy: [{ ...other, clinician_id: 'somebody else', room_id: 'room' }] }, room },
    ['room_double', 'hard', 'session:other'],
  ],
  buffer_short: [
    { world: { busy: [busy('near', '2026-11-02T10:55')] }, wanted: { after: 15 } },
    ['buffer_short', 'soft', 'session:near'],
  ],
  outside_hours: [{ walls: ['2026-11-02T17:30'] }, ['outside_hours', 'hard', null]],
  time_off: [{ world: { clinicians: [{ ...clinician, off: [away] }] } }, ['time_off', 'hard', 'availability:away']],
  room_closed: [{ room: { ...room, closed: [away] } }, ['room_closed', 'hard', 'availability:away']],
  licence_state: [
    {
      world: { clinicians: [{ ...clinician, states: ['IL'] }], clients: [{ ...client, state: 'WI' }] },
      wanted: { modality: 'video' },
    },
    ['licence_state', 'hard', 'client:client'],
  ],
  authorization_exhausted: [
    {
      world: {
        clients: [{ ...client, authorizations: [authorization] }],
        busy: [{ ...busy('booked', '2026-11-05T10:00'), client_ids: ['client'] }],
      },
    },
    ['authorization_exhausted', 'soft', 'authorization:auth'],
  ],
  payer_same_day: [
    {
      world: { clients: [{ ...client, insured: true }], busy: [{ ...busy('same', '2026-11-02T15:00'), client_ids: ['client'] }] },
    },
    ['payer_same_day', 'soft', 'session:same'],
  ],
  max_daily_load: [
    { world: { clinicians: [{ ...clinician, hours: [{ ...hours, mostPerDay: 1 }] }], busy: [busy('one', '2026-11-02T15:00')] } },
    ['max_daily_load', 'soft', null],
  ],
  series_partial: [{ world: { busy: [other] }, walls: [monday, '2026-11-09T10:00'] }, ['series_partial', 'soft', null]],
  dst_gap: [{ world: { clinicians: [{ ...clinician, hours: [] }] }, walls: ['2027-03-14T02:30'] }, ['dst_gap', 'soft', null]],
  dst_overlap: [
    { world: { clinicians: [{ ...clinician, hours: [] }], now: at('2026-10-01T00:00') }, walls: ['2026-11-01T01:30'] },
    ['dst_overlap', 'soft', null],
  ],
  past: [{ world: { now: at('2026-11-03T00:00') } }, ['past', 'hard', null]],
  group_capacity: [{ wanted: { clients: ['client', 'another'] }, room }, ['group_capacity', 'hard', 'room:room']],
}

describe('what speaks against a time', () => {
  test.each(Object.entries(cases))('%s is named with what stands in the way', (_, [given, expected]) => {
    expect(against(given)).toContainEqual(expected)
  })
  test('every kind of the contract has its case here', () => {
    expect(Object.keys(cases).toSorted()).toEqual([...conflictKindSchema.options].toSorted())
  })
  test('nothing speaks against a free time', () => {
    expect(against({ room })).toEqual([])
  })
  test('whose appointment it is stays hidden from those who may not see it', () => {
    expect(against({ world: { busy: [{ ...other, shown: false }] } })).toEqual([['clinician_double', 'hard', 'busy:null']])
  })
  test('the appointment that is to move is in nobody’s way', () => {
    expect(against({ world: { busy: [other] }, wanted: { moving: 'other' } })).toEqual([])
  })
  test('a payer’s leave is counted along a series', () => {
    const walls = ['2026-11-02T10:00', '2026-11-09T10:00', '2026-11-16T10:00']
    const two = { ...authorization, remaining: 2 }
    expect(against({ world: { clients: [{ ...client, authorizations: [two] }] }, walls })).toEqual([
      ['authorization_exhausted', 'soft', 'authorization:auth'],
    ])
  })
  test('each has a sentence that names nobody', () => {
    for (const kind of conflictKindSchema.options)
      expect(messageOf({ kind, by: kind, severity: 'hard', with: null, busy: null })).toMatch(/^[A-Z].*\.$/)
  })
})

describe('wishes', () => {
  const wish = (wanted: Partial<Wanted>, walls: readonly string[] = [monday]) => against({ wanted, walls })
  test.each([
    ['not before eleven', { earliest: 660 }],
    ['over by half past ten', { latest: 630 }],
    ['on Tuesdays', { days: new Set(['TU'] as const) }],
    ['not over lunch', readConstraints({ avoid: ['MO 10:30-13:00'] })],
    ['not on that day', readConstraints({ avoid: ['2026-11-02'] })],
    ['not in that time', readConstraints({ avoid: ['2026-11-01T00:00/2026-11-02T10:30'] })],
  ] as [string, Partial<Wanted>][])('%s: is said of a time that does not keep it, and forbids nothing', (_, wanted) => {
    expect(wish(wanted)).toEqual([['outside_hours', 'soft', null]])
  })
  test('to avoid something in no notation of ours is refused with its place', () => {
    const fields = [expect.objectContaining({ pointer: '/constraints/avoid/1' })]
    expect(() => readConstraints({ avoid: ['TU', 'whenever'] })).toThrow(
      expect.objectContaining({ code: 'validation-failed', fields }),
    )
  })
})

describe('words', () => {
  const now = readWall('2026-11-21T15:00')
  const read = (text: string) => readText(text, now)
  test.each([
    ['any Tuesday afternoon', { days: ['TU'], earliest: 720, latest: 1020 }],
    ['not before 10', { earliest: 600 }],
    ['mornings', { latest: 720 }],
    ['after 17:00', { earliest: 1020 }],
    ['after 5pm, on weekdays', { earliest: 1020, days: weekdays.slice(0, 5) }],
    ['Mondays, Wednesdays or Fridays between 9 and 12', { days: ['MO', 'WE', 'FR'], earliest: 540, latest: 720 }],
    ['between 1 and 3 pm', { earliest: 780, latest: 900 }],
    ['evenings but not Thursday', { earliest: 1020, not: ['TH'] }],
    ['Monday before noon', { days: ['MO'], latest: 720 }],
    ['no weekends please', { not: ['SA', 'SU'] }],
  ] as [string, { days?: string[]; earliest?: number; latest?: number; not?: string[] }][])(
    '%j',
    (text, { days, earliest, latest, not }) => {
      const { wishes, notUnderstood } = read(text)
      expect([wishes.days && [...wishes.days], wishes.earliest, wishes.latest]).toEqual([
        days ?? null,
        earliest ?? null,
        latest ?? null,
      ])
      expect(wishes.avoid.map((one) => one.kind === 'weekly' && one.day)).toEqual(not ?? [])
      expect(notUnderstood).toEqual([])
    },
  )
  test.each([
    ['next Tuesday at 3 pm', '2026-11-24T15:00'],
    ['Tuesday 3pm', '2026-11-24T15:00'],
    ['at 15:00 on Fridays', '2026-11-27T15:00'],
    ['tomorrow at 2 p.m.', '2026-11-22T14:00'],
    ['at 10', '2026-11-22T10:00'],
    ['at 5 pm', '2026-11-21T17:00'],
    ['next week at noon', '2026-11-23T12:00'],
    ['December 3 at 11 am', '2026-12-03T11:00'],
    ['Dec. 3rd, 9:30 am', '2026-12-03T09:30'],
    ['January 7 at 4', '2027-01-07T16:00'],
    ['2026-12-03 at 11:00', '2026-12-03T11:00'],
    ['2026-12-03T11:00:00', '2026-12-03T11:00'],
    ['12/3/2026 11:00', '2026-12-03T11:00'],
  ])('%j asks for %s', (text, start) => {
    const read = readText(text, now)
    expect([read.start && writeWall(read.start), read.notUnderstood]).toEqual([`${start}:00`, []])
  })
  test.each([
    ['February 31 at 3 pm', ['february 31']],
    ['until 2026-12-05', ['until 2026-12-05']],
    ['December 3 or December 7', ['december 7']],
    ['at 3 pm or at 5 pm', ['at 5 pm']],
    ['when I am back from Boston', ['when i am back from boston']],
  ])('of %j it says what it did not understand', (text, notUnderstood) => {
    expect(readText(text, now).notUnderstood).toEqual(notUnderstood)
  })
  test('next week begins on its Monday', () => {
    expect(read('next week').window).toEqual({ from: readWall('2026-11-23T00:00'), to: readWall('2026-11-30T00:00') })
  })
  test('what is understood is said back, and that there was more', () => {
    expect(read('Tuesdays after 3, when the moon is full')).toMatchObject({
      said: ['Requested: Tuesday.', 'Requested: not before 3:00 PM.'],
      notUnderstood: [', when the moon is full'],
    })
    expect(read('December 3 at 2 pm').said).toEqual([
      'Requested: Thursday, December 3, 2026 at about 2:00 PM.',
      'Requested: from Thursday, December 3, 2026 to Thursday, December 3, 2026.',
    ])
  })
})
