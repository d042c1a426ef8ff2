import { attempt } from './control.ts'

/** A locale that Intl knows: the system's ("en_US@calendar=gregorian" on some systems), or else the one of this process. */
export function systemLocale(ofSystem = ''): string {
  const tag = ofSystem.replace(/[.@].*/, '').replaceAll('_', '-')
  return attempt(() => Intl.DateTimeFormat.supportedLocalesOf(tag)[0]) ?? Intl.DateTimeFormat().resolvedOptions().locale
}

const date = { day: 'numeric', month: 'long', year: 'numeric' } as const
const clock = { hour: 'numeric', minute: '2-digit' } as const
const zone = { timeZoneName: 'short' } as const

/** Dates and times in words, for documents. These are in English, so only the region of the locale counts. */
export function formatsOf(locale: string, timeZone: string) {
  const english = `en-${new Intl.Locale(locale).maximize().region ?? 'US'}`
  const format = (options: Intl.DateTimeFormatOptions) => (timestamp: string) =>
    new Intl.DateTimeFormat(english, { timeZone, calendar: 'gregory', ...options }).format(new Date(timestamp))
  return {
    date: format(date),
    weekdayAndDate: format({ weekday: 'long', ...date }),
    clock: format(clock),
    zone: (timestamp: string): string => {
      const named = new Intl.DateTimeFormat(english, { timeZone, timeZoneName: 'long' }).formatToParts(new Date(timestamp))
      return named.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
    },
    moment: format({ ...date, ...clock, ...zone }),
  }
}

const usLetter = new Set('BZ CA CL CO CR GT MX NI PA PH PR SV US VE'.split(' '))

/** Paper size by region (Unicode CLDR, paperSize). */
export const paperOf = (locale: string): 'LETTER' | 'A4' =>
  usLetter.has(new Intl.Locale(locale).maximize().region ?? '') ? 'LETTER' : 'A4'

/** Swedish writes dates as ISO 8601. */
const ISO_LOCALE = 'sv-SE'
const isoFormats = new Map<string, Intl.DateTimeFormat>()

/** Local time as `YYYY-MM-DDTHH:MM:SS`. Throws a RangeError for an invalid time or an unknown time zone. */
export function localTimeIn(at: number | string, timeZone: string): string {
  const format =
    isoFormats.get(timeZone) ?? new Intl.DateTimeFormat(ISO_LOCALE, { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  if (isoFormats.size < 1000) isoFormats.set(timeZone, format)
  return format.format(new Date(at)).replace(' ', 'T')
}

export const localDateIn = (at: number | string, timeZone: string): string => localTimeIn(at, timeZone).slice(0, 10)
