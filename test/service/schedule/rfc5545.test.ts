/** The examples of RFC 5545, 3.8.5.3, with the dates written out there. */
import { describe, expect, test } from 'vitest'
import { expand, readRule } from '#service/schedule/recurrence.ts'
import { readWall, writeWall } from '#service/schedule/wall.ts'
import { worldZones } from '#service/schedule/zone.ts'

const zone = 'America/New_York'
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `1997: Sep 2-5 9; Oct 1` as the RFC lists dates; a year before each list, a month before its days. */
function dates(text: string, times: readonly string[] = ['09:00:00']): string[] {
  const found: string[] = []
  let year = ''
  let month = ''
  for (const word of text.split(/[\s;,]+/)) {
    if (/^\d{4}:$/.test(word)) year = word.slice(0, 4)
    else if (months.includes(word)) month = String(months.indexOf(word) + 1).padStart(2, '0')
    else {
      const [first, last = first] = word.split('-').map(Number)
      for (let day = first!; day <= last!; day += 1)
        for (const time of times) found.push(`${year}-${month}-${String(day).padStart(2, '0')}T${time}`)
    }
  }
  return found
}

/** What it is, the rule, the dates. A list that ends in "..." goes on for ever: its beginning is compared. */
const examples: [string, string, string, { start?: string }?][] = [
  ['daily for 10 occurrences', 'FREQ=DAILY;COUNT=10', '1997: Sep 2-11'],
  ['daily until December 24, 1997', 'FREQ=DAILY;UNTIL=19971224T000000Z', '1997: Sep 2-30; Oct 1-31; Nov 1-30; Dec 1-23'],
  [
    'every other day - forever',
    'FREQ=DAILY;INTERVAL=2',
    '1997: Sep 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30; Oct 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30; Nov 1 3 5 7 9 11 13 15 17 19 21 23 25 27 29; Dec 1 3 ...',
  ],
  ['every 10 days, 5 occurrences', 'FREQ=DAILY;INTERVAL=10;COUNT=5', '1997: Sep 2 12 22; Oct 2 12'],
  [
    'every day in January, for 3 years (yearly)',
    'FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA',
    '1998: Jan 1-31; 1999: Jan 1-31; 2000: Jan 1-31',
    { start: '1998-01-01' },
  ],
  [
    'every day in January, for 3 years (daily)',
    'FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1',
    '1998: Jan 1-31; 1999: Jan 1-31; 2000: Jan 1-31',
    { start: '1998-01-01' },
  ],
  ['weekly for 10 occurrences', 'FREQ=WEEKLY;COUNT=10', '1997: Sep 2 9 16 23 30; Oct 7 14 21 28; Nov 4'],
  [
    'weekly until December 24, 1997',
    'FREQ=WEEKLY;UNTIL=19971224T000000Z',
    '1997: Sep 2 9 16 23 30; Oct 7 14 21 28; Nov 4 11 18 25; Dec 2 9 16 23',
  ],
  [
    'every other week - forever',
    'FREQ=WEEKLY;INTERVAL=2;WKST=SU',
    '1997: Sep 2 16 30; Oct 14 28; Nov 11 25; Dec 9 23; 1998: Jan 6 20; Feb 3 17 ...',
  ],
  [
    'weekly on Tuesday and Thursday for five weeks (until)',
    'FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH',
    '1997: Sep 2 4 9 11 16 18 23 25 30; Oct 2',
  ],
  [
    'weekly on Tuesday and Thursday for five weeks (count)',
    'FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH',
    '1997: Sep 2 4 9 11 16 18 23 25 30; Oct 2',
  ],
  [
    'every other week on Monday, Wednesday, and Friday until December 24, 1997',
    'FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR',
    '1997: Sep 1 3 5 15 17 19 29; Oct 1 3 13 15 17 27 29 31; Nov 10 12 14 24 26 28; Dec 8 10 12 22',
    { start: '1997-09-01' },
  ],
  [
    'every other week on Tuesday and Thursday, for 8 occurrences',
    'FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH',
    '1997: Sep 2 4 16 18 30; Oct 2 14 16',
  ],
  [
    'monthly on the first Friday for 10 occurrences',
    'FREQ=MONTHLY;COUNT=10;BYDAY=1FR',
    '1997: Sep 5; Oct 3; Nov 7; Dec 5; 1998: Jan 2; Feb 6; Mar 6; Apr 3; May 1; Jun 5',
    { start: '1997-09-05' },
  ],
  [
    'monthly on the first Friday until December 24, 1997',
    'FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR',
    '1997: Sep 5; Oct 3; Nov 7; Dec 5',
    { start: '1997-09-05' },
  ],
  [
    'every other month on the first and last Sunday of the month for 10 occurrences',
    'FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU',
    '1997: Sep 7 28; Nov 2 30; 1998: Jan 4 25; Mar 1 29; May 3 31',
    { start: '1997-09-07' },
  ],
  [
    'monthly on the second-to-last Monday of the month for 6 months',
    'FREQ=MONTHLY;COUNT=6;BYDAY=-2MO',
    '1997: Sep 22; Oct 20; Nov 17; Dec 22; 1998: Jan 19; Feb 16',
    { start: '1997-09-22' },
  ],
  [
    'monthly on the third-to-the-last day of the month, forever',
    'FREQ=MONTHLY;BYMONTHDAY=-3',
    '1997: Sep 28; Oct 29; Nov 28; Dec 29; 1998: Jan 29; Feb 26 ...',
    { start: '1997-09-28' },
  ],
  [
    'monthly on the 2nd and 15th of the month for 10 occurrences',
    'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15',
    '1997: Sep 2 15; Oct 2 15; Nov 2 15; Dec 2 15; 1998: Jan 2 15',
  ],
  [
    'monthly on the first and last day of the month for 10 occurrences',
    'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1',
    '1997: Sep 30; Oct 1 31; Nov 1 30; Dec 1 31; 1998: Jan 1 31; Feb 1',
    { start: '1997-09-30' },
  ],
  [
    'every 18 months on the 10th thru 15th of the month for 10 occurrences',
    'FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15',
    '1997: Sep 10-15; 1999: Mar 10-13',
    { start: '1997-09-10' },
  ],
  [
    'every Tuesday, every other month',
    'FREQ=MONTHLY;INTERVAL=2;BYDAY=TU',
    '1997: Sep 2 9 16 23 30; Nov 4 11 18 25; 1998: Jan 6 13 20 27; Mar 3 10 17 24 31 ...',
  ],
  [
    'yearly in June and July for 10 occurrences',
    'FREQ=YEARLY;COUNT=10;BYMONTH=6,7',
    '1997: Jun 10; Jul 10; 1998: Jun 10; Jul 10; 1999: Jun 10; Jul 10; 2000: Jun 10; Jul 10; 2001: Jun 10; Jul 10',
    { start: '1997-06-10' },
  ],
  [
    'every other year on January, February, and March for 10 occurrences',
    'FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3',
    '1997: Mar 10; 1999: Jan 10; Feb 10; Mar 10; 2001: Jan 10; Feb 10; Mar 10; 2003: Jan 10; Feb 10; Mar 10',
    { start: '1997-03-10' },
  ],
  [
    'every third year on the 1st, 100th, and 200th day for 10 occurrences',
    'FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200',
    '1997: Jan 1; Apr 10; Jul 19; 2000: Jan 1; Apr 9; Jul 18; 2003: Jan 1; Apr 10; Jul 19; 2006: Jan 1',
    { start: '1997-01-01' },
  ],
  [
    'every 20th Monday of the year, forever',
    'FREQ=YEARLY;BYDAY=20MO',
    '1997: May 19; 1998: May 18; 1999: May 17 ...',
    { start: '1997-05-19' },
  ],
  [
    'Monday of week number 20, forever',
    'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO',
    '1997: May 12; 1998: May 11; 1999: May 17 ...',
    { start: '1997-05-12' },
  ],
  [
    'every Thursday in March, forever',
    'FREQ=YEARLY;BYMONTH=3;BYDAY=TH',
    '1997: Mar 13 20 27; 1998: Mar 5 12 19 26; 1999: Mar 4 11 18 25 ...',
    { start: '1997-03-13' },
  ],
  [
    'every Thursday, but only during June, July, and August, forever',
    'FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8',
    '1997: Jun 5 12 19 26; Jul 3 10 17 24 31; Aug 7 14 21 28; 1998: Jun 4 11 18 25; Jul 2 9 16 23 30; Aug 6 13 20 27; 1999: Jun 3 10 17 24; Jul 1 8 15 22 29; Aug 5 12 19 26 ...',
    { start: '1997-06-05' },
  ],
  [
    'every Friday the 13th, forever',
    'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13',
    '1998: Feb 13; Mar 13; Nov 13; 1999: Aug 13; 2000: Oct 13 ...',
  ],
  [
    'the first Saturday that follows the first Sunday of the month, forever',
    'FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13',
    '1997: Sep 13; Oct 11; Nov 8; Dec 13; 1998: Jan 10; Feb 7; Mar 7; Apr 11; May 9; Jun 13 ...',
    { start: '1997-09-13' },
  ],
  [
    'every 4 years, the first Tuesday after a Monday in November, forever',
    'FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8',
    '1996: Nov 5; 2000: Nov 7; 2004: Nov 2 ...',
    { start: '1996-11-05' },
  ],
  [
    'the third instance into the month of one of Tuesday, Wednesday, or Thursday, for the next 3 months',
    'FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3',
    '1997: Sep 4; Oct 7; Nov 6',
    { start: '1997-09-04' },
  ],
  [
    'the second-to-last weekday of the month',
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2',
    '1997: Sep 29; Oct 30; Nov 27; Dec 30; 1998: Jan 29; Feb 26; Mar 30 ...',
    { start: '1997-09-29' },
  ],
  [
    'an example where the days generated makes a difference because of WKST (MO)',
    'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO',
    '1997: Aug 5 10 19 24',
    { start: '1997-08-05' },
  ],
  [
    'the same, changing only WKST from MO to SU',
    'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU',
    '1997: Aug 5 17 19 31',
    { start: '1997-08-05' },
  ],
  [
    'an invalid date (February 30) is ignored',
    'FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5',
    '2007: Jan 15 30; Feb 15; Mar 15 30',
    { start: '2007-01-15' },
  ],
]

/** Every 20 minutes from 9:00 to 16:40. */
const twenties = Array.from({ length: 24 }, (_, index) => writeWall(readWall('1997-01-01T09:00') + index * 20 * 60_000).slice(11))
/** The first one's UNTIL as the RFC's erratum has it: 5 PM in New York is 21:00 UTC. */
const withinDays: [string, string, string[]][] = [
  [
    'every 3 hours from 9:00 AM to 5:00 PM on a specific day',
    'FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z',
    dates('1997: Sep 2', ['09:00:00', '12:00:00', '15:00:00']),
  ],
  [
    'every 15 minutes for 6 occurrences',
    'FREQ=MINUTELY;INTERVAL=15;COUNT=6',
    dates('1997: Sep 2', ['09:00:00', '09:15:00', '09:30:00', '09:45:00', '10:00:00', '10:15:00']),
  ],
  [
    'every hour and a half for 4 occurrences',
    'FREQ=MINUTELY;INTERVAL=90;COUNT=4',
    dates('1997: Sep 2', ['09:00:00', '10:30:00', '12:00:00', '13:30:00']),
  ],
  [
    'every 20 minutes from 9:00 AM to 4:40 PM every day (daily)',
    'FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40',
    dates('1997: Sep 2-4', twenties),
  ],
  [
    'every 20 minutes from 9:00 AM to 4:40 PM every day (minutely)',
    'FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16',
    dates('1997: Sep 2-4', twenties),
  ],
]

function walls(rule: string, start: string, most: number): string[] {
  return expand(readRule(rule), readWall(`${start}T09:00:00`), zone, worldZones, most).map(writeWall)
}

describe('RFC 5545, 3.8.5.3', () => {
  test.each(examples)('%s', (_, rule, listed, { start = '1997-09-02' } = {}) => {
    const isForever = listed.endsWith(' ...')
    const expected = dates(listed.replace(' ...', ''))
    expect(walls(rule, start, isForever ? expected.length : 400)).toEqual(expected)
  })
  test.each(withinDays)('%s', (_, rule, expected) => {
    expect(walls(rule, '1997-09-02', expected.length + (rule.includes('COUNT') || rule.includes('UNTIL') ? 1 : 0))).toEqual(
      expected,
    )
  })
})
