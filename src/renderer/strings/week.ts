import { plural } from './plural.ts'

export const weekStrings = {
  loading: 'Opening the week',
  previous: 'The week before',
  today: 'This week',
  next: 'The week after',
  todayMark: 'today',
  book: 'New booking',
  none: { title: 'Nothing is booked this week.', text: 'Book a time here, or add a session from Today.' },
  sessionsOn: (day: string): string => `Sessions on ${day}`,
  booking: (name: string, from: string, to: string): string => `${name}, ${from} to ${to}`,
  clashing: 'at the same time as another',
  off: 'cancelled',
  away: 'Away',
  closed: 'Practice closed',
  lead: (count: number, hours: string): string =>
    count === 0 ? 'No sessions.' : `${plural(count, '# session', '# sessions')}, ${hours}.`,
  panel: 'Clashes and what to do about them',
  clashes: (count: number): string => plural(count, '1 clash this week', '# clashes this week'),
  clash: {
    title: (day: string, time: string): string => `${day}, ${time} is booked twice`,
    text: (first: string, firstAt: string, second: string, secondAt: string): string =>
      `${first} is booked for ${firstAt} and ${second} for ${secondAt}.`,
    nothingMoved: 'Nothing has been moved.',
    looking: 'Looking for times that fit',
    options: 'Where it could go',
    none: 'No time within two weeks fits.',
    move: (name: string, when: string): string => `Move ${name} to ${when}`,
    moving: 'Moving…',
    moved: (name: string, when: string): string => `${name} was moved to ${when}.`,
    later: 'Decide later',
    other: (name: string): string => `Move ${name} instead`,
    ask: (name: string): string => `Ask ${name} before you move it: nobody is told by Afterword.`,
  },
  best: 'Fits best',
  against: 'Against it',
  find: {
    title: 'Find a time',
    client: 'Client',
    clientMissing: 'Choose who the session is with.',
    noClients: 'There are no clients yet. Add one first.',
    type: 'Kind',
    place: 'Where',
    length: 'Minutes',
    lengthWrong: 'Between 5 and 480 minutes.',
    wish: 'When would suit',
    wishHelp: 'In words, such as “any Tuesday afternoon” or “not before 14:00”. Left empty, any time will do.',
    weekly: 'Every week',
    weeks: 'How many weeks',
    weeksWrong: 'Between 2 and 52 weeks.',
    look: 'Show times',
    looking: 'Looking…',
    options: 'Times that fit, best first',
    none: 'No time within four weeks fits.',
    ruledOut: (reasons: string): string => `What stands in the way: ${reasons}.`,
    book: (when: string): string => `Book ${when}`,
    booking: 'Booking…',
    booked: (name: string, when: string): string => `${name}, ${when}, was booked.`,
    series: (count: number): string => plural(count, '# session', '# sessions in a row'),
    atATime: 'Book a certain time',
    cancel: 'Cancel',
  },
} as const

/** What may rule times out, by the names the scheduler gives them. */
const reasons: Readonly<Record<string, string>> = {
  'constraints.earliest': 'not so early',
  'constraints.latest': 'not so late',
  'constraints.days': 'only these days',
  'constraints.avoid': 'times to avoid',
  outside_hours: 'your working hours',
  time_off: 'time off',
  clinician_double: 'other bookings',
  client_double: 'the client’s other bookings',
  room_double: 'rooms that are taken',
  max_daily_load: 'sessions a day',
  buffer_short: 'time between sessions',
}

export function reasonWords(core: readonly string[]): string {
  const words = core.map((reason) => reasons[reason] ?? reasons[reason.split(':')[0] ?? ''] ?? 'other rules')
  return [...new Set(words)].join(', ')
}
