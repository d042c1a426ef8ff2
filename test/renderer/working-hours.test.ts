import { describe, expect, test } from 'vitest'
import type { Availability } from '#contract/model/availability.ts'
import { awayOn, outsideOn, workNoteOn } from '#renderer/features/calendar/working-time.ts'
import {
  checkHours,
  fieldsOf,
  type Hours,
  type HoursFields,
  hoursOf,
  weekInWords,
  awayToCome,
  awayWhen,
  checkTimeOff,
  newTimeOff,
  timeOffOf,
} from '#renderer/sessions/working-hours-form.ts'
import { reasonWords } from '#renderer/strings/calendar.ts'

const record = {
  id: '01930004-0000-7000-8000-000000000001',
  created_at: '',
  updated_at: '',
  version: 1,
  status: 'active',
} as const
const hours: Hours = {
  ...record,
  kind: 'hours',
  clinician_id: record.id,
  time_zone: 'Europe/Vienna',
  weekly: [
    { day: 'MO', from: '13:00', to: '18:00' },
    { day: 'MO', from: '09:00', to: '12:30' },
    { day: 'TU', from: '09:00', to: '12:30' },
    { day: 'TU', from: '13:00', to: '18:00' },
    { day: 'FR', from: '20:00', to: '24:00' },
  ],
  valid_from: null,
  valid_to: null,
  most_per_day: 6,
  buffer_before: 0,
  buffer_after: 10,
}
const withMonday = (isOn: boolean, ...stretches: { from: string; to: string }[]): HoursFields => {
  const usual = fieldsOf(null)
  return { ...usual, days: { ...usual.days, MO: { isOn, stretches } } }
}

describe('working hours', () => {
  test('what was saved is shown and saved again as it was, midnight too', () => {
    const { weekly, ...others } = hoursOf(fieldsOf(hours), 'Europe/Vienna')!
    expect(weekly).toEqual(
      hours.weekly.toSorted(
        (left, right) => 'MOTUFR'.indexOf(left.day) - 'MOTUFR'.indexOf(right.day) || (left.from < right.from ? -1 : 1),
      ),
    )
    expect(others).toEqual({ time_zone: 'Europe/Vienna', most_per_day: 6, buffer_after: 10 })
  })

  test('days that are alike are told as one', () => {
    expect(weekInWords(hours)).toEqual([
      'Monday to Tuesday, 9:00 AM to 12:30 PM and 1:00 PM to 6:00 PM',
      'Friday, 8:00 PM to 12:00 AM',
    ])
  })

  test.each([
    ['ends before it begins', [{ from: '09:00', to: '08:00' }], [{ to: 'Choose a later end time.' }]],
    ['is not whole', [{ from: '', to: '08:00' }], [{ from: 'Enter a time, such as 9:00 AM.' }]],
    [
      'begins within the one before',
      [
        { from: '09:00', to: '12:00' },
        { from: '11:30', to: '13:00' },
      ],
      [{}, { from: 'Choose a start time after the previous period ends.' }],
    ],
  ])('a stretch that %s is refused at its field and not sent', (_, stretches, wrong) => {
    const fields = withMonday(true, ...stretches)
    expect(checkHours(fields).stretches.MO).toEqual(wrong)
    expect(hoursOf(fields, 'UTC')).toBeNull()
    // On a day that is off it disturbs nobody.
    expect(hoursOf(withMonday(false, ...stretches), 'UTC')?.weekly.map(({ day }) => day)).toEqual(['TU', 'WE', 'TH', 'FR'])
  })

  test('a week without a day and limits out of reach are refused', () => {
    const none = { ...fieldsOf({ ...hours, weekly: [] }), most: '0', buffer: 'many' }
    expect(Object.keys(checkHours(none)).toSorted()).toEqual(['buffer', 'most', 'noDay', 'stretches'])
    expect(hoursOf({ ...fieldsOf(null), most: ' ' }, 'UTC')?.most_per_day).toBeNull()
  })

  test('the week is shaded before, between and after the hours, and all day on a day off', () => {
    expect(outsideOn(new Date(2026, 10, 23), hours)).toEqual([
      { from: 0, to: 9, text: null },
      { from: 12.5, to: 13, text: 'Lunch' },
      { from: 18, to: 24, text: null },
    ])
    expect(outsideOn(new Date(2026, 10, 25), hours)).toEqual([{ from: 0, to: 24, text: null }])
    expect(outsideOn(new Date(2026, 10, 25), null)).toEqual([])
  })

  test('time off is on the calendar from its start to its end, and a time within it is named', () => {
    const off = { ...record, kind: 'time_off', clinician_id: record.id, time_zone: 'Europe/Vienna' } as const
    const away = [{ ...off, from: '2026-11-23T14:00', to: '2026-11-25T00:00', note: 'Training' }]
    const stretches = (day: number) => awayOn(new Date(2026, 10, day), away).map(({ from, to }) => [from, to])
    expect([22, 23, 24, 25].map(stretches)).toEqual([[], [[14, 24]], [[0, 24]], []])
    const noteAt = (from: number) => workNoteOn(new Date(2026, 10, 23), { from, to: from + 1 }, { hours, away })
    expect([10, 12, 15].map(noteAt)).toEqual(['', 'Outside your working hours.', 'During time off: Training.'])
  })
})

describe('what stands in the way of a time', () => {
  test('is told in words by the names the scheduler gives', () => {
    expect(reasonWords(['hours', 'constraints.days'])).toBe('your working hours, your preferred days')
    expect(reasonWords(['time_off:0193', 'bookings:clinician', 'of another kind'])).toBe(
      'time off, your other appointments, other rules',
    )
  })
})

describe('time off', () => {
  const now = new Date(2026, 10, 24, 13)
  const fields = newTimeOff(now)

  test('whole days end with the midnight after the last', () => {
    const holiday = { ...fields, firstDay: '2026-12-21', lastDay: '2026-12-31', note: ' Holiday ' }
    const off = { from: '2026-12-21T00:00:00', to: '2027-01-01T00:00:00' }
    expect(timeOffOf(holiday, now, 'UTC')).toEqual({ time_zone: 'UTC', ...off, note: 'Holiday' })
    expect(awayWhen({ from: '2026-12-21T00:00:00', to: '2026-12-22T00:00:00' })).toMatch(/^December 21/)
  })

  test.each([
    [{ lastDay: '2026-11-24' }, { lastDay: 'Choose a date on or after the first day.' }],
    [{ isWholeDays: false, toTime: '09:00' }, { toTime: 'Choose a later end time.' }],
    [{ firstDay: '2026-11-20', lastDay: '2026-11-21' }, { lastDay: 'This time is in the past. Choose a future date.' }],
    [{ firstDay: '' }, { firstDay: 'Enter a complete date.' }],
  ])('%o is refused at its field', (part, wrong) => {
    expect(checkTimeOff({ ...fields, ...part }, now)).toEqual(wrong)
    expect(timeOffOf({ ...fields, ...part }, now, 'UTC')).toBeNull()
  })

  test('what is over is not listed, and the next comes first', () => {
    const off = (from: string, to: string): Availability => ({
      ...record,
      kind: 'time_off',
      clinician_id: record.id,
      time_zone: 'UTC',
      note: null,
      from,
      to,
    })
    const away = [
      off('2026-12-01T00:00:00', '2026-12-02T00:00:00'),
      off('2026-11-24T09:00:00', '2026-11-24T13:00:00'),
      off('2026-11-24T12:00:00', '2026-11-24T14:00:00'),
    ]
    expect(awayToCome({ away }, now).map(({ from }) => from)).toEqual(['2026-11-24T12:00:00', '2026-12-01T00:00:00'])
  })
})
