let system = Intl.DateTimeFormat().resolvedOptions().locale
let chosen: string | null = null

export const catalogLanguage = 'en-US'

/** The locale of dates, times, numbers and weeks: the chosen region, in the language of the catalogue. */
export const locale = (): string => `en-${new Intl.Locale(chosen ?? system).maximize().region ?? 'US'}`

/** `undefined` keeps the value: while the records are locked, the choice is unknown. */
export function followLocale(next: { readonly system: string | undefined; readonly chosen: string | null | undefined }): void {
  if (next.system !== undefined) system = next.system
  if (next.chosen !== undefined) chosen = next.chosen
}

export const offeredLocales: readonly string[] = ['en-US', 'en-CA', 'en-GB', 'en-AU']

/** The region whose formats the locale uses, for example "United States". */
export const localeName = (tag: string): string => {
  const { region = 'US' } = new Intl.Locale(tag).maximize()
  return new Intl.DisplayNames(catalogLanguage, { type: 'region' }).of(region) ?? region
}
